#pragma once
// What a table of choices is made of. docs/tools/tune.py writes the tables from records of --tune; a problem takes the row nearest to it.

#include <tilestep/harness/types.hpp>  // DType

#include <cstdint>  // std::int64_t

namespace tilestep {

/// The fastest of the candidates for one problem, as measured.
struct TableRow {
  DType dtype;
  char const* layout;
  std::int64_t m, n, k;
  char const* tile;  ///< the name of a tile
  int split_k;       ///< slices of K
  int group;         ///< rows of tiles that are walked together; 0: as many as the schedule suggests
};

}  // namespace tilestep
