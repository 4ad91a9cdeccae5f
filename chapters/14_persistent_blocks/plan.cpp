// Decides how a problem is computed. An ordinary source: it launches nothing itself.

#include "plan.hpp"

#include <tilestep/harness/gemm_plan.hpp>  // transposed
#include <tilestep/harness/repack.hpp>     // repack
#include <tilestep/harness/split_k.hpp>    // into_workspace, add_slices

namespace tilestep {

namespace {

ScheduleOptions options;
std::string tile_size = "auto";

GemmChoice choice(GemmCall const& call) {
  GemmChoices const found = kernels_for(call);
  if (!found.empty()) return fitting(found, machine_for(call)).front();
  if (!options.persistent) not_here("no kernel for these types on " + call.target);
  bad_input("--persistent is for f16 whose rows are multiples of 16 bytes, in layout nt: leave it out");
}

constexpr int few_rows = 16, some_rows = 64;  // of small and of medium tiles on NVIDIA

// [size]
/// Which size of tiles suits a problem: one that has its rows. Where large tiles leave half of the machine without a
/// block, and K is too short for slices, medium ones.
std::string suggested_size(GemmCall const& call) {
  if (call.m <= few_rows) return "small";
  if (call.m <= some_rows) return "medium";
  double const large_tiles = double((call.m + 127) / 128) * double((call.n + 255) / 256) * double(call.batch);
  return 2 * large_tiles <= machine_for(call).compute_units && call.k < 2048 ? "medium" : "large";
}
// [size]

}  // namespace

TilePlan plan_for(GemmCall const& given) {
  TilePlan plan;
  plan.call = given.n <= some_rows && given.n < given.m ? transposed(given) : given;
  plan.call.kernel = options.persistent ? "persistent" : tile_size == "auto" ? suggested_size(plan.call) : tile_size;
  plan.choice = choice(plan.call);
  plan.schedule = schedule_for(plan.call, plan.choice.tile, options);
  return plan;
}

void run(TilePlan const& plan) {
  GemmCall const operands = repack(plan.call, plan.choice.copies_a, plan.choice.copies_b);
  if (plan.schedule.slices <= 1) return plan.choice.launch({operands, plan.schedule});
  GemmCall const sums = into_workspace(operands, plan.schedule.slices);
  plan.choice.launch({sums, plan.schedule});
  add_slices(plan.call, sums, plan.schedule.slices);
}

GemmOwnOptions own_options() {
  GemmOwnOptions own =
      order_options(options, plan_for, [] { return tile_size == "auto" ? "" : "--tile " + tile_size; });
  own.declare = [of_order = own.declare](CommandLine& line) {
    tile_size = "auto";  // a process may run several command lines
    line.add("--tile", tile_size, {"auto", "large", "medium", "small"},
             "the size of tiles: large, or for 16 bits medium and small ones; auto: what suits the problem");
    of_order(line);
    line.add("--split-k", options.split_k,
             "slices of K, added by a second pass; 0: as many as give each compute unit a block");
    line.add("--persistent", options.persistent, "as many blocks as run at once, each for several tiles");
  };
  own.instead = [of_order = own.instead](CommandLine const& line, GemmCall const& call) {
    if (options.split_k < 0 || options.split_k > 4096)
      bad_input("--split-k " + std::to_string(options.split_k) + ": needs a number of slices, 1 to 4096");
    return of_order(line, call);
  };
  return own;
}

}  // namespace tilestep
