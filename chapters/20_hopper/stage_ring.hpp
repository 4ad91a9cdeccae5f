#pragma once
// The ring of stages between the producer, which copies tiles of A and B, and the consumers, which multiply them.
// pipeline.hpp's Ring is places in memory alone; here each stage has two mbarriers. `full` ends a phase when a tile has
// arrived, `empty` when all consumers have read it: the producer runs ahead by as many tiles as there are stages.

#include "config.hpp"  // HopperConfig

#include <tilestep/backend/cluster.hpp>   // cluster_rank, sync_cluster
#include <tilestep/backend/kernel.hpp>    // thread_index, sync_threads
#include <tilestep/backend/mbarrier.hpp>  // Mbarrier
#include <tilestep/backend/pointer.hpp>   // shared

namespace tilestep {

// [place]
/// A role's place in the ring: a stage, and the parity of the phase that ends next there. Producers begin with 1:
/// stages are empty at first.
template <int STAGES>
struct RingPlace {
  int stage = 0, parity = 0;

  TS_HOST_DEVICE TS_INLINE void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
  /// Past the tiles of the other consumer.
  TS_HOST_DEVICE TS_INLINE void advance(int tiles) {
    int const at = stage + tiles;
    parity ^= at / STAGES & 1;
    stage = at % STAGES;
  }
  /// The stage before this one.
  [[nodiscard]] TS_HOST_DEVICE TS_INLINE int previous() const { return stage == 0 ? STAGES - 1 : stage - 1; }
};
// [place]

/// The ring's memory.
template <class Config>
struct RingMemory {
  alignas(1024) SharedArray<typename Config::T, cosize_v<typename Config::SmemA>> a;
  alignas(1024) SharedArray<typename Config::T, cosize_v<typename Config::SmemB>> b;
  SharedArray<Mbarrier, Config::stages> full, empty;

  TS_DEVICE auto sA() { return make_tensor(shared(a, "sA"), typename Config::SmemA{}); }  // (BLK_M,BLK_K,PIPE)
  TS_DEVICE auto sB() { return make_tensor(shared(b, "sB"), typename Config::SmemB{}); }  // (BLK_N,BLK_K,PIPE)
};

/// The mbarriers of a ring: when a stage may be filled, and when it may be read.
template <class Config>
struct StageRing {
  using Place = RingPlace<Config::stages>;

  SharedPtr<Mbarrier> full, empty;

  TS_DEVICE static StageRing of(RingMemory<Config>& memory) {
    return {shared(memory.full, "full"), shared(memory.empty, "empty")};
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
    if constexpr (Config::cluster > 1) sync_cluster();  // no thread arrives at a block that has ended
  }

  // [acquire]
  /// Waits until a stage is empty, and announces the bytes that will arrive at its `full`. @return that mbarrier
  TS_DEVICE TS_INLINE SharedPtr<Mbarrier> acquire(Place at, int bytes) const {
    if constexpr (Config::cluster > 1) mbarrier_wait_cluster(empty + at.stage, at.parity);
    else mbarrier_wait(empty + at.stage, at.parity);
    mbarrier_arrive_expect(full + at.stage, bytes);
    return full + at.stage;
  }
  // [acquire]

  /// Waits until the tile at this place has arrived.
  TS_DEVICE TS_INLINE void await(Place at) const { mbarrier_wait(full + at.stage, at.parity); }

  // [release]
  /// This warpgroup has read a stage: one arrival in each block. All its threads call it.
  TS_DEVICE TS_INLINE void release(int stage) const {
    int const member = thread_index() % warpgroup_size;
    if constexpr (Config::cluster == 1) {
      if (member == 0) mbarrier_arrive(empty + stage);
    } else if (member < Config::cluster) {
      mbarrier_arrive_at(empty + stage, member);
    }
  }
  // [release]
};

}  // namespace tilestep
