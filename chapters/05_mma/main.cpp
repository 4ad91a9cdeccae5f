// The chapter's program: one warp's GEMM on whatever matrix instruction the target has for the types of the problem.
// ./tutorial run 05 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_choices.hpp>     // run_first_kernel
#include <tilestep/harness/gemm_types.hpp>       // matrix_types, fp8_types, note_of_fma

int main(int argc, char** argv) {
  using namespace tilestep;
  GemmChapter chapter;
  chapter.name = "05_mma";
  chapter.adds = "one warp's GEMM on matrix instructions, of both vendors";
  chapter.types = matrix_types();
  chapter.types.push_back({.dtype = DType::f64, .acc = DType::f64, .out = DType::f64});
  for (GemmTypes const& types : fp8_types()) chapter.types.push_back(types);
  chapter.m = 45;
  chapter.n = 37;
  chapter.k = 27;
  chapter.run = run_first_kernel;
  chapter.note = note_of_fma;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
