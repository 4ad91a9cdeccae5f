// What the chapter's plans are made of: its choices, and what each would cost. An ordinary source: it launches nothing
// itself.

#include "plan.hpp"

#include "model.hpp"        // predicted
#include "tables/sm90.hpp"  // rows of measurements

#include <tilestep/backend/wgmma_instruction.hpp>  // SM90_64xNx16_SS, has_instruction
#include <tilestep/harness/finish_slices.hpp>      // finish_slices

#include <algorithm>  // std::max, std::min
#include <cmath>      // std::ceil

namespace tilestep {

namespace {

constexpr char const* tuned = "tuned";

std::span<TableRow const> table_of(std::string_view target) {
  constexpr std::string_view measured = "sm90";
  if (target == measured) return table_sm90;
  return {};
}

/// Few rows are few columns of the transposed product: a tile may have 16 of those, but no fewer than 64 rows. What
/// sums are added to, threads read for C^T, element by element, and TMA for C: many rows stay as they are.
std::vector<bool> ways(GemmCall const& call) {
  if (call.kernel != tuned) return {false};
  bool const few_rows = call.m < call.n && call.m <= 32;
  bool const adds = call.beta != 0 || call.epilogue.has_residual;
  if (adds && !few_rows) return {false};
  return {few_rows, !few_rows};
}

/// The model's time; of tiles that were not measured, the clocks of their products and copies by the machine's rates.
double cost(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  if (double const seconds = predicted(call, choice, s); seconds > 0) return seconds;
  // the second pass: clocks to begin, and sums that it reads in a clock, both assumed
  constexpr double second_pass = 5000, sums_in_a_clock = 1024;
  TileOfBlock const& tile = choice.tile;
  Machine const machine = machine_for(call);
  double const from_l2 = std::min(machine.l2.value / machine.compute_units, machine.unit.l1.value),  // bytes
      products = double(tile.m) * tile.n / machine.unit.multiply.wgmma.value,
      copies = double(bytes_of(call.dtype)) * (tile.m + tile.n) / from_l2;
  double const rounds = std::ceil(double(s.tiles()) / machine.compute_units);
  return rounds * std::max(products, copies) * s.slice_k_tiles * tile.k +
         (s.slices > 1 ? second_pass + double(call.m) * double(call.n) * s.slices / sums_in_a_clock : 0);
}

}  // namespace

std::vector<std::string> variants() {
  return {"producer", "cluster", "persistent", "copied_out", "ping_pong", tuned};
}

GemmPlanner& hopper_planner() {
  static GemmPlanner chapters({.choices = kernels_for,
                               .cost = cost,
                               .weighs_slices = [](GemmCall const& call) { return call.kernel == tuned; },
                               .table = table_of,
                               .ways = ways,
                               .slices = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64},
                               .groups = {0, 16}});
  return chapters;
}

bool hopper_computes(GemmCall const& call) {
  using Wgmma = SM90_64xNx16_SS<256, DType::f16>;
  return has_instruction<Wgmma>(call.target) && bytes_of(call.dtype) == 2 && call.acc == DType::f32 &&
         (call.out == DType::f32 || call.out == call.dtype);
}

void run_hopper(GemmCall const& call, GemmPlan const& plan) {
  if (call.m == 0 || call.n == 0 || call.batch == 0) return;
  if (call.k > 0) run(plan);
  else finish_slices(plan.job, call, 0);  // there is nothing to multiply
}

}  // namespace tilestep
