// The model behind the chapter's plans. An ordinary source: it launches nothing.

#include "model.hpp"

#include "tables/times_sm90.hpp"  // times_sm90, machine_sm90

#include <tilestep/harness/gemm_schedule.hpp>  // machine_for

#include <algorithm>  // std::find_if, std::min
#include <cmath>      // std::pow
#include <cstdint>    // std::uintptr_t

namespace tilestep {

namespace {

constexpr double element = 2;  // bytes of A and B

/// How an operand of (mn,k) lies, as TileTimes counts. TMA asks L2 for a row of the swizzle at a time: for one line of
/// 128 bytes if the row is as wide and begins there, else for two, or twice as often. From two lines it takes as many
/// sectors of 32 bytes as from one where the row begins at a sector.
struct Place {
  int across;        ///< 2 along M or N
  double elsewhere;  ///< 0 at lines, 1 elsewhere
};
/// @param row  bytes of the swizzle's rows where the operand lies along M or N
Place place_of(TileTimes const& t, void const* data, Strides const& s, int row, bool copied) {
  if (copied) return {0, 0};
  bool const along_k = s.col == 1, is_wide = along_k || row == 128;
  std::int64_t const begins = std::int64_t(reinterpret_cast<std::uintptr_t>(data)) |
                              (along_k ? s.row : s.col) * std::int64_t(element);
  double const elsewhere = !is_wide || begins % 32 != 0 ? 1 : begins % 128 != 0 ? t.at_sectors : 0;
  return {along_k ? 0 : 2, elsewhere};
}
double step_of(TileTimes const& t, Place const& a, Place const& b) {
  auto const of_b = [&](int row) {
    return t.step[row][b.across] + b.elsewhere * (t.step[row][b.across + 1] - t.step[row][b.across]);
  };
  return of_b(a.across) + a.elsewhere * (of_b(a.across + 1) - of_b(a.across));
}

/// Does TMA store C? K in slices: it stores the sums, in rows of the workspace.
bool tma_stores(GemmCall const& call, TileSchedule const& s) {
  if (s.slices > 1) return call.n % 4 == 0;
  std::int64_t const bytes = bytes_of(call.out);
  auto const& e = call.epilogue;
  return call.beta == 0 && !e.has_residual && call.stride_c.col == 1 && call.n * bytes % 16 == 0 &&
         call.stride_c.row * bytes % 16 == 0;
}

/// Bytes of A and B that memory gives if L2 keeps what a wave of tiles reads, and nothing of the wave before.
double bytes_read(GemmCall const& call, TileOfBlock const& tile, TileSchedule const& s, int at_once) {
  // a wave is `group` tiles high, or as high as C, and as wide as its tiles make it
  double const wave = std::min(at_once, s.tiles_m * s.tiles_n), all_m = s.tiles_m, all_n = s.tiles_n;
  double const high = std::min({double(s.group), wave, all_m}), wide = std::min(all_n, std::ceil(wave / high));
  double const waves = std::ceil(all_m * all_n / wave) * double(call.batch);
  double const once = double(call.m + call.n) * double(call.batch);
  return std::max(once, waves * (high * tile.m + wide * tile.n)) * double(call.k) * element;
}

}  // namespace

// [model]
double predicted(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  auto const row = std::find_if(std::begin(times_sm90), std::end(times_sm90),
                                [&](TileTimes const& each) { return each.tile == choice.name; });
  if (row == std::end(times_sm90) || choice.at_once == 0) return 0;
  TileTimes const& t = *row;
  MachineTimes const& machine = machine_sm90;

  // Rounds of tiles: all units work but in the last, where a step takes less.
  int const tiles = s.tiles(), rounds = (tiles + choice.at_once - 1) / choice.at_once;
  double const full = step_of(t, place_of(t, call.a, call.stride_a, choice.row_a, choice.copies_a),
                              place_of(t, call.b, call.stride_b, choice.row_b, choice.copies_b));
  double const last_round = tiles - double(rounds - 1) * choice.at_once;
  double const last = t.alone + (full - t.alone) * last_round / choice.at_once;
  double const by_threads = tma_stores(call, s) ? 0 : t.by_threads;
  // A tile of few steps waits for its first copies and its store: between one step and few, a line of its own.
  auto const tile_of = [&](double one, double begin, double step) {
    double const few = begin + few_steps * step, k = s.slice_k_tiles;
    return std::max(begin + k * step, one + (k - 1) / (few_steps - 1) * (few - one));
  };
  double const round = std::max(tile_of(t.shortest, t.between, full), t.shortest + by_threads);
  double const kernel = tile_of(t.one, t.begin, last) + (rounds - 1) * round + by_threads;

  // Memory works at the same time. Where both are busy, each waits for the other now and then.
  double const units = std::min(tiles, choice.at_once) * double(machine_for(call).compute_units) / choice.at_once;
  double const sums = double(call.m) * double(call.n) * double(call.batch),
               bytes_stored = s.slices > 1 ? 4.0 * s.slices : double(bytes_of(call.out));
  double const memory = t.begin + sums * bytes_stored * machine.write_byte +
                        bytes_read(call, choice.tile, s, choice.at_once) *
                            std::max(machine.read_byte, machine.unit_byte / units);
  double seconds = std::pow(std::pow(kernel, 6) + std::pow(memory, 6), 1.0 / 6);

  // One kernel makes both copies.
  double const copied = double(choice.copies_a ? call.m : 0) + double(choice.copies_b ? call.n : 0);
  if (copied > 0)
    seconds += machine.copy_begin + copied * double(call.k) * double(call.batch) * element * machine.copy_byte;
  if (s.slices > 1)
    seconds += machine.second_begin + sums * (4 * s.slices + double(bytes_of(call.out))) * machine.second_byte;
  return seconds * (1 + (machine.sustained - 1) * std::min(1.0, seconds / power_after));
}
// [model]

}  // namespace tilestep
