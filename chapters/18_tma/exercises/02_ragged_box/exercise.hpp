#pragma once
// The exercise: repair a loop that copies the boxes of a ragged matrix to shared memory by TMA, one after another to
// the same place. Three lines are wrong, or missing. The virtual GPU names one after the other.

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
    mbarrier_init(full, 64);
    fence_mbarrier_init();
  }
  sync_threads();  // one thread made the mbarrier before any uses it
  for (int box = 0; box * 8 < rows; ++box) {
    if (thread_index() == 0) {
      int const inside = rows - box * 8 < 8 ? rows - box * 8 : 8;
      mbarrier_arrive_expect(full, inside * 32 * int(sizeof(float)));
      send(box);
    }
    mbarrier_wait(full, box % 2);
    add(box);
  }
}

}  // namespace tilestep
