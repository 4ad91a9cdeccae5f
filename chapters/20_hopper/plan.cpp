// What the chapter's plans are made of: its choices, its table, and what a choice costs where nothing was measured. An
// ordinary source: it launches nothing itself.

#include "plan.hpp"

#include "tables/sm90.hpp"  // rows of measurements

#include <tilestep/harness/finish_slices.hpp>  // finish_slices

#include <algorithm>  // std::max
#include <cmath>      // std::ceil

namespace tilestep {

namespace {

constexpr char const* tuned = "tuned";

std::span<TableRow const> table_of(std::string_view target) {
  if (target == "sm90") return table_sm90;
  return {};
}

/// Few rows are few columns of the transposed product: a tile may have 16 of those, but no fewer than 64 rows.
bool few_rows(GemmCall const& call) { return call.m < call.n && call.m <= 32; }

// [rule]
/// How many clocks a problem takes on a tile. A multiprocessor does 2048 multiply-adds in a clock, and 39 bytes of
/// operands come to it from the L2; each tile takes something to begin, and the machine is done when the busiest
/// multiprocessor is.
/// @par Source  common/backend/any/include/tilestep/backend/machine_table.hpp
double cost(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  TileOfBlock const& tile = choice.tile;
  constexpr double to_begin = 2000, second_pass = 5000;
  double const k = std::max(double(tile.m) * tile.n / 2048, 2.0 * (tile.m + tile.n) / 39);
  double const one = k * s.slice_k_tiles * tile.k + to_begin;
  double const rounds = std::ceil(double(s.tiles()) / machine_for(call).compute_units);
  return rounds * one + (s.slices > 1 ? second_pass + double(call.m) * double(call.n) * s.slices / 1024 : 0);
}
// [rule]

}  // namespace

std::vector<std::string> rungs() {
  return {"producer", "cluster", "persistent", "copied_out", "ping_pong", tuned};
}

GemmPlanner& planner() {
  static GemmPlanner chapters({.choices = kernels_for,
                               .cost = cost,
                               .table = table_of,
                               .exchanges = few_rows,
                               .slices = {1, 2, 3, 4, 6, 8, 16, 32, 64}});
  return chapters;
}

void run_hopper(GemmCall const& call) {
  if (call.m == 0 || call.n == 0 || call.batch == 0) return;
  GemmPlan const plan = planner().plan_for(call);
  if (call.k > 0) run(plan);
  else finish_slices(plan.job, call, 0);  // there is nothing to multiply
}

}  // namespace tilestep
