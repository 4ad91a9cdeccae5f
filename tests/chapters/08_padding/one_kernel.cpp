// Chapter 08's choice for one instruction behind the command line that all GEMM chapters share: f16 with sums and C in
// f32.

#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // kernels_of

namespace {

using namespace tilestep;
using namespace padding;

struct Kind : GemmKind<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, float> {
  static constexpr bool widens = false;  // without the kernel for layout nn
};

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 08's instructions";
  chapter.types = {
      {.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .targets = {"sm80", "sm90"}, .truncating = true}};
  chapter.kernels = {"scalars", "vectors", "repacked", "chosen"};
  chapter.run = [](GemmCall const& call) { launch_choice(kernels_of<Kind>(call).front(), {call}); };
  return gemm_main(argc, argv, chapter);
}
