// The maps from numbers to tiles: bijections for grids of any size, neighbours where they should be, and the traffic
// that an order causes.

#include <tilestep/block/schedule.hpp>         // what is tested
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for, traffic_of

#include <catch2/catch_test_macros.hpp>  // TEST_CASE
#include <rapidcheck.h>                  // random grids

#include <set>     // tiles that were taken
#include <string>  // targets
#include <tuple>   // a tile
#include <vector>  // an order

using namespace tilestep;

namespace {

int any(int first, int last) { return *rc::gen::inRange(first, last + 1); }

TileSchedule any_schedule() {
  TileSchedule s;
  s.tiles_m = any(1, 20);
  s.tiles_n = any(1, 20);
  s.batches = any(1, 3);
  s.slices = any(1, 4);
  s.group = any(1, s.tiles_m);
  s.dies = any(1, 9);
  s.blocks = any(1, s.tiles());
  return s;
}

GemmCall problem(std::string const& target, std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmCall call;
  call.target = target;
  call.dtype = DType::f16;
  call.m = m, call.n = n, call.k = k;
  return call;
}

template <class Coord>
std::tuple<int, int> pair_of(Coord const& c) { return {get<0>(c), get<1>(c)}; }

constexpr TileOfBlock large{128, 256, 32, 1};

}  // namespace

TEST_CASE("groups give each tile of any grid one number, the last group included", "[schedule]") {
  CHECK(rc::check("grouped_tile is a bijection", [] {
    int const tiles_m = any(1, 60), tiles_n = any(1, 60), group = any(1, tiles_m);
    std::set<std::tuple<int, int>> seen;
    for (int number = 0; number < tiles_m * tiles_n; ++number) {
      auto const [m, n] = grouped_tile(number, tiles_m, tiles_n, group);
      RC_ASSERT(m >= 0 && m < tiles_m && n >= 0 && n < tiles_n);
      RC_ASSERT(seen.insert({m, n}).second);
    }
  }));
}

TEST_CASE("a group is walked down each column before the next, and then the next group", "[schedule]") {
  std::vector<std::tuple<int, int>> order;
  for (int number = 0; number < 15; ++number) order.push_back(pair_of(grouped_tile(number, 5, 3, 2)));
  CHECK(order == std::vector<std::tuple<int, int>>{{0, 0},
                                                   {1, 0},
                                                   {0, 1},
                                                   {1, 1},
                                                   {0, 2},
                                                   {1, 2},
                                                   {2, 0},
                                                   {3, 0},
                                                   {2, 1},
                                                   {3, 1},
                                                   {2, 2},
                                                   {3, 2},
                                                   {4, 0},
                                                   {4, 1},
                                                   {4, 2}});
}

TEST_CASE("groups of one row are rows, a group of all rows is columns", "[schedule]") {
  for (int number = 0; number < 35; ++number) {
    CHECK(pair_of(grouped_tile(number, 5, 7, 1)) == std::tuple(number / 7, number % 7));
    CHECK(pair_of(grouped_tile(number, 5, 7, 5)) == std::tuple(number % 5, number / 5));
  }
}

static_assert(get<0>(grouped_tile(14, 5, 3, 2)) == 4 && get<1>(grouped_tile(14, 5, 3, 2)) == 2);
static_assert(neighbours_on_die(8, 10, 4) == 2 && neighbours_on_die(1, 10, 4) == 3 &&
              neighbours_on_die(9, 10, 4) == 5 && neighbours_on_die(3, 10, 4) == 8);

TEST_CASE("the numbers of a die are neighbours, and each number is given once, whatever the counts", "[schedule]") {
  CHECK(rc::check("neighbours_on_die is a bijection with a run for each die", [] {
    int const count = any(1, 700), dies = any(1, 17);
    std::set<int> seen;
    for (int number = 0; number < count; ++number) {
      int const mine = neighbours_on_die(number, count, dies);
      RC_ASSERT(mine >= 0 && mine < count);
      RC_ASSERT(seen.insert(mine).second);
      if (number >= dies) RC_ASSERT(mine == neighbours_on_die(number - dies, count, dies) + 1);
    }
  }));
}

TEST_CASE("every tile of every batch and slice is taken by one block in one turn", "[schedule]") {
  CHECK(rc::check("turns of blocks cover the tiles", [] {
    TileSchedule const s = any_schedule();
    std::set<std::tuple<int, int, int, int>> seen;
    for (int block = 0; block < s.blocks; ++block) {
      RC_ASSERT(turns(block, s) >= 1);
      for (int turn = 0; turn < turns(block, s); ++turn) {
        auto const [m, n, batch, slice] = tile_coord(tile_number(block, turn, s), s);
        RC_ASSERT(m >= 0 && m < s.tiles_m && n >= 0 && n < s.tiles_n && batch >= 0 && batch < s.batches && slice >= 0 &&
                  slice < s.slices);
        RC_ASSERT(seen.insert({m, n, batch, slice}).second);
      }
    }
    RC_ASSERT(int(seen.size()) == s.tiles());
  }));
}

TEST_CASE("schedules of real problems have a number for each tile and slices that cover K", "[schedule]") {
  CHECK(rc::check("schedule_for covers the problem", [] {
    GemmCall const call = problem(*rc::gen::element<std::string>("sm80", "sm90", "gfx942", "gfx1100"), any(0, 5000),
                                  any(0, 5000), any(0, 5000));
    ScheduleOptions options;
    options.split_k = any(0, 9);
    options.group = any(0, 40);
    options.persistent = any(0, 1) == 1;
    TileSchedule const s = schedule_for(call, large, options);
    RC_ASSERT(std::int64_t(s.tiles_m) * 128 >= call.m && std::int64_t(s.tiles_n) * 256 >= call.n);
    RC_ASSERT(std::int64_t(s.slices) * s.slice_k_tiles * 32 >= call.k);
    RC_ASSERT(s.slices >= 1 && s.group >= 1 && s.blocks <= s.tiles() && (s.blocks > 0) == (s.tiles() > 0));
  }));
}

TEST_CASE("K is split so that each compute unit has a block, if a slice keeps 1024 elements of K", "[schedule]") {
  auto const slices = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return schedule_for(problem("sm90", m, n, k), large, {}).slices;
  };
  CHECK(slices(4096, 4096, 4096) == 1);
  CHECK(slices(1024, 1024, 8192) == 4);
  CHECK(slices(1024, 1024, 2048) == 2);
  CHECK(slices(1024, 1024, 1024) == 1);
  CHECK(slices(128, 256, 1 << 20) == 64);
  CHECK(slices(128, 256, 0) == 1);
  CHECK(slices(0, 256, 8192) == 1);
}

TEST_CASE("groups have about eight rows and are of one height", "[schedule]") {
  auto const group = [](std::int64_t m) { return schedule_for(problem("sm90", m, 8192, 8192), large, {}).group; };
  CHECK(group(8192) == 8);
  CHECK(group(17 * 128) == 6);  // 6, 6 and 5 rows, not 8, 8 and 1
  CHECK(group(100) == 1);
}

TEST_CASE("what a wave touches is least where its tiles are nearly square", "[schedule]") {
  auto const rows_of_a_and_b = [](std::string const& order, int group) {
    ScheduleOptions options;
    options.order = order;
    options.group = group;
    ScheduleTraffic const t = traffic_of(schedule_for(problem("sm90", 8192, 8192, 8192), large, options), 132, 1);
    CHECK(t.waves == 16);
    return t.tiles_of_a * 128 + t.tiles_of_b * 256;
  };
  auto const by_row = rows_of_a_and_b("rows", 0), by_8 = rows_of_a_and_b("grouped", 8),
             by_16 = rows_of_a_and_b("grouped", 16), by_column = rows_of_a_and_b("grouped", 64);
  CHECK(by_8 < by_row);
  CHECK(by_16 < by_8);
  CHECK(by_16 < by_column);
}

TEST_CASE("On several dies neighbouring tiles share an L2 only where they are remapped", "[schedule]") {
  auto const tiles = [](std::string const& order) {
    ScheduleOptions options;
    options.order = order;
    ScheduleTraffic const t =
        traffic_of(schedule_for(problem("gfx942", 8192, 8192, 8192), {256, 128, 32, 2}, options), 608, 8);
    return t.tiles_of_a + t.tiles_of_b;
  };
  CHECK(tiles("xcd") < tiles("grouped"));
}
