// Two of chapter 06's kernels behind the command line that all GEMM chapters share: f16 with sums in f32 and C in f32,
// and f32 by hand. The first copies in scalars of any strides, so that a mutant with other strides is wrong and not
// misaligned.

#include "by_hand.hpp"  // ByHandGemm
#include "kernel.hpp"   // BlockGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig
#include <tilestep/harness/gemm_launch.hpp>  // gemm_main, launch_gemm

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace shared_memory_tiling;
  using Config = GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<128, 128, 32, 2, 2, 2>, half_t, Contiguous::unknown,
                            Contiguous::unknown, 1>;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "two of chapter 06's kernels";
  chapter.types = {
      {.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .targets = {"sm80", "sm90"}, .truncating = true},
      {.dtype = DType::f32, .acc = DType::f32, .out = DType::f32, .targets = {"sm80", "sm90"}}};
  chapter.run = [](GemmCall const& call) {
    if (call.dtype == DType::f32) launch_gemm<ByHandGemm, float, float, float, float>(call);
    else launch_gemm<BlockGemm<Config, float, float>, half_t, half_t, float, float>(call);
  };
  return gemm_main(argc, argv, chapter);
}
