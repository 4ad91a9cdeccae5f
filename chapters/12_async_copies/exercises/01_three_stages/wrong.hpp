#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The wait leaves a group in flight for the last tile, too. Says: copy in flight
// 2. The copy is issued in front of the barrier. Says: race
// 3. The barrier stands in front of the wait. Says: pass a barrier after the wait for the copy
// 4. All groups are waited for in each pass. Says: a wait leaves 0 groups

#include <tilestep/backend/async.hpp>   // async_wait
#include <tilestep/backend/kernel.hpp>  // sync_threads
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

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
    if (wrong_answer(3)) sync_threads();
    if (wrong_answer(2) && tile + 2 < tiles) send(tile + 2);
    if ((tile + 1 < tiles || wrong_answer(1)) && !wrong_answer(4)) async_wait<1, 1>();
    else async_wait<0>();  // no newer tile has been requested
    if (!wrong_answer(3)) sync_threads();  // all parts of the tile have arrived, and the tile before was read
    if (!wrong_answer(2) && tile + 2 < tiles) send(tile + 2);
    multiply(tile);
  }
}

}  // namespace tilestep
