#pragma once
// The solution: half is rounded up, so that the slice in the middle of an odd number stays for the next round, and a
// barrier ends each round.

#include <tilestep/backend/kernel.hpp>  // sync_threads

namespace tilestep {

/// Adds the slices of each element in pairs. @param sums  (element,slice) in shared memory
///   element, slice: the thread's; all threads of the block call this together, and all of them wrote sums before
///   round by round: with `left` slices still to add and half = left / 2, rounded up, slice s + half is added to slice
///   s the next round has half slices left; with one left, sums(element,0) is the sum the sums of a round are read by
///   other threads in the next
template <class Sums> TS_DEVICE void add_pairwise(Sums const& sums, int element, int slice, int slices) {
  for (int left = slices; left > 1;) {
    int const half = (left + 1) / 2;
    if (slice + half < left) sums(element, slice) = sums(element, slice) + sums(element, slice + half);
    sync_threads();  // all threads wrote the sums of this round before any reads them in the next
    left = half;
  }
}

}  // namespace tilestep
