#pragma once
// A schedule for a problem: what fills the machine that stands for a target, or what the options of the command line
// ask for.

#include <tilestep/backend/error.hpp>         // bad_input
#include <tilestep/backend/machine.hpp>       // machine_of
#include <tilestep/backend/runtime.hpp>       // machine
#include <tilestep/block/schedule.hpp>        // TileSchedule, TileOfBlock
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <algorithm>    // std::clamp
#include <cstdint>      // INT32_MAX
#include <set>          // distinct tiles
#include <string>       // options

namespace tilestep {

/// The machine that a call is planned for: the one that runs, or another target's, with as many compute units as the
/// call says.
inline Machine machine_for(GemmCall const& call) {
  Machine planned = machine().target == call.target ? machine() : machine_of(call.target);
  if (call.units > 0) planned.compute_units = call.units;
  return planned;
}

/// What a reader may ask for. Zeros and "auto": what the problem suggests.
struct ScheduleOptions {
  std::string order = "auto";  ///< rows, grouped, or xcd: grouped on each die
  std::int64_t group = 0;
  std::int64_t split_k = 0;
  bool persistent = false;
};

namespace detail {

inline int tiles_along(std::int64_t extent, int tile) {
  std::int64_t const tiles = (extent + tile - 1) / tile;
  if (tiles > INT32_MAX)
    bad_input("a matrix of " + std::to_string(extent) +
              " elements along a side has too many tiles: choose smaller extents");
  return int(tiles);
}

/// How many rows of tiles to walk together: about eight, in groups of one height, or nearly so.
inline int suggested_group(int tiles_m) {
  int const groups = std::max(1, (tiles_m + 7) / 8);
  return std::max(1, (tiles_m + groups - 1) / groups);
}

// [slices]
/// Into how many slices K is split: one block for each compute unit, if a slice is long enough to be worth the second
/// pass.
inline int suggested_slices(std::int64_t tiles, std::int64_t k, int compute_units) {
  constexpr int shortest = 1024, most = 64;  // elements of K in a slice; slices that the second pass adds
  return tiles == 0 ? 1 : int(std::clamp<std::int64_t>(std::min(compute_units / tiles, k / shortest), 1, most));
}
// [slices]

}  // namespace detail

/// @par Errors  bad_input: an option that does not fit the problem, or more tiles than a grid may have
inline TileSchedule schedule_for(GemmCall const& call, TileOfBlock const& tile, ScheduleOptions const& options) {
  Machine const machine = machine_for(call);
  int const slots = machine.compute_units * tile.resident, k_tiles = detail::tiles_along(call.k, tile.k);
  TileSchedule s;
  s.tiles_m = detail::tiles_along(call.m, tile.m);
  s.tiles_n = detail::tiles_along(call.n, tile.n);
  s.batches = detail::tiles_along(call.batch, 1);
  double const count = double(s.tiles_m) * s.tiles_n * s.batches;
  if (count > INT32_MAX) bad_input("C has more than 2147483647 tiles: choose smaller extents");

  bool const narrow = call.acc == DType::f16;  // sums that a workspace does not keep
  int const suggested = narrow ? 1 : detail::suggested_slices(std::int64_t(count), call.k, machine.compute_units);
  s.slices = options.split_k > 0 ? int(options.split_k) : suggested;
  if (s.slices > 1 && narrow) bad_input("--split-k is for sums in f32 and i32: leave it out, or take --acc f32");
  if (count * s.slices > INT32_MAX)
    bad_input("C has more than 2147483647 tiles in " + std::to_string(s.slices) +
              " slices: choose a smaller --split-k");
  s.slice_k_tiles = (k_tiles + s.slices - 1) / s.slices;
  // none without a tile
  if (options.split_k == 0 && s.slice_k_tiles > 0) s.slices = (k_tiles + s.slice_k_tiles - 1) / s.slice_k_tiles;

  bool const by_die = options.order == "xcd" || (options.order == "auto" && machine.dies > 1);
  s.dies = by_die ? machine.dies : 1;
  int const group = options.group > 0 ? int(options.group) : detail::suggested_group(s.tiles_m);
  s.group = options.order == "rows" ? 1 : std::clamp(group, 1, std::max(s.tiles_m, 1));
  s.blocks = options.persistent ? std::min(s.tiles(), slots) : s.tiles();
  return s;
}

/// What a schedule asks of memory if each L2 keeps what the blocks of one wave read, and nothing of the wave before.
struct ScheduleTraffic {
  int waves = 0;
  /// as long as a slice of K, that the L2 caches fetch, all waves together
  std::int64_t tiles_of_a = 0, tiles_of_b = 0;
};

/// @param slots  blocks that run at once: a wave
inline ScheduleTraffic traffic_of(TileSchedule const& s, int slots, int dies) {
  ScheduleTraffic traffic;
  for (int first = 0; first < s.tiles(); first += slots, ++traffic.waves) {
    for (int die = 0; die < dies; ++die) {
      std::set<std::int64_t> a, b;
      for (int number = first + die; number < std::min(first + slots, s.tiles()); number += dies) {
        auto const [m, n, batch, slice] = tile_coord(number, s);
        std::int64_t const matrix = std::int64_t(slice) * s.batches + batch;
        a.insert(matrix * s.tiles_m + m);
        b.insert(matrix * s.tiles_n + n);
      }
      traffic.tiles_of_a += std::int64_t(a.size());
      traffic.tiles_of_b += std::int64_t(b.size());
    }
  }
  return traffic;
}

}  // namespace tilestep
