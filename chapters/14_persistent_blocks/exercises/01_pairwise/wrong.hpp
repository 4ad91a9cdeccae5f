#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Half is rounded down: the slice in the middle is lost. Says: 3 slices: the sum of element
// 2. No barrier between two rounds. Says: race
// 3. Only the threads that add come to the barrier. Says: divergent barrier
// 4. Neighbours are added, 0 and 1, 2 and 3: another order. Says: and should be

#include <tilestep/backend/kernel.hpp>        // sync_threads
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Adds the slices of each element in pairs. @param sums  (element,slice) in shared memory
///   element, slice: the thread's; all threads of the block call this together, and all of them wrote sums before
template <class Sums> TS_DEVICE void add_pairwise(Sums const& sums, int element, int slice, int slices) {
  if (wrong_answer(4)) {
    for (int apart = 1; apart < slices; apart *= 2) {
      if (slice % (2 * apart) == 0 && slice + apart < slices)
        sums(element, slice) = sums(element, slice) + sums(element, slice + apart);
      sync_threads();  // all threads wrote the sums of this round before any reads them in the next
    }
    return;
  }
  for (int left = slices; left > 1;) {
    int const half = wrong_answer(1) ? left / 2 : (left + 1) / 2;
    if (slice + half < left && slice < half) {
      sums(element, slice) = sums(element, slice) + sums(element, slice + half);
      if (wrong_answer(3)) sync_threads();
    }
    // all threads wrote the sums of this round before any reads them in the next
    if (!wrong_answer(2) && !wrong_answer(3)) sync_threads();
    left = half;
  }
}

}  // namespace tilestep
