#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Waits for parity 0 in every round. Says: copy in flight
// 2. The sender does not wait for `empty`. Says: copy in flight
// 3. Each lane arrives at `empty`, not one of a warp. Says: deadlock
// 4. Issues a tile when it is needed. Says: were added before the two after them had been issued
// 5. Arrives at `empty` before the tile is read. Says: race

#include <tilestep/backend/kernel.hpp>        // thread_index, lane_index, sync_warp
#include <tilestep/backend/mbarrier.hpp>      // mbarrier_wait, mbarrier_arrive
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Adds tiles 0 .. tiles - 1. @param send  send(tile) issues a copy   @param add  add(tile) reads a stage
template <class Send, class Add>
TS_DEVICE void add_all(int tiles, SharedPtr<Mbarrier> full, SharedPtr<Mbarrier> empty, Send const& send,
                       Add const& add) {
  auto const parity_of = [](int tile) { return tile / 3 % 2; };
  auto const send_for = [&](int tile) {
    if (thread_index() != 0 || tile >= tiles) return;
    if (!wrong_answer(2)) mbarrier_wait(empty + tile % 3, parity_of(tile) ^ 1);  // in the first round it has ended
    send(tile);
  };
  int const ahead = wrong_answer(4) ? 0 : 2;
  for (int tile = 0; tile < ahead; ++tile) send_for(tile);
  for (int tile = 0; tile < tiles; ++tile) {
    send_for(tile + ahead);
    mbarrier_wait(full + tile % 3, wrong_answer(1) ? 0 : parity_of(tile));
    if (wrong_answer(5) && lane_index() == 0) mbarrier_arrive(empty + tile % 3);
    add(tile);
    sync_warp();  // all lanes have read
    if (!wrong_answer(5) && (lane_index() == 0 || wrong_answer(3))) mbarrier_arrive(empty + tile % 3);
  }
}

}  // namespace tilestep
