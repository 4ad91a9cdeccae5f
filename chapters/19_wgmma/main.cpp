// The chapter's program: the same GEMM with its tiles multiplied where they land, by wgmma.
// ./tutorial run 19 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_choices.hpp>     // run_first_kernel
#include <tilestep/harness/gemm_types.hpp>       // GemmTypes

int main(int argc, char** argv) {
  using namespace tilestep;
  auto const type = [](DType dtype) {
    return GemmTypes{.dtype = dtype, .acc = DType::f32, .out = DType::f32, .targets = {"sm90"}, .truncating = true};
  };
  GemmChapter chapter;
  chapter.name = "19_wgmma";
  chapter.adds = "wgmma: four warps multiply tiles where they lie in shared memory, asynchronously";
  chapter.types = {type(DType::f16), type(DType::bf16)};
  chapter.m = 129;
  chapter.n = 136;
  chapter.k = 72;
  chapter.run = run_first_kernel;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
