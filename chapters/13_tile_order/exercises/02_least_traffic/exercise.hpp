#pragma once
// The exercise: choose the rows of a group so that a product reads little from memory. Eight, as below, reads up to a
// quarter too much.

#include <algorithm>  // std::min

namespace tilestep {

/// A product on a GPU with one L2.
struct Grid {
  int tiles_m, tiles_n;  // of C
  int blk_m, blk_n;      // elements of a tile
  int wave;              // blocks that run at once
};

/// Rows of tiles that are walked together, 1 .. tiles_m. Wanted: at most 4 percent more than the best group reads.
inline int group_of(Grid const& g) { return std::min(8, g.tiles_m); }

}  // namespace tilestep
