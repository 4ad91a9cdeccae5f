// The model behind the chapter's plans. An ordinary source: it launches nothing.

#include "model.hpp"

#include "tables/times_sm90.hpp"  // times_sm90

#include <tilestep/backend/runtime.hpp>        // device_name
#include <tilestep/harness/gemm_schedule.hpp>  // machine_for

#include <algorithm>  // std::find_if, std::min
#include <cmath>      // std::pow, std::sqrt
#include <cstdint>    // std::uintptr_t
#include <limits>     // infinity
#include <string>     // the device's name

namespace tilestep {

namespace {

constexpr double operand_bytes = 2;  // of an element of A or B
/// In groups of so many rows of tiles a tile and its neighbour in C's rows are stored at about the same time: the lines
/// of memory that both have a part of leave L2 whole.
constexpr int few_rows_of_tiles = 2;

/// The times of the device that is here; where it has no record, and on the virtual GPU, those of the H200, not scaled.
DeviceTimes const& times_here() {
  std::string const here = device_name();
  auto const found = std::find_if(std::begin(times_sm90), std::end(times_sm90),
                                  [&](DeviceTimes const& each) { return each.device == here; });
  return found == std::end(times_sm90) ? times_sm90[0] : *found;
}

/// How an operand of (mn,k) lies, as TileTimes counts. TMA asks L2 for a row of the swizzle at a time: for one line of
/// 128 bytes if the row lies in one, else for two. From two lines it takes as many sectors of 32 bytes as from one if
/// the row begins at a sector.
struct Place {
  int across = 0;        ///< 2 along M or N
  double elsewhere = 0;  ///< 0 in one line, 1 in two
  double requests = 1;   ///< for 64 elements: a tile of 160 columns is fetched 32 at a time where it lies along N
  bool reads_on = false; ///< along M or N the last tile's rows end in the operand's next row
};
/// @param row  bytes of the swizzle's rows where the operand lies along M or N
Place place_of(TileTimes const& t, void const* data, Strides const& s, std::int64_t mn, int row, bool copied) {
  if (copied) return {};
  bool const along_k = s.col == 1;
  std::int64_t const begins = std::int64_t(reinterpret_cast<std::uintptr_t>(data)) |
                              (along_k ? s.row : s.col) * std::int64_t(operand_bytes);
  double const elsewhere = begins % (along_k ? 128 : row) == 0 ? 0 : begins % 32 == 0 ? t.at_sectors[!along_k] : 1;
  if (along_k) return {0, elsewhere, 1 + elsewhere};
  return {2, elsewhere, (1 + elsewhere) * 128 / row, mn * std::int64_t(operand_bytes) % row != 0};
}
double step_of(TileTimes const& t, Place const& a, Place const& b) {
  auto const of_b = [&](int row) {
    return t.step[row][b.across] + b.elsewhere * (t.step[row][b.across + 1] - t.step[row][b.across]);
  };
  return of_b(a.across) + a.elsewhere * (of_b(a.across + 1) - of_b(a.across));
}

/// The time of two parts of the machine that work at once. Where both are busy, each waits for the other now and then.
double beside(double one, double other) { return std::pow(std::pow(one, 6) + std::pow(other, 6), 1.0 / 6); }

/// Does TMA store C? K in slices: it stores the sums, in rows of the workspace.
bool tma_stores(GemmCall const& call, TileSchedule const& s) {
  if (s.slices > 1) return call.stride_c.col == 1;
  auto const& e = call.epilogue;
  bool const linear = !e.bias && e.activation == Activation::none;
  bool const takes_residual = !e.has_residual || (call.beta == 0 && tma_takes(call, e.stride_residual));
  return tma_takes(call, call.stride_c) && takes_residual && (bytes_of(call.out) == 2 || linear);
}
/// Matrices of C's extents that the epilogue reads: C with beta, and the residual.
int matrices_added(GemmCall const& call) { return int(call.beta != 0) + int(call.epilogue.has_residual); }

/// Bytes of A and B that memory gives if L2 keeps what a wave of tiles reads, and nothing of the wave before.
struct BytesRead {
  double alone, shared;  ///< that one tile of the wave reads, and that several read
};
BytesRead bytes_read(GemmCall const& call, TileOfBlock const& tile, TileSchedule const& s, int at_once) {
  // a wave is `group` tiles high, or as high as C, and as wide as its tiles make it
  double const wave = std::min(at_once, s.tiles_m * s.tiles_n), all_m = s.tiles_m, all_n = s.tiles_n;
  double const high = std::min({double(s.group), wave, all_m}), wide = std::min(all_n, std::ceil(wave / high));
  double const waves = std::ceil(all_m * all_n / wave), rows = double(call.k) * double(call.batch) * operand_bytes;
  double const a = std::max(double(call.m), waves * high * tile.m) * rows,
               b = std::max(double(call.n), waves * wide * tile.n) * rows;
  return {(wide > 1 ? 0 : a) + (high > 1 ? 0 : b), (wide > 1 ? a : 0) + (high > 1 ? b : 0)};
}

}  // namespace

bool tma_takes(GemmCall const& call, Strides const& stride) {
  std::int64_t const bytes = bytes_of(call.out);
  return stride.col == 1 && call.n * bytes % 16 == 0 && stride.row * bytes % 16 == 0;
}

// [model]
double predicted(GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
  DeviceTimes const& device = times_here();
  std::string const tile = choice.name.substr(0, choice.name.find('+'));  // without copies
  auto const row = std::find_if(device.tiles.begin(), device.tiles.end(),
                                [&](TileTimes const& each) { return each.tile == tile; });
  if (row == device.tiles.end()) return std::numeric_limits<double>::infinity();
  TileTimes const& t = *row;
  MachineTimes const& machine = device.machine;
  int const tiles = s.tiles(), rounds = (tiles + choice.at_once - 1) / choice.at_once;
  double const all_units = machine_for(call).compute_units, blocks = std::round(all_units / choice.at_once);

  // A step takes what its unit needs, and what L2 needs for all units that work: less in the last round of tiles. The
  // power limit lowers the clock: products, without those with zeros outside of the matrices, take power, and so do the
  // copies, of which small tiles need more.
  Place const a = place_of(t, call.a, call.stride_a, call.m, choice.row_a, choice.copies_a),
              b = place_of(t, call.b, call.stride_b, call.n, choice.row_b, choice.copies_b);
  double const inside = double(call.m) * double(call.n) / (double(s.tiles_m) * s.tiles_n),  // elements of a tile
      full = beside(step_of(t, a, b), choice.at_once * inside * choice.tile.k * t.product);
  double const requests = (choice.tile.m * a.requests + choice.tile.n * b.requests) / blocks;
  double const alone = std::min(full, std::max(t.alone, requests * machine.request));
  double const share = (tiles - double(rounds - 1) * choice.at_once) / choice.at_once;
  double const last = std::sqrt(alone * alone + (full * full - alone * alone) * share * share);
  // Rows that read on take longer the more blocks have an operand's last tile.
  int const last_tiles = (a.reads_on ? s.tiles_n : 0) + (b.reads_on ? s.tiles_m : 0);
  double const on = double(last_tiles) * s.batches * s.slices / rounds * choice.tile.k * machine.read_on;

  // A tile of few steps waits for its first copies and its store: between one step and few, a line of its own.
  auto const tile_of = [&](double one, double begin, double step) {
    double const few = begin + few_steps * step, k = s.slice_k_tiles;
    return std::max(begin + k * step, one + (k - 1) / (few_steps - 1) * (few - one));
  };
  bool const threads_store = !tma_stores(call, s);
  int const how = call.stride_c.col == 1 ? 0 : call.stride_c.col * bytes_of(call.out) % 16 == 0 ? 1 : 2;
  double const by_threads = threads_store ? t.by_threads[how] : 0, between = threads_store ? t.threads_between[how] : 0;
  double const round = std::max(tile_of(t.shortest, t.between, full + on) + between, t.shortest + by_threads);
  double const kernel = tile_of(t.one, t.begin, last + on) + (rounds - 1) * round + by_threads;

  // Memory gives each round what its units ask for: the last round may have too few of them to keep memory busy.
  auto const [alone_bytes, shared_bytes] = bytes_read(call, choice.tile, s, choice.at_once);
  auto const read = [&](double of_all, double of_round) {
    double const units = of_round * all_units / choice.at_once;
    int const reading = 3 * units <= all_units ? 0 : 2 * units <= all_units ? 1 : 2;
    return of_all * std::max(alone_bytes * machine.read_byte + shared_bytes * machine.shared_byte,
                             (alone_bytes + shared_bytes) * machine.unit_byte[reading] / units);
  };
  double const before = double(rounds - 1) * choice.at_once, rest = tiles - before;
  double const operands = (rounds > 1 ? read(before / tiles, choice.at_once) : 0) + read(rest / tiles, rest);
  double const sums = double(call.m) * double(call.n) * double(call.batch),
               bytes_stored = s.slices > 1 ? 4.0 * s.slices : double(bytes_of(call.out));
  double const bytes_added = s.slices > 1 ? 0 : double(bytes_of(call.out)) * matrices_added(call);
  bool const in_parts = threads_store && (how == 0 ? s.group > few_rows_of_tiles : how == 2);
  double const write_byte = in_parts ? machine.parts_byte : machine.write_byte;
  double const memory = t.begin + operands + sums * (bytes_stored * write_byte + bytes_added * machine.read_byte);

  // Memory works at the same time.
  double seconds = beside(kernel, memory);

  // One kernel makes both copies.
  double const copied = double(choice.copies_a ? call.m : 0) + double(choice.copies_b ? call.n : 0);
  if (copied > 0)
    seconds += beside(machine.copy, copied * double(call.k) * double(call.batch) * operand_bytes * machine.copy_byte);
  if (s.slices > 1) {
    bool const transposed = call.stride_c.col != 1;
    seconds += (transposed ? machine.transposed_begin : machine.second_begin) +
               sums * (4 * s.slices + double(bytes_of(call.out))) *
                   (transposed ? machine.transposed_byte : machine.second_byte);
  }
  return seconds;
}
// [model]

}  // namespace tilestep
