#pragma once
// The copies that one thread issues: a block's tiles of A and B along K, by TMA, into the stages of a ring.

#include "stage_ring.hpp"  // StageRing, RingMemory

#include <tilestep/atom/tma.hpp>  // TmaCopy, copy

namespace tilestep {

/// A block's tile of C, or its slice of K.
struct BlockTask {
  int m, n;              ///< the tile's coordinate in C
  int batch, sums;       ///< of A and B, and of C: where K is split, each slice has its own
  int k_first, k_tiles;  ///< tiles along K: the first, and how many
};

/// send(at, k) for a task: issues the copies of tiles k of A and B to a stage, once it is empty. One thread calls it.
/// @param p  with tma_a, tma_b and the extents
template <class Config, class Params>
TS_DEVICE TS_INLINE auto tile_loads(Params const& p, RingMemory<Config>& memory, BlockTask const& task) {
  using TileMK = Tile<typename Config::BlkM, typename Config::BlkK>;
  using TileNK = Tile<typename Config::BlkN, typename Config::BlkK>;
  int const K = p.k_tiles * Config::K, L = p.schedule.batches;
  int const rank = Config::cluster > 1 ? cluster_rank() : 0;
  // [partition]
  auto const mA = p.tma_a.get_tma_tensor(make_shape(p.m, K, L));                       // (M,K,L) -> coordinate
  auto const gA = local_tile(mA, TileMK{}, make_coord(task.m, _, task.batch));         // (BLK_M,BLK_K,k)
  auto const copy_a = p.tma_a.slice(rank);  // of a tile that a cluster shares: this block's part
  auto const tAgA = copy_a.partition_S(gA);                                            // (TMA,TMA_M,TMA_K,k)
  auto const tAsA = copy_a.partition_D(memory.sA());                                   // (TMA,TMA_M,TMA_K,PIPE)
  // [partition]
  auto const mB = p.tma_b.get_tma_tensor(make_shape(p.n, K, L));                       // (N,K,L) -> coordinate
  auto const gB = local_tile(mB, TileNK{}, make_coord(task.n, _, task.batch));         // (BLK_N,BLK_K,k)
  auto const copy_b = p.tma_b.slice(rank);
  auto const tBgB = copy_b.partition_S(gB);                                            // (TMA,TMA_N,TMA_K,k)
  auto const tBsB = copy_b.partition_D(memory.sB());                                   // (TMA,TMA_N,TMA_K,PIPE)
  auto const ring = StageRing<Config>::of(memory);
  return [=, &p](auto const& at, int k) TS_INLINE_LAMBDA {
    // [send]
    auto const landed = ring.acquire(at, Config::TmaA::tile_bytes + Config::TmaB::tile_bytes);
    copy(p.tma_a.with(landed), tAgA(_, _, _, k), tAsA(_, _, _, at.stage));
    copy(p.tma_b.with(landed), tBgB(_, _, _, k), tBsB(_, _, _, at.stage));
    // [send]
  };
}

}  // namespace tilestep
