// Chapter 07's kernel with one instruction and a small tile, behind the command line that all GEMM chapters share: f16
// on CDNA, C in f32.

#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // kernels_of

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace k_loop;
  using Kind = GemmKind<CDNA_32x32x8_F32F16F16F32, BlockTile<64, 64, 32, 2, 1>, float>;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 07's kernels";
  chapter.types = {
      {.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .targets = {"gfx90a", "gfx942"}, .truncating = true}};
  chapter.run = [](GemmCall const& call) { launch_choice(kernels_of<Kind>(call).front(), {call}); };
  return gemm_main(argc, argv, chapter);
}
