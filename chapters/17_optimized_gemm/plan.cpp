// What the chapter's plans are made of: its choices, its tables, and what a choice costs where nothing was measured. An
// ordinary source: it launches nothing itself.

#include "plan.hpp"

#include "tables/sm90.hpp"  // rows of measurements

#include <algorithm>  // std::max
#include <array>      // targets
#include <cmath>      // std::ceil

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

/// Multiply-adds of a compute unit in a clock by instructions for operands of this type.
double rate_of(GemmCall const& call) {
  UnitRates const unit = machine_for(call).unit;
  Rate const by_matrix = call.dtype == DType::tf32   ? unit.multiply.tf32
                         : call.dtype == DType::f64  ? unit.multiply.f64
                         : bytes_of(call.dtype) == 2 ? unit.multiply.f16
                         : bytes_of(call.dtype) == 1 ? unit.multiply.i8
                                                     : unit.multiply.f32;
  return by_matrix.is_known() ? by_matrix.value : unit.fma.value;
}

// [rule]
/// How many clocks a problem takes on a tile. A tile costs what it multiplies, or what its operands take through
/// shared memory if that is more, and something to begin and to end; the machine is done when the busiest unit
/// is.
double cost(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  TileOfBlock const& tile = choice.tile;
  // Documented are the rate and 128 bytes of shared memory in a clock, which for gfx950 and RDNA are assumed. Counted:
  // an element is written once and read about twice, by as many warps as stand beside or above one another in the tile.
  // Assumed, and measured on no GPU: the clocks in which a tile begins and ends, and those of the second pass.
  constexpr double passes = 3, to_begin = 4000, second_pass = 3000;
  double const rate = rate_of(call), area = double(tile.m) * tile.n, lines = tile.m + tile.n;
  double const k = std::max(area / rate, passes * lines * bytes_of(call.dtype) / 128);
  double const one = k * s.slice_k_tiles * tile.k + to_begin + 100 * area / 1024;
  double const rounds = std::ceil(double(s.tiles()) / machine_for(call).compute_units);
  return rounds * one + (s.slices > 1 ? second_pass + double(call.m) * double(call.n) * s.slices / 1024 : 0);
}
// [rule]

}  // namespace

GemmPlanner& planner() {
  static GemmPlanner chapters({.choices = kernels_for, .cost = cost, .table = table_of, .ways = ways});
  return chapters;
}

}  // namespace tilestep
