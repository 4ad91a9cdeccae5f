#pragma once
// Kernels with asynchronous copies, right and with one bug each.

#include "run_kernel.hpp"  // InOut

#include <tilestep/backend/async.hpp>  // async_copy

namespace host_test {

/// What is wrong with a kernel.
enum class Bug {
  none,
  no_wait,
  no_commit,
  no_barrier,          // between the wait and the reads
  barrier_first,       // the barrier comes before the wait
  one_group_too_many,  // the wait leaves it in flight
  refills_early,       // no barrier between the last reads and the next copy
  skips_the_tail,      // issues no copies past the last tile; copies are counted all the same
};

/// How a thread's part of a tile gets to shared memory: COPIES copies of VEC floats.
template <int COPIES, int VEC = 4>
struct ByThread {
  static constexpr int copies = COPIES;
  static constexpr int elements(int threads) { return COPIES * VEC * threads; }  // of a tile
  static void copy(SharedPtr<float> x, GlobalPtr<float const> in, bool pred) {
    for (int i = 0; i < COPIES; ++i) {
      int const at = (i * 64 + thread_index()) * VEC;
      async_copy<VEC>(x + at, in + at, pred);
    }
  }
};
template <int COPIES>
struct ByWarp {
  static constexpr int copies = COPIES;
  static constexpr int elements(int threads) { return COPIES * threads; }
  static void copy(SharedPtr<float> x, GlobalPtr<float const> in, bool pred) {
    for (int i = 0; i < COPIES; ++i) async_copy_warp<1>(x + i * 64, in, i * 64 + lane_index(), pred);
  }
};

/// One buffer: copy a tile, read what other threads copied, again and again. 64 threads.
template <class CopyPath, Bug BUG = Bug::none, int TILES = 3>
struct SingleStage {
  static constexpr int threads = 64, tile = CopyPath::elements(threads), elements = TILES * tile;
  struct Shared { SharedArray<float, tile> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    float sum = 0;
    for (int k = 0; k < TILES; ++k) {
      CopyPath::copy(x, global(p.in) + k * tile, true);
      if constexpr (BUG != Bug::no_commit) async_commit();
      if constexpr (BUG == Bug::barrier_first) sync_threads();
      if constexpr (BUG != Bug::no_wait) async_wait<0>();
      if constexpr (BUG != Bug::no_barrier && BUG != Bug::barrier_first) sync_threads();
      sum += x[(t * 5 + tile / 2) % tile];
      if constexpr (BUG != Bug::refills_early) sync_threads();
    }
    global(p.out)[block_index() * threads + t] = sum;
  }
  static float expected(int t) {
    float sum = 0;
    for (int k = 0; k < TILES; ++k) sum += float(k * tile + (t * 5 + tile / 2) % tile);
    return sum;
  }
};

/// A ring of buffers: STAGES - 1 tiles are on their way while one is read.
template <class CopyPath, int STAGES, Bug BUG = Bug::none, int DECLARED_COPIES = CopyPath::copies, int TILES = 7>
struct Ring {
  static constexpr int threads = 64, tile = CopyPath::elements(threads), elements = TILES * tile;
  static constexpr bool ahead = BUG == Bug::refills_early;  // fills the buffer that was read last, not the one before
  struct Shared { SharedArray<float, STAGES * tile> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    auto const issue = [&](int k) {
      // Copies are counted on AMD: past the last tile they bring zeros.
      if (BUG != Bug::skips_the_tail || k < TILES)
        CopyPath::copy(x + k % STAGES * tile, global(p.in) + (k < TILES ? k : 0) * tile, k < TILES);
      async_commit();
    };
    for (int k = 0; k < STAGES - 1 + ahead; ++k) issue(k);
    float sum = 0;
    for (int k = 0; k < TILES; ++k) {
      if constexpr (BUG == Bug::barrier_first) sync_threads();
      if constexpr (BUG != Bug::no_wait)
        async_wait<STAGES - 2 + ahead + (BUG == Bug::one_group_too_many), DECLARED_COPIES>();
      if constexpr (BUG != Bug::no_barrier && BUG != Bug::barrier_first) sync_threads();
      sum += x[k % STAGES * tile + (t * 5 + tile / 2) % tile];
      issue(k + STAGES - 1 + ahead);
    }
    async_wait<0>();
    global(p.out)[block_index() * threads + t] = sum;
  }
  static float expected(int t) { return SingleStage<CopyPath, Bug::none, TILES>::expected(t); }
};

/// The wait of each thread is enough for what it copied itself.
template <Bug BUG = Bug::none>
struct OwnPart {
  static constexpr int threads = 96, elements = 4 * threads;
  struct Shared { SharedArray<float, 4 * threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<4>(x + 4 * t, global(p.in) + 4 * t, true);
    async_commit();
    if constexpr (BUG != Bug::no_wait) async_wait<0>();
    float r[4];
    load<4>(x + 4 * t, r);
    global(p.out)[block_index() * threads + t] = r[3];
    if constexpr (BUG == Bug::no_wait) async_wait<0>();
  }
  static float expected(int t) { return float(4 * t + 3); }
};

/// The last tile is ragged: what lies past the end becomes zero, whatever was in shared memory.
struct RaggedTail {
  static constexpr int threads = 64, tile = 4 * threads;
  struct Shared { SharedArray<float, tile> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    float sum = 0;
    for (int k = 0; k * tile < p.count; ++k) {
      int const first = k * tile + 4 * t;
      async_copy<4>(x + 4 * t, global(p.in) + first, first + 4 <= p.count);
      async_commit();
      async_wait<0>();
      sync_threads();  // all have waited before any reads
      for (int i = 0; i < 4; ++i) sum += x[(4 * t + i + 100) % tile];
      sync_threads();  // all have read before any copies
    }
    global(p.out)[block_index() * threads + t] = sum;
  }
};

}  // namespace host_test
