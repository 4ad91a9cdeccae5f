#pragma once
// The solution: tile t ends phase t / 3 of both mbarriers of its stage, and the sender waits for the phase before.

#include <tilestep/backend/kernel.hpp>    // thread_index, lane_index, sync_warp
#include <tilestep/backend/mbarrier.hpp>  // mbarrier_wait, mbarrier_arrive

namespace tilestep {

/// Adds tiles 0 .. tiles - 1. When a tile is added, the two after it have been issued; a stage is filled when both
/// warps have read it, and read when its tile has landed; no barrier stops the block.
///   send(tile)   issues the copy of a tile to stage tile % 3; thread 0 calls it. A phase of `full` ends when the tile
///                has landed
///   add(tile)    reads the stage of the tile; all threads call it
///   full, empty  an mbarrier for each stage; a phase of `empty` ends after two arrivals
template <class Send, class Add>
TS_DEVICE void add_all(int tiles, SharedPtr<Mbarrier> full, SharedPtr<Mbarrier> empty, Send const& send,
                       Add const& add) {
  auto const parity_of = [](int tile) { return tile / 3 % 2; };
  auto const send_for = [&](int tile) {
    if (thread_index() != 0 || tile >= tiles) return;
    mbarrier_wait(empty + tile % 3, parity_of(tile) ^ 1);  // in the first round it has ended
    send(tile);
  };
  send_for(0);
  send_for(1);
  for (int tile = 0; tile < tiles; ++tile) {
    send_for(tile + 2);
    mbarrier_wait(full + tile % 3, parity_of(tile));
    add(tile);
    sync_warp();  // all lanes have read
    if (lane_index() == 0) mbarrier_arrive(empty + tile % 3);
  }
}

}  // namespace tilestep
