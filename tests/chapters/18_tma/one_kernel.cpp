// One of chapter 18's kernels behind the command line that all GEMM chapters share, for mutants: f16 operands that lie
// along K, C in f32, tiles of 64 x 64 x 64 by two warps, three stages.

#include "families.hpp"  // Ring, choose

#include <tilestep/harness/gemm_types.hpp>  // GemmTypes

int main(int argc, char** argv) {
  using namespace tilestep;
  using Kind = GemmKind<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 64, 64, 1, 2>, float>;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 18's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm90"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.run = [](GemmCall const& call) { launch_choice(choose<Kind, Ring<Kind, 3>>(call), {call}); };
  return gemm_main(argc, argv, chapter);
}
