#pragma once
// Which tile a block has. It is the same for all threads of the block, and so is the address at which the tile begins:
// on AMD GPUs both belong in scalar registers. But the compiler divides in vector registers, and may keep there what it
// computes from the quotient, unless the code says that all threads have the same value.

#include <tilestep/backend/kernel.hpp>  // block_index, uniform
#include <tilestep/core.hpp>            // idx2crd, transform

namespace tilestep {

/// The coordinate of this block in a grid. @param grid (m,n,batch), how many blocks there are in each mode
template <class Grid>
TS_DEVICE TS_INLINE auto block_coord(Grid const& grid) {
  return transform(idx2crd(block_index(), grid), [](auto const& c) { return uniform(c); });
}

}  // namespace tilestep
