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

// [last]
/// The copies of an operand's tiles, along M or N. TMA takes time for what lies outside of a matrix, too: the boxes of
/// the last tile end with the operand, if it lies along K and one block copies the tile.
template <class Tma>
struct OperandTiles {
  static constexpr bool end_with_operand = Tma::along_y && Tma::shares == 1;

  Tma whole, last;
  int last_tile;   ///< its number
  int last_lines;  ///< rows of A, or columns of B, that it copies

  [[nodiscard]] TS_DEVICE TS_INLINE Tma const* copy_of(int tile) const { return tile < last_tile ? &whole : &last; }
  [[nodiscard]] TS_DEVICE TS_INLINE int bytes_of(int tile) const {
    return tile < last_tile ? Tma::tile_bytes : last_lines * Tma::Y * int(sizeof(typename Tma::T));
  }
  /// Zeros in the lines of every stage that no box reaches: wgmma reads them, and nobody stores what comes of it.
  /// All threads, before the ring's first copy.
  template <int STAGES>
  TS_DEVICE TS_INLINE void clear_the_rest(SharedPtr<typename Tma::T> stages, int threads) const {
    if constexpr (end_with_operand) {
      constexpr int vec = 16 / int(sizeof(typename Tma::T));
      typename Tma::T const zeros[vec]{};
      int const first = last_lines * Tma::Y;
      if (first == Tma::X * Tma::Y) return;
      for (int stage = 0; stage < STAGES; ++stage)
        for (int i = first + thread_index() * vec; i < Tma::X * Tma::Y; i += threads * vec)
          store<vec>(stages + (stage * Tma::X * Tma::Y + i), zeros);
      fence_proxy_async();
    }
  }
};
// [last]

/// send(at, k) for a task: issues the copies of tiles k of A and B to a stage, once it is empty. One thread calls it.
/// @param p  with tiles_a, tiles_b and the extents
template <class Config, class Params>
TS_DEVICE TS_INLINE auto tile_loads(Params const& p, RingMemory<Config>& memory, BlockTask const& task) {
  using TileMK = Tile<typename Config::BlkM, typename Config::BlkK>;
  using TileNK = Tile<typename Config::BlkN, typename Config::BlkK>;
  int const K = p.k_tiles * Config::K, L = p.schedule.batches;
  int const rank = Config::cluster > 1 ? cluster_rank() : 0;
  // [partition]
  auto const* const tma_a = p.tiles_a.copy_of(task.m);
  auto const mA = tma_a->get_tma_tensor(make_shape(p.m, K, L));                        // (M,K,L) -> coordinate
  auto const gA = local_tile(mA, TileMK{}, make_coord(task.m, _, task.batch));         // (BLK_M,BLK_K,k)
  auto const copy_a = tma_a->slice(rank);  // of a tile that a cluster shares: this block's part
  auto const tAgA = copy_a.partition_S(gA);                                            // (TMA,TMA_M,TMA_K,k)
  auto const tAsA = copy_a.partition_D(memory.sA());                                   // (TMA,TMA_M,TMA_K,PIPE)
  // [partition]
  auto const* const tma_b = p.tiles_b.copy_of(task.n);
  auto const mB = tma_b->get_tma_tensor(make_shape(p.n, K, L));                        // (N,K,L) -> coordinate
  auto const gB = local_tile(mB, TileNK{}, make_coord(task.n, _, task.batch));         // (BLK_N,BLK_K,k)
  auto const copy_b = tma_b->slice(rank);
  auto const tBgB = copy_b.partition_S(gB);                                            // (TMA,TMA_N,TMA_K,k)
  auto const tBsB = copy_b.partition_D(memory.sB());                                   // (TMA,TMA_N,TMA_K,PIPE)
  auto const ring = StageRing<Config>::of(memory);
  int const bytes = p.tiles_a.bytes_of(task.m) + p.tiles_b.bytes_of(task.n);
  return [=](auto const& at, int k) TS_INLINE_LAMBDA {
    // [send]
    auto const landed = ring.acquire(at, bytes);
    copy(tma_a->with(landed), tAgA(_, _, _, k), tAsA(_, _, _, at.stage));
    copy(tma_b->with(landed), tBgB(_, _, _, k), tBsB(_, _, _, at.stage));
    // [send]
  };
}

}  // namespace tilestep
