// One of chapter 14's kernels behind the command line that all GEMM chapters share: f16 operands that lie along K, C in
// f32, tiles of 64 x 64. The sums always go through the workspace, and a block takes as many tiles as there are too few
// blocks.

#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // TileVariant

#include <tilestep/harness/gemm_options.hpp>   // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for
#include <tilestep/harness/split_k.hpp>        // into_workspace, add_slices

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace persistent_blocks;
  using Kind = kinds::nvidia_f16;
  using Variant = TileVariant<Kind, BlockTile<64, 64, 32, 2, 2>, Route::async, 3>;
  static ScheduleOptions options;
  static std::int64_t blocks = 0;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 14's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.run = [](GemmCall const& call) {
    GemmChoice const choice = Variant::choice<Contiguous::k, Contiguous::k, true>();
    TileSchedule schedule = schedule_for(call, choice.tile, options);
    if (blocks > 0) schedule.blocks = int(blocks);
    GemmCall const sums = into_workspace(call, schedule.slices);
    choice.launch({sums, schedule});
    add_slices(call, sums, schedule.slices);
  };
  GemmOwnOptions own;
  own.declare = [](CommandLine& line) {
    line.add("--split-k", options.split_k, "slices of K");
    line.add("--blocks", blocks, "that are launched");
  };
  return gemm_main(argc, argv, chapter, own);
}
