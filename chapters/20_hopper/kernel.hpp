#pragma once
// The GEMM of Hopper's own instructions: TMA copies tiles into a ring, wgmma multiplies them where they are, and TMA
// stores C. The configuration says which warps have which role.

#include "products.hpp"    // Products, StageRing
#include "store.hpp"       // StoreSums, StoreParams
#include "tile_loads.hpp"  // tile_loads, BlockTask

#include <tilestep/backend/launch.hpp>  // launch
#include <tilestep/block/schedule.hpp>  // tile_coord

namespace tilestep {

template <class Config>
struct HopperParams : StoreParams<typename Config::AlongK> {
  OperandTiles<typename Config::TmaA> tiles_a;  ///< of A (M,K,L)
  OperandTiles<typename Config::TmaB> tiles_b;  ///< of B (N,K,L)
  int k_tiles;
};

template <class Config>
struct HopperGemm {
  using Params = HopperParams<Config>;
  using Ring = StageRing<Config>;
  using Sums = Products<Config>;
  using Store = StoreSums<typename Config::AlongK>;
  static constexpr char const* name = "HopperGemm";
  static constexpr char const* only_on = "sm90";
  static constexpr bool overlaps = true;
  static constexpr int threads = Config::threads, cluster = Config::cluster;

  struct Shared {
    RingMemory<Config> ring;
    typename Store::Memory sums;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    if constexpr (backend_has_hopper) {
      auto const ring = Ring::of(memory.ring);
      if (thread_index() == 0) {
        tma_prefetch(p.tiles_a.whole.map);
        tma_prefetch(p.tiles_b.whole.map);
        Store::begin(memory.sums);
      }
      p.tiles_a.template clear_the_rest<Config::stages>(shared(memory.ring.a, "sA"), threads);
      p.tiles_b.template clear_the_rest<Config::stages>(shared(memory.ring.b, "sB"), threads);
      ring.begin();
      // [roles]
      if (warpgroup_index() == Config::consumers) {
        if constexpr (Config::consumers == 2) give_registers<40>();  // 384 threads begin with 168 each
        if (thread_index() == Config::consumers * warpgroup_size) produce(memory, p);
      } else {
        if constexpr (Config::consumers == 2) take_registers<232>();
        consume(memory, p, warpgroup_index());
      }
      // [roles]
      ring.end();
    }
  }

 private:
  /// The block's task of this number. Blocks of a cluster have neighbouring tiles.
  TS_DEVICE TS_INLINE static BlockTask task_of(Params const& p, int number) {
    auto const [m, n, batch, slice] = tile_coord(number, p.schedule);
    int const rank = cluster > 1 ? cluster_rank() : 0, k_first = slice * p.schedule.slice_k_tiles;
    return {m * Config::cluster_m + rank % Config::cluster_m,
            n * Config::cluster_n + rank / Config::cluster_m,
            batch,
            slice * p.schedule.batches + batch,
            k_first,
            min(p.schedule.slice_k_tiles, p.k_tiles - k_first)};
  }
  /// The same of its tiles of K alone: the others' tasks are passed over, and divisions take long.
  TS_DEVICE TS_INLINE static int k_tiles_of(Params const& p, int number) {
    return p.schedule.slices == 1 ? p.k_tiles : task_of(p, number).k_tiles;
  }
  /// f(turn, number) of each of this block's tasks.
  template <class F>
  TS_DEVICE TS_INLINE static void for_each_task(Params const& p, F const& f) {
    int turn = 0;
    for (int number = int(block_index()) / cluster; number < p.schedule.tiles(); number += p.schedule.blocks, ++turn)
      f(turn, number);
  }

  // [produce]
  TS_DEVICE TS_INLINE static void produce(Shared& memory, Params const& p) {
    typename Ring::Place at{0, 1};
    for_each_task(p, [&](int, int number) TS_INLINE_LAMBDA {
      BlockTask const task = task_of(p, number);
      auto const send = tile_loads<Config>(p, memory.ring, task);
      for (int k = 0; k < task.k_tiles; ++k) {
        send(at, task.k_first + k);
        at.advance();
      }
    });
  }
  // [produce]

  // [consume]
  TS_DEVICE TS_INLINE static void consume(Shared& memory, Params const& p, int consumer) {
    Store out(memory.sums, consumer);
    Sums sums(consumer);
    typename Ring::Place at{};
    if constexpr (Config::roles == Roles::ping_pong) {
      if (consumer == 1) arrive_group<256>(4);  // the first turn is the other's
    }
    for_each_task(p, [&](int turn, int number) TS_INLINE_LAMBDA {
      // [turns]
      if constexpr (Config::roles == Roles::ping_pong) {
        if (turn % 2 != consumer) return at.advance(k_tiles_of(p, number));  // the other's
      }
      BlockTask const task = task_of(p, number);
      if constexpr (Config::roles == Roles::ping_pong) {
        out.fetch(p, task, sums);
        sync_group<256>(4 + consumer);
        sums.multiply(memory.ring, at, task.k_tiles);
        arrive_group<256>(5 - consumer);
      } else {
        out.fetch(p, task, sums);
        sums.multiply(memory.ring, at, task.k_tiles);
      }
      sums.finish(memory.ring, at);
      out.store(p, task, sums);
      // [turns]
    });
    out.end();
  }
  // [consume]
};

}  // namespace tilestep
