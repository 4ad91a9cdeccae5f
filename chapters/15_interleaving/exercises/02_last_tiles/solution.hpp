#pragma once
// The solution: a thread waits for its own copies, then the barrier tells it that the others did. A group is committed
// for each tile, an empty one where nothing is left to send: so one group in flight always means the next tile's.

#include <tilestep/backend/async.hpp>   // async_commit, async_wait
#include <tilestep/backend/kernel.hpp>  // sync_threads

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1 from a ring of three stages.
///   send(tile, i)      issues this thread's copy i = 0 .. 3 of a tile, to stage tile % 3
///   multiply(tile, i)  multiplies quarter i of a tile; it reads what all threads copied
template <class Send, class Multiply>
TS_DEVICE void multiply_all(int tiles, Send const& send, Multiply const& multiply) {
  for (int tile = 0; tile < 2; ++tile) {
    for (int i = 0; i < 4 && tile < tiles; ++i) send(tile, i);
    async_commit();
  }
  for (int tile = 0; tile < tiles; ++tile) {
    async_wait<1, 4>();  // this thread's copies of the tile have landed
    sync_threads();      // all threads' copies of it have landed, and all threads have read the tile before
    for (int i = 0; i < 4; ++i) {
      multiply(tile, i);
      if (tile + 2 < tiles) send(tile + 2, i);
    }
    async_commit();  // an empty group at the end of K, so that the wait need not change
  }
}

}  // namespace tilestep
