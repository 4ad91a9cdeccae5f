#pragma once
// The solution: two tiles are requested before the loop, and one in each pass, behind the barrier.

#include <tilestep/backend/async.hpp>   // async_wait
#include <tilestep/backend/kernel.hpp>  // sync_threads

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1. While a tile is multiplied, the two after it have been requested; a wait leaves the
/// newer of them in flight; and there is one barrier for each tile.
///   send(tile)        issues this thread's copy of its part of a tile, to place tile % 3 in shared memory, and closes
///   the group
///   multiply(tile)    reads what other threads copied there
///   async_wait<1, 1>  waits until one group of one copy is in flight at most; async_wait<0>() until none is
template <class Send, class Multiply>
TS_DEVICE void multiply_all(int tiles, Send const& send, Multiply const& multiply) {
  for (int tile = 0; tile < 2 && tile < tiles; ++tile) send(tile);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) async_wait<1, 1>();
    else async_wait<0>();  // no newer tile has been requested: the one that may stay in flight would be this one
    sync_threads();        // every thread's part of the tile has arrived, and all threads have read the tile before
    if (tile + 2 < tiles) send(tile + 2);
    multiply(tile);
  }
}

}  // namespace tilestep
