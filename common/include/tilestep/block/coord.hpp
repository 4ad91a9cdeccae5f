#pragma once
// Which tile a block has. All threads of a block agree on it, and so do the addresses that begin at the tile: on AMD
// GPUs they belong in scalar registers. The compiler divides in vector registers, and may leave there what follows from
// a quotient, if it is not told.

#include <tilestep/backend/kernel.hpp>  // block_index, uniform
#include <tilestep/core.hpp>            // idx2crd, transform

namespace tilestep {

/// The coordinate of this block in a grid. @param grid (m,n,batch), how many blocks there are in each mode
template <class Grid>
TS_DEVICE TS_INLINE auto block_coord(Grid const& grid) {
  return transform(idx2crd(block_index(), grid), [](auto const& c) { return uniform(c); });
}

}  // namespace tilestep
