// What the chapter's plans are made of: its choices, its tables, and what a choice costs where a problem was not
// measured. An ordinary source: it launches nothing itself.

#include "plan.hpp"

#include "tables/sm90.hpp"  // rows of measurements

#include <algorithm>  // std::max
#include <array>      // targets

namespace tilestep {

namespace {

/// The targets with rows of measurements.
struct MeasuredTarget {
  std::string_view name;
  std::span<TableRow const> rows;
};
constexpr std::array measured_targets{MeasuredTarget{"sm90", table_sm90}};

std::span<TableRow const> table_of(std::string_view target) {
  for (MeasuredTarget const& each : measured_targets) {
    if (each.name == target) return each.rows;
  }
  return {};
}

/// Few columns are few rows of the transposed product.
std::vector<bool> ways(GemmCall const& call) { return {call.n < call.m && call.n <= 64}; }

/// Multiply-adds of a compute unit in a clock, by matrix instructions for operands of this type if it has any.
double rate_of(GemmCall const& call) {
  UnitRates const unit = machine_for(call).unit;
  Rate const by_matrix = call.dtype == DType::tf32   ? unit.multiply.tf32
                         : call.dtype == DType::f64  ? unit.multiply.f64
                         : call.dtype == DType::f32  ? unit.multiply.f32
                         : bytes_of(call.dtype) == 2 ? unit.multiply.f16
                                                     : unit.multiply.i8;
  return by_matrix.is_known() ? by_matrix.value : unit.fma.value;
}

// [rule]
/// How many clocks a problem takes on a tile. A step along K takes what its products take, or what its operands take
/// through shared memory, or what they take to arrive, whichever is longest. Blocks that share a compute unit multiply
/// in turns, and wait together. The machine is done when the busiest unit is.
double cost(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  TileOfBlock const& tile = choice.tile;
  // Documented are the rate and 128 bytes of shared memory in a clock, which for gfx950 and RDNA are assumed. Counted:
  // an element is written once and read about twice, by as many warps as stand beside or above one another in the tile.
  // Assumed: the clocks in which a tile's operands arrive, in which tiles begin, and those of the second pass.
  constexpr double passes = 3, to_arrive = 1500, to_begin = 4000, second_pass = 6000;
  double const area = double(tile.m) * tile.n, lines = tile.m + tile.n, bytes = bytes_of(call.dtype);
  double const products = tile.k * std::max(area / (choice.of_rate * rate_of(call)), passes * lines * bytes / 128);
  // Blocks that a unit has together. A block of few warps alone leaves schedulers idle.
  auto const round = [&](int blocks) {
    double const step = std::max(std::max(blocks, choice.fill_a_unit) * products, to_arrive / choice.ahead);
    return step * s.slice_k_tiles + blocks * 100 * area / 1024 + to_begin;
  };
  int const units = machine_for(call).compute_units, most = int((s.tiles() + units - 1) / units);  // of a unit
  int const whole = most / tile.resident, rest = most % tile.resident;
  return whole * round(tile.resident) + (rest > 0 ? round(rest) : 0) +
         (s.slices > 1 ? second_pass + double(call.m) * double(call.n) * s.slices / 1024 : 0);
}
// [rule]

}  // namespace

GemmPlanner& planner() {
  static GemmPlanner chapters({.choices = kernels_for,
                               .cost = cost,
                               .weighs_slices = [](GemmCall const&) { return true; },
                               .table = table_of,
                               .ways = ways});
  return chapters;
}

}  // namespace tilestep
