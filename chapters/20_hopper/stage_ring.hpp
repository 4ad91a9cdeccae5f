#pragma once
// The ring of stages between those who send for tiles of A and B and those who multiply them. Each stage has two
// mbarriers. `full` ends a phase when a tile has landed, `empty` when it was read. So a producer runs ahead of its
// consumers by as many tiles as there are stages, and nobody else waits.

#include "config.hpp"  // HopperConfig

#include <tilestep/backend/cluster.hpp>   // cluster_rank, sync_cluster
#include <tilestep/backend/kernel.hpp>    // thread_index, sync_threads
#include <tilestep/backend/mbarrier.hpp>  // Mbarrier
#include <tilestep/backend/pointer.hpp>   // shared

namespace tilestep {

// [place]
/// Where somebody is in the ring: a stage, and the parity of the phase that ends next there. Producers begin with 1:
/// stages are empty at first.
template <int STAGES>
struct RingPlace {
  int stage = 0, parity = 0;

  TS_HOST_DEVICE TS_INLINE void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
  /// Past tiles that are somebody else's.
  TS_HOST_DEVICE TS_INLINE void advance(int tiles) {
    int const at = stage + tiles;
    parity ^= at / STAGES & 1;
    stage = at % STAGES;
  }
};
// [place]

/// A block's tile of C, or its slice of K.
struct BlockTask {
  int m, n;              ///< the tile's first element
  int batch, sums;       ///< of A and B, and of C: where K is split, each slice has its own
  int k_first, k_tiles;  ///< tiles along K: the first, and how many
};

/// The ring's memory.
template <class Config>
struct RingMemory {
  alignas(1024) SharedArray<typename Config::T, Config::stages * Config::TileA::elements> a;
  alignas(1024) SharedArray<typename Config::T, Config::stages * Config::TileB::elements> b;
  SharedArray<Mbarrier, Config::stages> full, empty;
};

template <class Config>
struct StageRing {
  using T = typename Config::T;
  using TileA = typename Config::TileA;
  using TileB = typename Config::TileB;
  using Place = RingPlace<Config::stages>;

  SharedPtr<T> a, b;
  SharedPtr<Mbarrier> full, empty;

  TS_DEVICE static StageRing of(RingMemory<Config>& memory) {
    return {shared(memory.a, "sA"), shared(memory.b, "sB"), shared(memory.full, "full"), shared(memory.empty, "empty")};
  }

  /// All threads, before anything else.
  TS_DEVICE void begin() const {
    if (thread_index() == 0) {
      for (int stage = 0; stage < Config::stages; ++stage) {
        mbarrier_init(full + stage, 1);
        mbarrier_init(empty + stage, Config::readers * Config::cluster);
      }
      fence_mbarrier_init();
    }
    begin_among_kernels();
    if constexpr (Config::cluster > 1) sync_cluster();  // the mbarriers of all its blocks are made
    else sync_threads();
  }
  /// All threads, after everything else.
  TS_DEVICE void end() const {
    if constexpr (Config::cluster > 1) sync_cluster();  // nobody arrives at a block that has ended
  }

  // [send]
  /// Sends for a tile of A and one of B as soon as their stage is empty. One thread does it. @param k  which tile along
  /// K
  template <class Params>
  TS_DEVICE TS_INLINE void send(Params const& p, Place at, BlockTask const& task, int k) const {
    if constexpr (Config::cluster > 1) mbarrier_wait_cluster(empty + at.stage, at.parity);
    else mbarrier_wait(empty + at.stage, at.parity);
    auto const landed = full + at.stage;
    auto const to_a = a + at.stage * TileA::elements;
    auto const to_b = b + at.stage * TileB::elements;
    mbarrier_arrive_expect(landed, TileA::bytes + TileB::bytes);
    load<TileA, Config::cluster_n>(to_a, p.a, landed, task.m, k * Config::K, task.batch);
    load<TileB, Config::cluster_m>(to_b, p.b, landed, task.n, k * Config::K, task.batch);
  }
  // [send]

  /// Waits until the tile at this place has landed.
  TS_DEVICE TS_INLINE void await(Place at) const { mbarrier_wait(full + at.stage, at.parity); }

  // [release]
  /// Says that this warp or warpgroup has read a stage. All its threads call it.
  TS_DEVICE TS_INLINE void release(int stage) const {
    int const member = Config::by_warps ? lane_index() : thread_index() % warpgroup_size;
    if constexpr (Config::by_warps) sync_warp();  // all lanes have read
    if constexpr (Config::cluster == 1) {
      if (member == 0) mbarrier_arrive(empty + stage);
    } else if (member < Config::cluster) {
      mbarrier_arrive_at(empty + stage, member);
    }
  }
  // [release]

 private:
  // [load]
  /// A whole tile, or this block's part of one that the cluster shares: each of its blocks sends its part to all of
  /// them.
  template <class Tile, int SHARED_BY>
  TS_DEVICE TS_INLINE static void load(SharedPtr<T> to, TensorMap const& map, SharedPtr<Mbarrier> landed, int x, int k,
                                       int batch) {
    if constexpr (SHARED_BY == 1) {
      Tile::load(to, map, landed, x, k, batch);
    } else {
      using Part = OperandTile<Tile::X / SHARED_BY, Tile::K, Tile::major, Tile::swizzle>;
      int const part = cluster_rank();
      Part::load_multicast(to + part * Part::elements, map, landed, (1u << SHARED_BY) - 1, x + part * Part::X, k,
                           batch);
    }
  }
  // [load]
};

}  // namespace tilestep
