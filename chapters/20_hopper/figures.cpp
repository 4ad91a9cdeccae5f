// Draws roles by asking configurations, and the ring in time by following its rules.

#include "stage_ring.hpp"  // RingPlace, HopperConfig

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <algorithm>  // std::max
#include <string>     // captions
#include <vector>     // grids

namespace tilestep {

namespace {

std::string number(int i) { return std::to_string(i); }

/// What each warp of a block has to do.
template <class Config>
Grid jobs(std::string const& caption) {
  Grid grid(Config::threads / warpgroup_size, 4);
  for (int group = 0; group < grid.rows; ++group) {
    for (int warp = 0; warp < 4; ++warp) {
      if (group == Config::consumers) {
        grid.at(group, warp) = {
            warp == 0 ? "copies\ntiles" : "",
            warp == 0 ? "one thread issues the copies of A and B" : "has nothing to do, but gives its registers",
            warp == 0 ? 1 : -1};
        continue;
      }
      bool const alone = Config::roles == Roles::ping_pong;
      int const row = (alone ? 0 : group * 64) + warp * 16;
      std::string const rows = number(row) + "-" + number(row + 15), lower = number(row + 64) + "-" + number(row + 79);
      std::string const of = alone ? "of its warpgroup's tile of C" : "of the block's tile of C";
      grid.at(group, warp) = {rows + (alone ? "\n" + lower : "\n"),
                              "multiplies and stores rows " + rows + (alone ? " and " + lower : "") + " " + of,
                              2 + group};
    }
  }
  grid.caption = caption;
  grid.row_axis = "warpgroup";
  grid.col_axis = "warp";
  return grid;
}

// The ring in time. A column is what the tensor cores need for a tile of A and B. A tile takes two until it has landed,
// and the store of C two.
constexpr int tasks = 3, k_tiles = 5, to_land = 2, to_store = 2;

struct Step {
  int sent, landed, begin;  ///< columns; it is read during one
};

/// When each tile is copied and read, by the rules of the ring. @param next_block  a tile of C is a block: nothing of
/// it is copied before the one before is stored
/// @par Invariant  a stage is filled when it was read; steps are multiplied one after another; a warpgroup multiplies
///     or stores
std::vector<Step> follow(Roles roles, int stages, bool next_block) {
  std::vector<Step> steps;
  std::vector<int> free_at(roles == Roles::ping_pong ? 2 : 1, 0);  // those who multiply a tile of C
  int begin = 0;
  for (int task = 0; task < tasks; ++task) {
    int& own = free_at[std::size_t(task) % free_at.size()];
    for (int k = 0; k < k_tiles; ++k) {
      int const i = int(steps.size());
      int sent = i >= stages ? steps[std::size_t(i - stages)].begin + 1 : 0;  // when the stage was read
      // by those who multiply, before that step
      if (next_block) sent = k + 1 < stages ? own : steps[std::size_t(i + 1 - stages)].begin;
      begin = std::max({begin, sent + to_land, k == 0 ? own : 0});
      steps.push_back({sent, sent + to_land, begin});
      ++begin;
    }
    own = begin + to_store;
  }
  return steps;
}

template <class Config>
Grid in_time(std::string const& caption, bool next_block) {
  constexpr int stages = Config::stages;
  auto const steps = follow(Config::roles, stages, next_block);
  Grid grid(stages + 2, steps.back().begin + 1 + to_store);
  RingPlace<stages> at;
  for (int i = 0; i < int(steps.size()); ++i, at.advance()) {
    Step const& step = steps[std::size_t(i)];
    int const task = i / k_tiles, k = i % k_tiles;
    if (next_block && k == 0) at = {};  // of a new ring
    std::string const tile = number(task) + "." + number(k),
                      name = "tile " + number(k) + " along K for tile " + number(task) + " of C",
                      place = ", stage " + number(at.stage) + ", which ends a phase of parity " + number(at.parity);
    for (int column = step.sent; column <= step.begin; ++column) {
      if (column < step.landed)
        grid.at(at.stage, column) = {column == step.sent ? tile : "...", name + " is in flight" + place, 1};
      else if (column < step.begin) grid.at(at.stage, column) = {tile, name + " is there" + place, 2};
      else grid.at(at.stage, column) = {tile, name + " is read" + place, 3};
    }
    for (int group = 0; group < 2; ++group) {
      if (Config::roles == Roles::ping_pong && group != task % 2) continue;
      grid.at(stages + group, step.begin) = {tile, "warpgroup " + number(group) + " multiplies " + name, 3};
      if (k + 1 < k_tiles) continue;
      for (int j = 0; j < to_store; ++j)
        grid.at(stages + group, step.begin + 1 + j) = {
            "C " + number(task), "warpgroup " + number(group) + " stores tile " + number(task) + " of C", 5};
    }
  }
  int const busy = int(steps.size()), all = steps.back().begin + 1;
  grid.caption = caption + ": tensor cores work in " + number(busy) + " of " + number(all) + " columns";
  grid.row_axis = "stage; warpgroup";
  grid.col_axis = "time";
  grid.tile_rows = stages;
  return grid;
}

template <int N, int STAGES, Roles ROLES>
using As = HopperConfig<bfloat16_t, 128, N, STAGES, Variant{.roles = ROLES}>;

}  // namespace

std::vector<Figure> chapter_figures() {
  using Producer = As<256, 4, Roles::producer>;
  using PingPong = As<192, 5, Roles::ping_pong>;
  return {{"roles", to_svg({jobs<Producer>("a producer"), jobs<PingPong>("ping-pong")})},
          {"one_role", to_svg(in_time<Producer>("chapter 19, a block for each tile of C", true))},
          {"persistent", to_svg(in_time<Producer>("a producer, persistent", false))},
          {"ping_pong", to_svg(in_time<PingPong>("ping-pong", false))}};
}

}  // namespace tilestep
