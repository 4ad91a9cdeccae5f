#pragma once
// What asynchronous copies tell the virtual GPU: that a thread issues one, closes a group, waits. Until the wait the
// destination holds poison.

#include <tilestep/backend/virtual_gpu/record.hpp>      // SharedView, GlobalView
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>  // Collective

#include <cstdint>  // std::uintptr_t

namespace tilestep::virtual_gpu {

/// One end of a copy: where it is, and the view of its pointer.
template <class View>
struct CopyEnd {
  View* view;
  std::uintptr_t address;
};

/// The thread that runs issues a copy of `bytes` bytes, or of zeros where `active` is false. A target without such
/// copies is a hazard, and the thread goes no further.
void issue_thread_copy(CopyEnd<SharedView> to, CopyEnd<GlobalView> from, int bytes, bool active);

/// The same as a lane's part of its warp's copy.
void issue_lane_copy(CopyEnd<SharedView> to, CopyEnd<GlobalView> from, int bytes, bool active);

/// What a lane brings to its warp's copy.
struct WarpDestination {
  std::uintptr_t address;  // of lane 0's element, from every lane
  int bytes;               // of one lane
};

/// Checks that the target has such copies and that all lanes name one destination; it leaves lane 0's in each, or 0
/// where the target lacks them.
extern Collective const warp_destination;

[[noreturn]] void no_warp_copies();

/// Closes the group of the thread's copies since the last one.
void commit_copies();

/// The thread waits until only the newest `groups` groups of its copies, or groups * copies_per_group copies on a
/// target that counts copies, are in flight.
void wait_for_copies(int groups, int copies_per_group);

}  // namespace tilestep::virtual_gpu
