// The chapter's program: one warp's GEMM on whatever matrix instruction the target has for the types of the problem.

#include "by_type.hpp"  // run_f16, run_bf16, run_f32, run_i8, run_f64
#include "figures.hpp"  // the chapter's pictures

#include <tilestep/harness/gemm_kinds.hpp>  // matrix_types, note_of_fma

namespace {

using namespace tilestep;

void run(GemmCall const& call) {
  if (call.dtype == DType::f16) run_f16(call);
  else if (call.dtype == DType::bf16) run_bf16(call);
  else if (call.dtype == DType::i8) run_i8(call);
  else if (call.dtype == DType::f64) run_f64(call);
  else run_f32(call);
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "05_mma";
  chapter.adds = "one warp's GEMM on matrix instructions, of both vendors";
  chapter.types = matrix_types();
  chapter.types.push_back({.dtype = DType::f64, .acc = DType::f64, .out = DType::f64});
  chapter.m = 45;
  chapter.n = 37;
  chapter.k = 27;
  chapter.run = run;
  chapter.note = note_of_fma;
  chapter.figures = mma_figures;
  return gemm_main(argc, argv, chapter);
}
