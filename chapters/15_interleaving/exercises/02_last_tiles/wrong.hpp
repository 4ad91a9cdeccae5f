#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The wait still stands behind the barrier. Says: race
// 2. No empty groups: the last tile is in flight when it is read. Says: copy in flight
// 3. A second barrier behind the products. Says: barriers: 18, at most 9 are allowed
// 4. Waits for all copies: none is in flight while a tile is multiplied. Says: a wait leaves 0 groups in flight

#include <tilestep/backend/async.hpp>         // async_commit, async_wait
#include <tilestep/backend/kernel.hpp>        // sync_threads
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1 from a ring of three stages.
template <class Send, class Multiply>
TS_DEVICE void multiply_all(int tiles, Send const& send, Multiply const& multiply) {
  for (int tile = 0; tile < 2; ++tile) {
    for (int i = 0; i < 4 && tile < tiles; ++i) send(tile, i);
    async_commit();
  }
  for (int tile = 0; tile < tiles; ++tile) {
    if (wrong_answer(1)) sync_threads();
    if (wrong_answer(4)) async_wait<0, 4>();
    else async_wait<1, 4>();
    if (!wrong_answer(1)) sync_threads();
    for (int i = 0; i < 4; ++i) {
      multiply(tile, i);
      if (tile + 2 < tiles) send(tile + 2, i);
    }
    if (!wrong_answer(2) || tile + 2 < tiles) async_commit();
    if (wrong_answer(3)) sync_threads();
  }
}

}  // namespace tilestep
