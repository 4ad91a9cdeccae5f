#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The mbarrier counts every thread. Says: deadlock
// 2. Expects the bytes of rows that are inside. Says: byte count
// 3. No barrier before the next box. Says: copy in flight
// 4. Waits for parity 0 each time. Says: copy in flight
// 5. No fence between making the mbarrier and TMA. Says: missing fence

#include <tilestep/backend/kernel.hpp>    // thread_index, sync_threads
#include <tilestep/backend/mbarrier.hpp>  // mbarrier_init, mbarrier_wait
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Adds the boxes of a matrix of `rows` rows and 32 columns of floats, 8 rows in each; some rows of the last box may
/// lie outside. Each box takes the place of the one before. All 64 threads of the block call it.
///   full       an mbarrier that nobody has made yet
///   send(box)  issues the copy of a whole box, which arrives at `full`; one thread calls it
///   add(box)   reads the box; all threads call it
template <class Send, class Add>
TS_DEVICE void add_boxes(int rows, SharedPtr<Mbarrier> full, Send const& send, Add const& add) {
  if (thread_index() == 0) {
    mbarrier_init(full, wrong_answer(1) ? 64 : 1);
    if (!wrong_answer(5)) fence_mbarrier_init();
  }
  sync_threads();  // one thread made the mbarrier before any uses it
  for (int box = 0; box * 8 < rows; ++box) {
    if (thread_index() == 0) {
      int const inside = wrong_answer(2) && rows - box * 8 < 8 ? rows - box * 8 : 8;
      mbarrier_arrive_expect(full, inside * 32 * int(sizeof(float)));
      send(box);
    }
    mbarrier_wait(full, wrong_answer(4) ? 0 : box % 2);
    add(box);
    if (!wrong_answer(3)) sync_threads();
  }
}

}  // namespace tilestep
