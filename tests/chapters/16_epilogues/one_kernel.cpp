// One of chapter 16's kernels behind the command line that all GEMM chapters share, for mutants: f16 operands that lie
// along K, tiles of 64 x 128, two in shared memory, so that the sums leave in two slices.

#include "kernel.hpp"    // EpilogueGemm
#include "families.hpp"  // TileVariant

#include <tilestep/harness/gemm_options.hpp>   // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace epilogues;
  using Variant = TileVariant<kinds::nvidia_f16, BlockTile<64, 128, 32, 2, 2>, Route::async, 2>;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 16's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90"},
                    .truncating = true,
                    .layouts = {"nt"}},
                   {.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f16,
                    .targets = {"sm80", "sm90"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.epilogues = true;
  chapter.run = [](GemmCall const& call) {
    GemmChoice const choice = Variant::choice<Contiguous::k, Contiguous::k>();
    choice.launch({call, schedule_for(call, choice.tile, {.split_k = 1})});
  };
  return gemm_main(argc, argv, chapter, {});
}
