#pragma once
// The solution: one thread arrives, so the mbarrier counts one arrival. A box has all its bytes, those of rows outside
// are zeros that TMA writes. And a box is sent for when all threads have read the one in its place.

#include <tilestep/backend/kernel.hpp>    // thread_index, sync_threads
#include <tilestep/backend/mbarrier.hpp>  // mbarrier_init, mbarrier_wait

namespace tilestep {

/// Adds the boxes of a matrix of `rows` rows and 32 columns of floats, 8 rows in each; some rows of the last box may
/// lie outside. Each box takes the place of the one before. All 64 threads of the block call it.
///   full       an mbarrier that nobody has made yet
///   send(box)  issues the copy of a whole box, which arrives at `full`; one thread calls it
///   add(box)   reads the box; all threads call it
template <class Send, class Add>
TS_DEVICE void add_boxes(int rows, SharedPtr<Mbarrier> full, Send const& send, Add const& add) {
  if (thread_index() == 0) {
    mbarrier_init(full, 1);
    fence_mbarrier_init();
  }
  sync_threads();  // one thread made the mbarrier before any uses it
  for (int box = 0; box * 8 < rows; ++box) {
    if (thread_index() == 0) {
      mbarrier_arrive_expect(full, 8 * 32 * int(sizeof(float)));
      send(box);
    }
    mbarrier_wait(full, box % 2);
    add(box);
    sync_threads();  // all threads have read the box before the next one takes its place
  }
}

}  // namespace tilestep
