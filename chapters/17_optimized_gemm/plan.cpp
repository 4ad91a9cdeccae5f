// What the chapter's plans are made of: its choices, its tables, and what a choice costs where a problem was not
// measured. An ordinary source: it launches nothing itself.

#include "plan.hpp"

#include "tables/sm90.hpp"        // rows of measurements
#include "tables/tile_rates.hpp"  // tile_rates

#include <tilestep/backend/target.hpp>         // target_info
#include <tilestep/harness/finish_slices.hpp>  // second_pass_overlaps

#include <algorithm>  // std::max
#include <array>      // targets
#include <cmath>      // std::cbrt, std::pow
#include <cstdint>    // std::int64_t
#include <limits>     // infinity

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

/// Are rows of C stored by 16 bytes? Else element by element.
bool stored_by_vectors(GemmCall const& call) {
  std::int64_t const bytes = bytes_of(call.out);
  return call.stride_c.col == 1 && call.stride_c.row * bytes % 16 == 0 && call.n * bytes % 16 == 0;
}

/// What was measured of a tile on an H200, which stands for NVIDIA's other targets, and for FMAs on AMD's. f16 is as
/// fast as bf16. Other tiles are taken to reach 0.8 of a unit's rate, which one of 128 x 256 does in 4096 x 4096 x 4096
/// in f16, with as many blocks as there are.
TileRate tile_rate(GemmCall const& call, GemmChoice const& choice) {
  DType const dtype = call.dtype == DType::f16 ? DType::bf16 : call.dtype;
  bool const measured = target_info(call.target).vendor == Vendor::nvidia || dtype == DType::f32;
  for (TileRate const& each : tile_rates) {
    if (measured && each.dtype == dtype && each.tile == choice.name && each.by_elements == choice.by_elements)
      return each;
  }
  return {dtype, choice.name, choice.by_elements, 0.8, 1, 1};
}

/// What two parts of the machine take that work at once. Where both are busy, each waits for the other now and then.
double beside(double one, double other) { return std::pow(std::pow(one, 6) + std::pow(other, 6), 1.0 / 6); }

// [rule]
/// How many clocks a problem takes on a tile. A step along K takes what its products take, or what its operands take
/// through shared memory, or what they take to arrive, whichever is longest. Blocks that share a compute unit multiply
/// in turns, and wait together. The machine is done when the busiest unit is, and its memory.
double cost(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  TileOfBlock const& tile = choice.tile;
  if (tile.m <= 8 && call.m > tile.m) return std::numeric_limits<double>::infinity();  // it would read B twice
  TileRate const rate = tile_rate(call, choice);
  Machine const machine = machine_for(call);
  // Clocks, and sums or bytes in one. The page says what of it is documented, counted, measured or assumed.
  constexpr double passes = 3, to_begin = 4800, to_copy = 5300, copied_bytes = 730, sums_added = 305;
  double const second_pass = second_pass_overlaps(call) ? 3600 : 5800;
  double const to_arrive = target_info(call.target).vendor == Vendor::nvidia ? 1000 : 1500;
  double const to_store = s.slices == 1 && !stored_by_vectors(call) ? 480 : 200;
  double const memory = machine.dram.is_known() && machine.clock.is_known()
                            ? 0.71 * machine.dram.value / machine.clock.value
                            : std::numeric_limits<double>::infinity();
  double const area = double(tile.m) * tile.n, lines = tile.m + tile.n, bytes = bytes_of(call.dtype);
  double const products = tile.k * std::max(area / (rate.of_rate * rate_of(call)), passes * lines * bytes / 128);
  // Blocks that a unit has together. One alone, which leaves schedulers idle, lasts as long as `least` of many.
  auto const round = [&](int blocks, double least) {
    double const work = std::cbrt(std::pow(blocks, 3) + std::pow(least, 3) - 1);
    double const step = std::max(work * products, to_arrive / choice.ahead);
    return step * s.slice_k_tiles + blocks * to_store * area / 1024;
  };
  int const units = machine.compute_units, most = int((s.tiles() + units - 1) / units);  // of a unit
  int const whole = most / tile.resident, rest = most % tile.resident;
  int const begins = tile.resident == 1 ? most : 1;  // else a block begins while another one multiplies
  double const rounds = begins * to_begin + whole * round(tile.resident, 1) +
                        (rest > 0 ? round(rest, whole > 0 ? rate.after : rate.alone) : 0);
  double const m = double(call.m), n = double(call.n), k = double(call.k), batch = double(call.batch);
  double const sums = m * n * batch * s.slices, stored = sums * (s.slices > 1 ? 4 : bytes_of(call.out)),
               copied = ((choice.copies_a ? m : 0) + (choice.copies_b ? n : 0)) * k * batch * bytes;
  return beside(rounds, ((m + n) * k * batch * bytes + stored) / memory) +
         (copied > 0 ? to_copy + copied / copied_bytes : 0) + (s.slices > 1 ? second_pass + sums / sums_added : 0);
}
// [rule]

}  // namespace

GemmPlanner& planner() {
  static GemmPlanner chapters({.choices = kernels_for,
                               .cost = cost,
                               .weighs_slices = [](GemmCall const&) { return true; },
                               .most_rounds = 24,
                               .shortest_slice = 128,
                               .most_slices = 32,
                               .further_launch = 8000,
                               .table = table_of,
                               .ways = ways});
  return chapters;
}

}  // namespace tilestep
