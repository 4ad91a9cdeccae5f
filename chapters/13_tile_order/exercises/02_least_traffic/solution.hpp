#pragma once
// The solution: every group is tried. What a wave reads is counted as in the chapter: its rows and columns of tiles.

#include <tilestep/block/schedule.hpp>  // grouped_tile

#include <algorithm>  // std::min
#include <cstdint>    // counts
#include <set>        // distinct tiles

namespace tilestep {

/// A product on a GPU with one L2.
struct Grid {
  int tiles_m, tiles_n;  // of C
  int blk_m, blk_n;      // elements of a tile
  int wave;              // blocks that run at once
};

/// Rows of A and B that all waves read together.
inline std::int64_t traffic(Grid const& g, int group) {
  std::int64_t sum = 0;
  for (int first = 0; first < g.tiles_m * g.tiles_n; first += g.wave) {
    std::set<int> rows, columns;
    for (int number = first; number < std::min(first + g.wave, g.tiles_m * g.tiles_n); ++number) {
      auto const [m, n] = grouped_tile(number, g.tiles_m, g.tiles_n, group);
      rows.insert(m);
      columns.insert(n);
    }
    sum += std::int64_t(rows.size()) * g.blk_m + std::int64_t(columns.size()) * g.blk_n;
  }
  return sum;
}

/// Rows of tiles that are walked together, 1 .. tiles_m.
inline int group_of(Grid const& g) {
  int best = 1;
  for (int group = 2; group <= g.tiles_m; ++group) {
    if (traffic(g, group) < traffic(g, best)) best = group;
  }
  return best;
}

}  // namespace tilestep
