// One of chapter 19's kernels behind the command line that all GEMM chapters share, for mutants: f16 operands, C in
// f32, tiles of 128 x 64 x 64, three stages.

#include "families.hpp"  // choose

#include <tilestep/harness/gemm_types.hpp>  // GemmTypes

int main(int argc, char** argv) {
  using namespace tilestep;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 19's kernels";
  chapter.types = {
      {.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .targets = {"sm90"}, .truncating = true}};
  chapter.run = [](GemmCall const& call) { launch_choice(choose<half_t, 128, 64, 3>(call), {call}); };
  return gemm_main(argc, argv, chapter);
}
