// The chapter's program: one warp's GEMM on whatever matrix instruction the target has for the types of the problem.

#include "by_type.hpp"  // run_f16, run_bf16, run_f32, run_i8
#include "figures.hpp"  // the chapter's pictures

namespace {

using namespace tilestep;

/// A, B and C in `dtype`, `acc` for the sums, C in `out`; on matrix instructions that cut their sums.
GemmTypes on_matrix_instructions(DType dtype, DType acc, DType out, std::vector<std::string> targets = {}) {
  return {.dtype = dtype, .acc = acc, .out = out, .targets = std::move(targets), .truncating = !is_integer(acc)};
}

void run(GemmCall const& call) {
  if (call.dtype == DType::f16) run_f16(call);
  else if (call.dtype == DType::bf16) run_bf16(call);
  else if (call.dtype == DType::i8) run_i8(call);
  else run_f32(call);
}

// [note]
/// What the reader should know about how these types are computed here.
std::string note(GemmCall const& call) {
  if (call.dtype != DType::f32 || has_instruction<CDNA_32x32x2_F32F32F32F32>(call.target)) return "";
  return "f32 on " + call.target + ": no such matrix instruction, computed by FMA";
}
// [note]

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> const nvidia{"sm80", "sm90"};
  GemmChapter chapter;
  chapter.name = "05_mma";
  chapter.adds = "one warp's GEMM on matrix instructions, of both vendors";
  chapter.types = {
      on_matrix_instructions(DType::f16, DType::f32, DType::f32),
      on_matrix_instructions(DType::f16, DType::f32, DType::f16),
      on_matrix_instructions(DType::f16, DType::f16, DType::f16, nvidia),
      on_matrix_instructions(DType::bf16, DType::f32, DType::f32),
      on_matrix_instructions(DType::bf16, DType::f32, DType::bf16),
      on_matrix_instructions(DType::tf32, DType::f32, DType::f32, nvidia),
      on_matrix_instructions(DType::i8, DType::i32, DType::i32),
      {DType::f32, DType::f32, DType::f32},
  };
  chapter.m = 45;
  chapter.n = 37;
  chapter.k = 27;
  chapter.run = run;
  chapter.note = note;
  chapter.figures = mma_figures;
  return gemm_main(argc, argv, chapter);
}
