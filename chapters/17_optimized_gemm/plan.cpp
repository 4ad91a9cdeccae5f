// What the chapter's plans are made of: its choices, its tables, and what a choice costs where a problem was not
// measured. An ordinary source: it launches nothing itself.

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
/// How many clocks a problem takes on a tile. A tile costs what it multiplies, or what its operands take through
/// shared memory if that is more, and something to store; tiles that share a compute unit begin together. The machine
/// is done when the busiest unit is.
double cost(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  TileOfBlock const& tile = choice.tile;
  // Documented are the rate and 128 bytes of shared memory in a clock, which for gfx950 and RDNA are assumed. Counted:
  // an element is written once and read about twice, by as many warps as stand beside or above one another in the tile.
  // Assumed: the clocks in which tiles begin, those of a store, and those of the second pass.
  constexpr double passes = 3, to_begin = 4000, second_pass = 6000;
  double const rate = rate_of(call), area = double(tile.m) * tile.n, lines = tile.m + tile.n;
  double const k = std::max(area / rate, passes * lines * bytes_of(call.dtype) / 128);
  double const one = k * s.slice_k_tiles * tile.k + 100 * area / 1024;
  // A tile of few warps keeps its unit busy only beside others: alone it takes as long as they together.
  double const each_unit = double(s.tiles()) / machine_for(call).compute_units, together = choice.fill_a_unit;
  return std::ceil(each_unit / together) * together * one + std::ceil(each_unit / tile.resident) * to_begin +
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
