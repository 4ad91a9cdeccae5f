#pragma once
// The exercise: repair a loop that multiplies a tile while the copies of a later one are in flight. Two lines are in
// the wrong place or under the wrong condition: one shows in every tile, the other at the end of K.

#include <tilestep/backend/async.hpp>   // async_commit, async_wait
#include <tilestep/backend/kernel.hpp>  // sync_threads

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1 from a ring of three stages. Wanted: the copies of two later tiles are in flight
/// while a tile is multiplied, one barrier stands in front of each tile, and no wait is longer than async_wait<1, 4>.
///   send(tile, i)      issues this thread's copy i = 0 .. 3 of a tile, to stage tile % 3
///   multiply(tile, i)  multiplies quarter i of a tile; it reads what all threads copied
template <class Send, class Multiply>
TS_DEVICE void multiply_all(int tiles, Send const& send, Multiply const& multiply) {
  for (int tile = 0; tile < 2; ++tile) {
    for (int i = 0; i < 4 && tile < tiles; ++i) send(tile, i);
    async_commit();
  }
  for (int tile = 0; tile < tiles; ++tile) {
    sync_threads();
    async_wait<1, 4>();  // one group may stay in flight
    for (int i = 0; i < 4; ++i) {
      multiply(tile, i);
      if (tile + 2 < tiles) send(tile + 2, i);
    }
    if (tile + 2 < tiles) async_commit();
  }
}

}  // namespace tilestep
