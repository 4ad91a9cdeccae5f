// Chapter 08's choice for one instruction behind the command line that all GEMM chapters share: f16 with sums and C in f32.

#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose

int main(int argc, char** argv) {
  using namespace tilestep;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 08's instructions";
  chapter.types = {{.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .targets = {"sm80", "sm90"}, .truncating = true}};
  chapter.kernels = {"scalars", "vectors", "repacked", "chosen"};
  chapter.run = [](GemmCall const& call) {
    choose<SM80_16x8x16_F32F16F16F32_TN, BlockTile<128, 128, 32, 2, 4>, half_t, float, float, false>(call).launch(call);
  };
  return gemm_main(argc, argv, chapter);
}
