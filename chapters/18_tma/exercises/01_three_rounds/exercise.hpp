#pragma once
// The exercise: a ring of three stages with mbarriers. The loop below is right for three tiles. With the fourth one the
// ring begins its second round: a stage is filled while other threads may still read it, and the parity is another one.

#include <tilestep/backend/kernel.hpp>  // thread_index, lane_index, sync_warp
#include <tilestep/backend/mbarrier.hpp>  // mbarrier_wait, mbarrier_arrive

namespace tilestep {

/// Adds tiles 0 .. tiles - 1. Wanted: when a tile is added, the two after it have been issued; a stage is filled when
/// both warps have read it, and read when its tile has landed; no barrier stops the block.
///   send(tile)   issues the copy of a tile to stage tile % 3; thread 0 calls it. A phase of `full` ends when the tile
///                has landed
///   add(tile)    reads the stage of the tile; all threads call it
///   full, empty  an mbarrier for each stage; a phase of `empty` ends after two arrivals
template <class Send, class Add>
TS_DEVICE void add_all(int tiles, SharedPtr<Mbarrier> full, [[maybe_unused]] SharedPtr<Mbarrier> empty,
                       Send const& send, Add const& add) {
  for (int tile = 0; tile < tiles; ++tile) {
    if (thread_index() == 0) send(tile);
    mbarrier_wait(full + tile % 3, 0);
    add(tile);
  }
}

}  // namespace tilestep
