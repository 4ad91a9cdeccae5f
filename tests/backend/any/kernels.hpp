#pragma once
// Small kernels that use a backend's whole interface: memory of both kinds, vectors, predicates, barriers, shuffles,
// FMA. Every backend runs them in its tests; the AMD test compiles them and reads the instructions.

#include <tilestep/backend/kernel.hpp>   // thread_index, sync_threads, shuffle, fma
#include <tilestep/backend/launch.hpp>   // NoShared, launch
#include <tilestep/backend/macros.hpp>   // TS_DEVICE, TS_UNROLL
#include <tilestep/backend/pointer.hpp>  // global, shared, load, store

#include <cstdint>  // std::int64_t

namespace backend_test {

using namespace tilestep;

template <class T>
struct CopyParams {
  T const* in;
  T* out;
  std::int64_t count;
};

/// VEC elements per thread; the last vectors are kept inside `count`, which VEC divides.
template <class T, int VEC>
struct VectorCopy {
  static constexpr char const* name = "VectorCopy";
  static constexpr int threads = 128;
  using Shared = NoShared;

  TS_DEVICE void operator()(Shared&, CopyParams<T> const& p) const {
    std::int64_t const first = (block_index() * threads + thread_index()) * VEC;
    bool const pred = first < p.count;
    T r[VEC] = {};
    load_if<VEC>(global(p.in) + first, r, pred);
    store_if<VEC>(global(p.out) + first, r, pred);
  }
};

/// out[i] = in[count - 1 - i] within each block's 256 elements, turned round in shared memory.
struct Reverse {
  static constexpr int threads = 256;
  struct Shared {
    SharedArray<float, threads> tile;
  };

  TS_DEVICE void operator()(Shared& memory, CopyParams<float> const& p) const {
    auto const tile = shared(memory.tile, "tile");
    std::int64_t const first = block_index() * threads;
    tile[thread_index()] = global(p.in)[first + thread_index()];
    sync_threads();  // all threads wrote tile before any reads it
    global(p.out)[first + thread_index()] = float(tile[threads - 1 - thread_index()]);
  }
};

/// Writes (n,m) where (m,n) is read: 32 x 32 tiles of a square matrix through padded shared memory, four elements a
/// load.
struct Transpose {
  static constexpr int threads = 256;
  static constexpr int tile_size = 32;
  static constexpr int pitch = tile_size + 4;  // keeps rows aligned for vectors
  struct Shared {
    SharedArray<float, tile_size * pitch> tile;
  };
  struct Params {
    float const* in;
    float* out;
    int tiles;  // along one side
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const tile = shared(memory.tile, "tile");
    std::int64_t const tile_m = block_index() / p.tiles, tile_n = block_index() % p.tiles;
    std::int64_t const extent = std::int64_t(p.tiles) * tile_size;
    int const m = thread_index() / 8, n = thread_index() % 8 * 4;
    float r[4];
    load<4>(global(p.in) + (tile_m * tile_size + m) * extent + tile_n * tile_size + n, r);
    store<4>(tile + (m * pitch + n), r);
    sync_threads();  // all threads wrote tile before any reads it
    TS_UNROLL
    for (int i = 0; i < 4; ++i) r[i] = tile[(n + i) * pitch + m];
    store<4>(global(p.out) + (tile_n * tile_size + m) * extent + tile_m * tile_size + n, r);
  }
};

struct ShuffleParams {
  std::int64_t* out;  // (threads, 5)
};

/// Every shuffle on the value 100 * thread, 4 bytes and 8.
struct Shuffles {
  static constexpr int threads = 128;
  using Shared = NoShared;

  TS_DEVICE void operator()(Shared&, ShuffleParams const& p) const {
    int const value = 100 * thread_index();
    auto const out = global(p.out) + thread_index() * 5;
    out[0] = shuffle(value, 3);
    out[1] = shuffle_xor(value, 5);
    out[2] = shuffle_up(std::int64_t(value) << 32, 2);
    double const far = shuffle_down(double(value), 7);  // every lane takes part, whatever it does with the result
    out[3] = far == double(value) ? -1 : std::int64_t(far);
    out[4] = warp_index() * 1000 + lane_index();
  }
};

struct GemmParams {
  float const* a;  // (M,K), K contiguous
  float const* b;  // (N,K), K contiguous
  float* c;        // (M,N), N contiguous
  int m, n, k;
};

/// C = A B^T with a 4 x 4 register tile per thread and 32 x 32 x 16 block tiles; the edges are predicated.
struct RegisterTileGemm {
  static constexpr int threads = 64;
  static constexpr int blk_m = 32, blk_n = 32, blk_k = 16;
  struct Shared {
    SharedArray<float, blk_m * blk_k> a;
    SharedArray<float, blk_n * blk_k> b;
  };

  TS_DEVICE void operator()(Shared& memory, GemmParams const& p) const {
    int const tiles_m = (p.m + blk_m - 1) / blk_m;
    int const m0 = int(block_index() % tiles_m) * blk_m, n0 = int(block_index() / tiles_m) * blk_n;
    auto const a = shared(memory.a, "a");
    auto const b = shared(memory.b, "b");
    int const thr_m = thread_index() % 8 * 4, thr_n = thread_index() / 8 * 4;
    float r_c[4][4] = {};

    for (int k0 = 0; k0 < p.k; k0 += blk_k) {
      for (int i = thread_index(); i < blk_m * blk_k; i += threads) {
        int const row = i / blk_k, k = k0 + i % blk_k;
        float value = 0;
        load_if<1>(global(p.a) + (std::int64_t(m0 + row) * p.k + k), &value, m0 + row < p.m && k < p.k);
        a[i % blk_k * blk_m + row] = value;
        value = 0;
        load_if<1>(global(p.b) + (std::int64_t(n0 + row) * p.k + k), &value, n0 + row < p.n && k < p.k);
        b[i % blk_k * blk_n + row] = value;
      }
      sync_threads();  // all threads wrote a and b before any reads them
      TS_UNROLL
      for (int k = 0; k < blk_k; ++k) {
        float r_a[4], r_b[4];
        load<4>(a + (k * blk_m + thr_m), r_a);
        load<4>(b + (k * blk_n + thr_n), r_b);
        TS_UNROLL
        for (int i = 0; i < 4; ++i) {
          TS_UNROLL
          for (int j = 0; j < 4; ++j) r_c[i][j] = tilestep::fma(r_a[i], r_b[j], r_c[i][j]);
        }
      }
      sync_threads();  // all threads read a and b before any overwrites them
    }
    TS_UNROLL
    for (int i = 0; i < 4; ++i) {
      TS_UNROLL
      for (int j = 0; j < 4; ++j) {
        int const m = m0 + thr_m + i, n = n0 + thr_n + j;
        store_if<1>(global(p.c) + (std::int64_t(m) * p.n + n), &r_c[i][j], m < p.m && n < p.n);
      }
    }
  }
};

/// A block's worth of shared memory, written by every thread and read by the first: `bytes` may be more than a block
/// has.
template <int bytes>
struct LargeShared {
  static constexpr char const* name = "LargeShared";
  static constexpr int threads = 128;
  static constexpr int count = bytes / int(sizeof(float));
  struct Shared {
    SharedArray<float, count> values;
  };

  TS_DEVICE void operator()(Shared& memory, CopyParams<float> const& p) const {
    auto const values = shared(memory.values, "values");
    for (int i = thread_index(); i < count; i += threads) values[i] = float(i % 7);
    sync_threads();  // all threads wrote values before the first reads them
    if (thread_index() == 0) {
      float sum = 0;
      for (int i = 0; i < count; ++i) sum += values[i];
      global(p.out)[block_index()] = sum;
    }
  }
};

struct NoParams {};

/// Takes nothing and does nothing.
struct Nothing {
  static constexpr int threads = 32;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, NoParams const&) const { sync_threads(); }
};

}  // namespace backend_test
