// Draws the waves of a small problem on a small machine by asking the kernels' schedules.
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/harness/gemm_schedule.hpp>    // schedule_for
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <string>  // captions
#include <vector>  // grids

namespace tilestep {

namespace {

constexpr int units = 8;        // multiprocessors of the machine
constexpr int most_slices = 4;  // columns for the time of a whole tile

/// Ten tiles of C on eight multiprocessors: a row for each, and time to the right in quarters of a tile's.
Grid in_time(int slices, std::string const& caption) {
  GemmCall call;
  call.target = "sm90";
  call.units = units;
  call.m = 5 * 128, call.n = 2 * 256, call.k = 4096;
  TileSchedule const s = schedule_for(call, {128, 256, 32, 1}, {.split_k = slices});
  int const length = most_slices / s.slices;  // of a block, in columns
  int const waves = (s.tiles() + units - 1) / units;
  Grid grid(units, waves * length);
  for (int number = 0; number < s.tiles(); ++number) {
    auto const [m, n, batch, slice] = tile_coord(number, s);
    std::string const tile = "C" + to_string(make_coord(m, n));
    for (int column = 0; column < length; ++column) {
      Cell& cell = grid.at(number % units, number / units * length + column);
      cell = {
          std::to_string(number),
          "block " + std::to_string(number) + ": " + tile + (s.slices > 1 ? ", slice " + std::to_string(slice) : ""),
          number / units};
    }
  }
  grid.caption = caption;
  grid.row_axis = "multiprocessor";
  grid.col_axis = "time, in quarters of a tile's";
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"tail", to_svg({in_time(1, "K whole: two waves"), in_time(4, "K in four slices: five waves")})}};
}

}  // namespace tilestep
