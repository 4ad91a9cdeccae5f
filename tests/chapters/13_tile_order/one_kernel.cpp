// One of chapter 13's kernels behind the command line that all GEMM chapters share: f16 operands that lie along K, C in
// f32, tiles of 64 x 64, for a machine of as many dies as the command line says.

#include "families.hpp"  // TileVariant

#include <tilestep/harness/gemm_options.hpp>  // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace tile_order;
  using Variant = TileVariant<kinds::nvidia_f16, BlockTile<64, 64, 32, 2, 2>, Route::async, 3>;
  static ScheduleOptions options;
  static std::int64_t dies = 1;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 13's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.run = [](GemmCall const& call) {
    GemmChoice const choice = Variant::choice<Contiguous::k, Contiguous::k>();
    options.split_k = 1;
    TileSchedule schedule = schedule_for(call, choice.tile, options);
    schedule.dies = int(dies);
    choice.launch({call, schedule});
  };
  GemmOwnOptions own;
  own.declare = [](CommandLine& line) {
    line.add("--group", options.group, "rows of tiles in a group");
    line.add("--dies", dies, "that blocks go to in turn");
  };
  return gemm_main(argc, argv, chapter, own);
}
