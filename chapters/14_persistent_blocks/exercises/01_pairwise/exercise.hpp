#pragma once
// The exercise: the chapter's second pass adds slice 0, then 1, then 2, and so on. Add them in pairs, in shared memory:
// the order is as fixed, and a sum of 16 slices is rounded 4 times in a row instead of 15. This version is wrong for
// most numbers of slices, and its threads read sums that others may not have written yet.

#include <tilestep/backend/kernel.hpp>  // sync_threads

namespace tilestep {

/// Adds the slices of each element in pairs. @param sums  (element,slice) in shared memory
///   element, slice: the thread's; all threads of the block call this together, and all of them wrote sums before
///   round by round: with `left` slices still to add and half = left / 2, rounded up, slice s + half is added to slice
///   s the next round has half slices left; with one left, sums(element,0) is the sum the sums of a round are read by
///   other threads in the next
template <class Sums> TS_DEVICE void add_pairwise(Sums const& sums, int element, int slice, int slices) {
  for (int half = slices / 2; half > 0; half /= 2) {
    if (slice < half) sums(element, slice) = sums(element, slice) + sums(element, slice + half);
  }
}

}  // namespace tilestep
