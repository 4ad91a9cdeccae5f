#pragma once
// The exercise: a warpgroup that keeps the products of two tiles in flight, not of one. Then it waits less, and it must
// hold stages longer. This stub waits less, and releases stages as the chapter does: the producer fills them while
// their products still read.

#include "products.hpp"  // WgmmaProducts, StageRing

namespace tilestep {

/// C = A B over the tiles of the ring from `at` on. When it returns, all products are over and every stage is released,
/// once.
/// @pre the ring has three stages at least: two are held while a third is awaited
template <class Config>
TS_DEVICE void multiply_two_in_flight(WgmmaProducts<Config>& c, StageRing<Config> const& ring,
                                      RingPlace<Config::stages>& at, int k_tiles) {
  using TileA = typename Config::TileA;
  using TileB = typename Config::TileB;
  auto const a = TileA::descriptor(ring.a), b = TileB::descriptor(ring.b);
  // so many tiles ago
  auto const stage_before = [&](int tiles) { return (at.stage + Config::stages - tiles) % Config::stages; };
  for (int i = 0; i < k_tiles; ++i) {
    ring.await(at);
    wgmma_fence();
    issue_products<TileA, TileB, Config::type>(a.plus(at.stage * TileA::bytes), c.row, b.plus(at.stage * TileB::bytes),
                                               c.sums, i > 0);
    wgmma_commit();
    wgmma_wait<2>();
    if (i > 0) ring.release(stage_before(1));
    at.advance();
  }
  wgmma_wait<0>();
  ring.release(stage_before(1));
}

}  // namespace tilestep
