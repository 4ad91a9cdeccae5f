// One of chapter 15's kernels behind the command line that all GEMM chapters share, for mutants: f16 operands that lie
// along K. On sm80, tiles of 64 x 128 by asynchronous copies, two in shared memory; on gfx942, tiles of 128 x 128
// through registers, one in shared memory.

#include "kernel.hpp"    // InterleavedGemm
#include "families.hpp"  // TileVariant

#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace interleaving;
  using OnNvidia = TileVariant<kinds::nvidia_f16, BlockTile<64, 128, 32, 2, 2>, Route::async, 2>;
  using OnAmd = TileVariant<kinds::cdna_f16, BlockTile<128, 128, 32, 2, 2>, Route::registers, 1>;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 15's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "gfx942"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.run = [](GemmCall const& call) {
    using enum Contiguous;
    GemmChoice const choice = call.target == "gfx942" ? OnAmd::choice<k, k>() : OnNvidia::choice<k, k>();
    choice.launch({call, schedule_for(call, choice.tile, {.split_k = 1})});
  };
  return gemm_main(argc, argv, chapter);
}
