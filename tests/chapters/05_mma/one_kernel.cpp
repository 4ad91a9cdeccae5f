// One of chapter 05's kernels behind the command line that all GEMM chapters share: f16 with sums in f32 and C in f32.

#include "kernel.hpp"  // WarpGemm

#include <tilestep/harness/gemm_launch.hpp>  // gemm_main, launch_gemm

int main(int argc, char** argv) {
  using namespace tilestep;
  using Op = SM80_16x8x16_F32F16F16F32_TN;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 05's kernels";
  chapter.types = {
      {.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .targets = {"sm80", "sm90"}, .truncating = true}};
  chapter.run = [](GemmCall const& call) {
    launch_gemm<WarpGemm<MmaAtom<Op>, OneAtom, half_t, float, float>, half_t, half_t, float, float>(call);
  };
  return gemm_main(argc, argv, chapter);
}
