// Draws orders of tiles by asking the kernels' schedules.
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/harness/gemm_schedule.hpp>    // schedule_for, machine_of
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <functional>  // what colours a cell
#include <string>      // captions
#include <vector>      // grids

namespace tilestep {

namespace {

/// Every tile of an M = N = K = 4096 with the number of its block.
Grid picture(std::string const& target, TileOfBlock const& tile, ScheduleOptions const& options,
             std::string const& caption, std::function<Cell(int, int)> const& cell) {
  GemmCall call;
  call.target = target;
  call.m = call.n = call.k = 4096;
  TileSchedule const s = schedule_for(call, tile, options);
  Grid grid(s.tiles_m, s.tiles_n);
  for (int number = 0; number < s.tiles(); ++number) {
    auto const [m, n, batch, slice] = tile_coord(number, s);
    grid.at(m, n) = cell(number, machine_of(target).compute_units * tile.resident);
    grid.at(m, n).title = "C" + to_string(make_coord(m, n)) + ": " + grid.at(m, n).title;
  }
  grid.caption = caption;
  grid.row_axis = "tile m";
  grid.col_axis = "tile n";
  return grid;
}

Grid waves(std::string const& order, int group, std::string const& caption) {
  Grid grid = picture("sm90", {128, 256, 32, 1}, {.order = order, .group = group}, caption, [](int number, int slots) {
    int const wave = number / slots;
    return Cell{std::to_string(number), "block " + std::to_string(number) + ", wave " + std::to_string(wave), wave};
  });
  if (group > 1) grid.tile_rows = group;
  return grid;
}

Grid dies(std::string const& order, std::string const& caption) {
  return picture("gfx942", {256, 128, 32, 2}, {.order = order, .group = 8}, caption, [](int number, int) {
    int const die = number % machine_of("gfx942").dies;
    return Cell{std::to_string(number), "block " + std::to_string(number) + ", die " + std::to_string(die), die};
  });
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"waves", to_svg({waves("rows", 0, "row by row"), waves("grouped", 16, "groups of 16 rows")})},
          {"dies", to_svg({dies("grouped", "groups of 8 rows"), dies("xcd", "groups of 8 rows, remapped")})}};
}

}  // namespace tilestep
