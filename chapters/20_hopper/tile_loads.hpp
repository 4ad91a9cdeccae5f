#pragma once
// The copies that one thread issues: a block's tiles of A and B along K, by TMA, into the stages of a ring.

#include "stage_ring.hpp"  // StageRing, RingMemory

#include <tilestep/block/operand_tiles.hpp>  // OperandTiles

namespace tilestep {

/// A block's tile of C, or its slice of K.
struct BlockTask {
  int m, n;              ///< the tile's coordinate in C
  int batch, sums;       ///< of A and B, and of C: where K is split, each slice has its own
  int k_first, k_tiles;  ///< tiles along K: the first, and how many
};

/// send(landed, stage, k): the copies of a part of tile (tile,k) of an operand to a stage; they arrive at an mbarrier.
/// One thread calls it.
/// @param shape (X,K,L) of the operand   @param sX (BLK_X,BLK_K,PIPE)
/// @param part  of a tile that a cluster shares   @param blocks  of the cluster that get it: a bit for each
template <class TileXK, class Tma, class Shape3, class TensorS>
TS_DEVICE TS_INLINE auto loads_of(OperandTiles<Tma> const& tiles, Shape3 const& shape, TensorS const& sX, int tile,
                                  int batch, int part, unsigned blocks) {
  // [partition]
  auto const mX = Tma::get_tma_tensor(shape);                            // (X,K,L) -> coordinate
  auto const gX = local_tile(mX, TileXK{}, make_coord(tile, _, batch));  // (BLK_X,BLK_K,k)
  auto const copy_x = Tma::slice(part);
  auto const tXgX = copy_x.partition_S(gX);                              // (TMA,TMA_X,TMA_K,k)
  auto const tXsX = copy_x.partition_D(sX);                              // (TMA,TMA_X,TMA_K,PIPE)
  // [partition]
  int const lines = tiles.lines_of(tile) - part * tiles.part;  // of this part
  int const until = tile == tiles.last_tile && (lines < tiles.part || !Tma::along_y) ? tiles.last_until : 0;
  return [=, maps = &tiles](SharedPtr<Mbarrier> landed, int stage, int k) TS_INLINE_LAMBDA {
    // [send]
    auto const tma = (k < until ? maps->last : maps->whole).with(landed, blocks);
    unroll<decltype(size<1>(tXgX))::value>([&](auto x) TS_INLINE_LAMBDA {
      if (x * maps->box < lines) copy(tma, tXgX(_, x, _, k), tXsX(_, x, _, stage));
    });
    // [send]
  };
}

/// send(at, k) for a task: issues the copies of tiles k of A and B to a stage, once it is empty. One thread calls it.
/// @param p  with tiles_a, tiles_b and the extents
template <class Config, class Params>
TS_DEVICE TS_INLINE auto tile_loads(Params const& p, RingMemory<Config>& memory, BlockTask const& task) {
  using TileMK = Tile<typename Config::BlkM, typename Config::BlkK>;
  using TileNK = Tile<typename Config::BlkN, typename Config::BlkK>;
  int const K = p.k_tiles * Config::K, L = p.schedule.batches;
  // [shares]
  // Blocks of a cluster that have the same n share a tile of B: bits side by side. Those with the same m share one of
  // A: every cluster_m-th bit.
  constexpr unsigned same_n = (1u << Config::cluster_m) - 1, same_m = ((1u << Config::cluster) - 1) / same_n;
  int const rank = Config::cluster > 1 ? cluster_rank() : 0, m = rank % Config::cluster_m, n = rank / Config::cluster_m;
  auto const send_a = loads_of<TileMK>(p.tiles_a, make_shape(p.m, K, L), memory.sA(), task.m, task.batch,  //
                                       n, same_m << m);
  auto const send_b = loads_of<TileNK>(p.tiles_b, make_shape(p.n, K, L), memory.sB(), task.n, task.batch,  //
                                       m, same_n << (n * Config::cluster_m));
  // [shares]
  auto const ring = StageRing<Config>::of(memory);
  int const lines = p.tiles_a.lines_of(task.m) + p.tiles_b.lines_of(task.n);
  return [=](auto const& at, int k) TS_INLINE_LAMBDA {
    auto const landed = ring.acquire(at, lines * Config::K * int(sizeof(typename Config::T)));
    send_a(landed, at.stage, k);
    send_b(landed, at.stage, k);
  };
}

}  // namespace tilestep
