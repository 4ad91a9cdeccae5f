#pragma once
// Kernels with asynchronous copies, of a thread and of a warp: every backend runs those it has, the tests of device
// code read the instructions.

#include <tilestep/atom.hpp>             // CopyAtom, TiledCopy
#include <tilestep/backend/async.hpp>    // async_copy, async_copy_warp
#include <tilestep/backend/kernel.hpp>   // thread_index, sync_threads
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/pointer.hpp>  // global, shared, load, store

#include <cstdint>  // std::int64_t

namespace backend_test {

using namespace tilestep;

template <class T>
struct AsyncParams {
  T const* in;
  T* out;
  std::int64_t count;  // of `in`, a multiple of VEC
};

/// out[i] = in[i], and zero from `count` to the end of the last block's tiles: a ring of STAGES tiles in shared memory,
/// each written by one thread and read by another. VEC elements a copy, COPIES copies a tile.
template <class T, int VEC, int STAGES, int COPIES, bool BY_WARP>
struct AsyncRing {
  static constexpr char const* name = "AsyncRing";
  static constexpr int threads = 128, tiles = 5, piece = threads * VEC, tile = COPIES * piece;
  struct Shared {
    SharedArray<T, STAGES * tile> ring;
  };

  /// Issues the copies of one tile; past the last tile they bring zeros, so that every group has as many.
  TS_DEVICE static void issue(SharedPtr<T> to, GlobalPtr<T const> from, std::int64_t elements) {
    TS_UNROLL
    for (int i = 0; i < COPIES; ++i) {
      int const at = i * piece + thread_index() * VEC;
      bool const pred = at < elements;
      if constexpr (BY_WARP) {
        async_copy_warp<VEC>(to + (i * piece + warp_index() * warp_size() * VEC), from, at, pred);
      } else {
        async_copy<VEC>(to + at, from + at, pred);
      }
    }
    async_commit();
  }

  TS_DEVICE void operator()(Shared& memory, AsyncParams<T> const& p) const {
    if constexpr (BY_WARP ? backend_async_copy_warp_bytes >= VEC * int(sizeof(T)) : backend_has_async_copy) {
      auto const ring = shared(memory.ring, "ring");
      std::int64_t const first = block_index() * tiles * tile;
      auto const in = global(p.in) + first;
      // elements from tile k on
      auto const tile_of = [&](int k) { return k < tiles ? p.count - first - k * tile : 0; };
      for (int k = 0; k < STAGES - 1; ++k) issue(ring + k * tile, in + k * tile, tile_of(k));
      for (int k = 0; k < tiles; ++k) {
        async_wait<STAGES - 2, COPIES>();
        sync_threads();  // tile k is complete, and all threads have read tile k - 1, whose place is filled next
        int const next = k + STAGES - 1;
        issue(ring + next % STAGES * tile, in + (next < tiles ? next : 0) * tile, tile_of(next));
        TS_UNROLL
        for (int i = 0; i < COPIES; ++i) {
          int const at = i * piece + (threads - 1 - thread_index()) * VEC;
          T r[VEC];
          load<VEC>(ring + (k % STAGES * tile + at), r);
          store<VEC>(global(p.out) + (first + k * tile + at), r);
        }
      }
      async_wait<0>();
    }
  }
};

/// out[i] = in[i] for i < count, else zero: one tile, without a ring. CACHE as for async_copy.
template <class T, int VEC, CacheAt CACHE>
struct AsyncTile {
  static constexpr char const* name = "AsyncTile";
  static constexpr int threads = 128, tile = threads * VEC;
  struct Shared {
    SharedArray<T, tile> values;
  };

  TS_DEVICE void operator()(Shared& memory, AsyncParams<T> const& p) const {
    if constexpr (backend_has_async_copy) {
      auto const values = shared(memory.values, "values");
      std::int64_t const first = block_index() * tile;
      int const mine = thread_index() * VEC, other = (threads - 1 - thread_index()) * VEC;
      async_copy<VEC, CACHE>(values + mine, global(p.in) + (first + mine), first + mine < p.count);
      async_commit();
      async_wait<0>();
      sync_threads();  // all threads have waited for their copies before any reads another's
      T r[VEC];
      load<VEC>(values + other, r);
      store<VEC>(global(p.out) + (first + other), r);
    }
  }
};

struct AsyncAtomParams {
  float const* in;  // (rows,columns), columns contiguous, `pitch` apart
  float* out;       // (M,N), N contiguous
  int rows, columns, pitch;
};

/// out = in, and zero where `in` has no element: a tile through shared memory by a TiledCopy of an asynchronous atom.
/// @tparam Threads (THR_M,THR_N) -> thread   @tparam VEC floats of one copy, along N
template <class Operation, class Threads, int VEC>
struct AsyncAtom {
  static constexpr char const* name = "AsyncAtom";
  static constexpr int threads = 128, M = 24, N = 64;
  struct Shared {
    SharedArray<float, M * N> tile;
  };

  TS_DEVICE void operator()(Shared& memory, AsyncAtomParams const& p) const {
    using Atom = CopyAtom<Operation, float>;
    if constexpr (std::is_same_v<typename Atom::ThrID, Layout<_1>> ? backend_has_async_copy
                                                                   : backend_async_copy_warp_bytes >= 4 * VEC) {
      auto const shape = make_shape(Int<M>{}, Int<N>{});
      auto const gX = make_tensor(global(p.in), shape, make_stride(p.pitch, _1{}));                     // (M,N)
      auto const sX = make_tensor(shared(memory.tile, "sX"), shape, make_stride(Int<N>{}, _1{}));       // (M,N)
      auto const mine = make_tiled_copy(Atom{}, Threads{}, Layout<Shape<_1, Int<VEC>>>{}).slice(thread_index());
      auto const tXgX = mine.partition_S(gX);  // (CPY,CPY_M,CPY_N)
      auto const tXsX = mine.partition_D(sX);  // (CPY,CPY_M,CPY_N)
      auto const tXcX = mine.partition_S(make_identity_tensor(shape));  // (CPY,CPY_M,CPY_N)
      static_for<int(size<1>(tXsX.layout()))>([&](auto m) {
        static_for<int(size<2>(tXsX.layout()))>([&](auto n) {
          Atom::call(tXgX(_, m, n), tXsX(_, m, n), elem_less(tXcX(_0{}, m, n), make_shape(p.rows, p.columns)));
        });
      });
      async_commit();
      async_wait<0>();
      sync_threads();  // all threads have waited for their copies before any reads another's
      for (int i = threads - 1 - thread_index(); i < M * N; i += threads)
        global(p.out)[i] = float(shared(memory.tile, "sX")[i]);
    }
  }
};

}  // namespace backend_test
