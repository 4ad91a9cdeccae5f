// Grades the exercise: what the reader's groups read from memory, by the model of `--plan`, beside the best group.

#include EXERCISE_HEADER

#include <tilestep/harness/gemm_schedule.hpp>  // traffic_of

#include <cstdio>  // messages

using namespace tilestep;

namespace {

/// Rows of A and B that come from memory.
std::int64_t rows_read(Grid const& g, int group) {
  TileSchedule s;
  s.tiles_m = g.tiles_m, s.tiles_n = g.tiles_n, s.group = group;
  ScheduleTraffic const traffic = traffic_of(s, g.wave, 1);
  return traffic.tiles_of_a * g.blk_m + traffic.tiles_of_b * g.blk_n;
}

bool check(Grid const& g) {
  int const group = group_of(g);
  std::printf("%d x %d tiles of %d x %d", g.tiles_m, g.tiles_n, g.blk_m, g.blk_n);
  if (group < 1 || group > g.tiles_m) {
    std::printf(": a group of %d rows, where there are 1 to %d\n", group, g.tiles_m);
    return false;
  }
  int best = 1;
  for (int other = 2; other <= g.tiles_m; ++other) {
    if (rows_read(g, other) < rows_read(g, best)) best = other;
  }
  double const more = 100.0 * double(rows_read(g, group)) / double(rows_read(g, best)) - 100;
  std::printf(", %d at once, in groups of %d: %.0f percent more than the best\n", g.wave, group, more);
  return more <= 4;
}

}  // namespace

int main() {
  for (Grid const& g : {Grid{64, 32, 128, 256, 132}, Grid{32, 16, 128, 256, 132}, Grid{8, 64, 128, 256, 132},
                        Grid{32, 64, 256, 128, 76}, Grid{5, 300, 128, 128, 132}, Grid{300, 5, 128, 128, 132},
                        Grid{17, 23, 128, 128, 66}, Grid{40, 40, 128, 256, 132}, Grid{21, 33, 128, 128, 108},
                        Grid{1, 50, 128, 128, 132}}) {
    if (!check(g)) return 1;
  }
  std::puts("right: no group reads 4 percent less");
  return 0;
}
