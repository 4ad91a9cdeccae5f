#pragma once
// The exercise: a ring of three stages. The loop below is right, and hides nothing: no tile is in flight while one is
// multiplied.

#include <tilestep/backend/async.hpp>   // async_wait
#include <tilestep/backend/kernel.hpp>  // sync_threads

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1. Wanted: while a tile is multiplied, the two after it have been requested; a wait
/// leaves the newer of them in flight; and there is one barrier for each tile.
///   send(tile)        issues this thread's copy of its part of a tile, to place tile % 3 in shared memory, and closes
///   the group
///   multiply(tile)    reads what other threads copied there
///   async_wait<1, 1>  waits until one group of one copy is in flight at most; async_wait<0>() until none is
template <class Send, class Multiply>
TS_DEVICE void multiply_all(int tiles, Send const& send, Multiply const& multiply) {
  for (int tile = 0; tile < tiles; ++tile) {
    send(tile);
    async_wait<0>();
    sync_threads();  // every thread's part of the tile has arrived
    multiply(tile);
    sync_threads();  // all threads have read the tile
  }
}

}  // namespace tilestep
