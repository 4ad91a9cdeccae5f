#pragma once
// Kernels of Hopper's own instructions: every backend that has them runs the good ones, the virtual GPU's tests the
// ones with a planted bug.

#include <tilestep/algorithm/gemm.hpp>       // gemm
#include <tilestep/atom/half.hpp>            // bfloat16_t
#include <tilestep/atom/tma.hpp>             // TmaCopy
#include <tilestep/atom/wgmma.hpp>           // MmaAtom of wgmma, swizzled_tile
#include <tilestep/backend/cluster.hpp>      // cluster_rank, sync_group
#include <tilestep/backend/kernel.hpp>       // thread_index, sync_threads
#include <tilestep/backend/launch.hpp>       // launch
#include <tilestep/backend/mbarrier.hpp>     // Mbarrier
#include <tilestep/backend/pointer.hpp>      // global, shared, load, store
#include <tilestep/backend/stmatrix.hpp>     // stmatrix
#include <tilestep/backend/tensor_tile.hpp>  // TensorTile, swizzled
#include <tilestep/backend/tma.hpp>          // TensorMap, tma_load, tma_store
#include <tilestep/backend/wgmma.hpp>        // wgmma
#include <tilestep/cute/hopper.hpp>          // warpgroup_arrive, GMMA

#include <cstdint>  // std::uint16_t

namespace hopper_test {

using namespace tilestep;

/// What a kernel does wrong.
enum class Bug {
  none,
  no_wait_for_copy,       // a consumer does not wait for the mbarrier
  full_parity,            // a consumer waits for the other parity
  empty_parity,           // the producer does
  no_wait_for_consumers,  // the producer does not wait before it fills a stage again
  too_few_bytes,          // the mbarrier is told of one of two copies
  too_many_bytes,
  releases_early,         // a consumer arrives before its products are over
  one_wait_too_few,       // it arrives for the stage of the products that are in flight
  no_proxy_fence,
  no_group_barrier,
  no_store_wait,          // the tile of a store is written again
  no_products_fence,
  no_products_wait,
  no_init_fence,
  no_init_barrier,
  releases_own_block,     // in a cluster: the other block is not told
  waits_in_block,         // in a cluster: the wait does not order what the other block did
  ends_alone,             // in a cluster: a block does not wait for the other
  one_copy_too_many,
  one_arrival_too_few,
  swapped_stage,          // a consumer releases another stage than it has read
  stores_before_begin,    // a store whose box begins before the matrix
  lands_outside,          // a copy names an mbarrier behind the last
};

/// Rows in bytes for a box of 16-bit elements.
constexpr int row_bytes(TileSwizzle swizzle) { return swizzle == TileSwizzle::none ? 16 : int(swizzle); }

struct CopyParams {
  TensorMap in, out;
  std::uint16_t* plain;  // the tile as threads see it, rows after one another
  int x, y, z;           // where the box begins
};

/// A box of Z x ROWS rows comes to shared memory, is read by other threads, is changed (each element plus one) and goes
/// back.
template <TileSwizzle SWIZZLE, int ROWS, int Z, Bug BUG = Bug::none>
struct CopyBox {
  static constexpr char const* name = "CopyBox";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 64, columns = row_bytes(SWIZZLE) / 2, elements = columns * ROWS * Z;
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, elements> tile;
    SharedArray<Mbarrier, 1> full;
  };

  TS_DEVICE void operator()(Shared& memory, CopyParams const& p) const {
    if constexpr (backend_has_hopper) {
      auto const tile = shared(memory.tile, "tile");
      auto const full = shared(memory.full, "full");
      if (thread_index() == 0) {
        mbarrier_init(full, BUG == Bug::one_arrival_too_few ? 2 : 1);
        if constexpr (BUG != Bug::no_init_fence) fence_mbarrier_init();
      }
      if constexpr (BUG != Bug::no_init_barrier) sync_threads();  // the mbarrier is made before anybody waits
      if (thread_index() == 0) {
        mbarrier_arrive_expect(full, elements * 2 + (BUG == Bug::too_many_bytes  ? 16
                                                     : BUG == Bug::too_few_bytes ? -16
                                                                                 : 0));
        if constexpr (Z == 1) tma_load(tile, p.in, full, p.x, p.y);
        else tma_load(tile, p.in, full + (BUG == Bug::lands_outside ? 1 : 0), p.x, p.y, p.z);
      }
      if constexpr (BUG != Bug::no_wait_for_copy) mbarrier_wait(full, BUG == Bug::full_parity ? 1 : 0);
      for (int i = thread_index() * 8; i < elements; i += threads * 8) {
        auto const at = tile + int(swizzled(std::uint32_t(i) * 2, SWIZZLE) / 2);
        std::uint16_t r[8];
        load<8>(at, r);
        store<8>(global(p.plain) + i, r);
        for (auto& each : r) ++each;
        store<8>(at, r);
      }
      if constexpr (BUG != Bug::no_proxy_fence) fence_proxy_async();
      if constexpr (BUG != Bug::no_group_barrier) sync_threads();  // all have written before the copy reads
      bool const is_inside = p.x >= 0 && p.y >= 0 && p.z >= 0;  // of a store's box the beginning
      if (thread_index() == 0 && (is_inside || BUG == Bug::stores_before_begin)) {
        if constexpr (Z == 1) tma_store(p.out, tile, p.x, p.y);
        else tma_store(p.out, tile, p.x, p.y, p.z);
        tma_store_commit();
        if constexpr (BUG != Bug::no_store_wait) tma_store_wait_read<0>();
      }
    }
  }
};

struct TileParams {
  TensorMap a, b;
  std::uint16_t const* a_rows;  // (64,64), K contiguous: what A in registers is read from
  std::uint16_t const* b_rows;  // (N,64)
  float* d;  // (thread, value)
};

/// C = A B of 64 x N x 64, one warpgroup: four wgmma. Boxes: K contiguous, rows of K; M or N contiguous, rows of M or N
/// in panels as wide as the swizzle.
template <int N, DType T, Major A, Major B, TileSwizzle SWIZZLE, bool A_IN_REGISTERS, Bug BUG = Bug::none>
struct TileProduct {
  static constexpr char const* name = "TileProduct";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 128, span = row_bytes(SWIZZLE);
  static constexpr int wide = span / 2;  // elements of a row of a panel
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, 64 * 64> a;
    alignas(1024) SharedArray<std::uint16_t, N * 64> b;
    SharedArray<Mbarrier, 1> full;
  };

  // The panels of an operand of `extent` rows of M or N, `span` bytes wide, one after another; the hardware brings each
  // as one box.
  template <Major MAJOR, int EXTENT>
  TS_DEVICE static void load_panels(SharedPtr<std::uint16_t> tile, TensorMap const& map, SharedPtr<Mbarrier> full) {
    if constexpr (MAJOR == Major::k) {
      for (int k = 0; k < 64; k += wide) tma_load(tile + k * EXTENT, map, full, k, 0);
    } else {
      for (int x = 0; x < EXTENT; x += wide) tma_load(tile + x * 64, map, full, x, 0);
    }
  }
  /// The descriptor of the tile's 16 of K from `k` on.
  template <Major MAJOR, int EXTENT>
  TS_DEVICE static TileDescriptor descriptor(SharedPtr<std::uint16_t> tile, int k) {
    int const at = MAJOR == Major::k ? k / wide * wide * EXTENT + k % wide : k * wide;
    if constexpr (SWIZZLE != TileSwizzle::none) return tile_descriptor(tile + at, 64 * span, 8 * span, SWIZZLE);
    else if constexpr (MAJOR == Major::k) return tile_descriptor(tile + at, EXTENT * span, 8 * span, SWIZZLE);
    else return tile_descriptor(tile + at, 8 * span, 64 * span, SWIZZLE);
  }

  TS_DEVICE void operator()(Shared& memory, TileParams const& p) const {
    if constexpr (backend_has_hopper) {
      auto const sA = shared(memory.a, "sA"), sB = shared(memory.b, "sB");
      auto const full = shared(memory.full, "full");
      if (thread_index() == 0) {
        mbarrier_init(full, 1);
        fence_mbarrier_init();
      }
      sync_threads();  // the mbarrier is made before anybody waits
      if (thread_index() == 0) {
        mbarrier_arrive_expect(full, (64 + N) * 64 * 2);
        load_panels<A, 64>(sA, p.a, full);
        load_panels<B, N>(sB, p.b, full);
      }
      if constexpr (BUG != Bug::no_wait_for_copy) mbarrier_wait(full, 0);
      float d[N / 2];
      TS_UNROLL
      for (float& each : d) each = 1;
      if constexpr (BUG != Bug::no_products_fence) wgmma_fence();
      std::uint32_t registers[16];
      if constexpr (A_IN_REGISTERS) {
        // Rows l / 4 and l / 4 + 8 of the warp's 16, columns 2 (l % 4) and that + 8.
        TS_UNROLL
        for (int i = 0; i < 16; ++i) {
          int const row = warp_index() * 16 + lane_index() / 4 + i % 2 * 8,
                    column = i / 4 * 16 + i / 2 % 2 * 8 + lane_index() % 4 * 2;
          load<2>(global(p.a_rows) + (row * 64 + column), reinterpret_cast<std::uint16_t*>(registers + i));
        }
        wgmma_fence();
      }
      TS_UNROLL
      for (int k = 0; k < 64; k += 16) {
        if constexpr (A_IN_REGISTERS)
          wgmma(SM90_64xNx16_RS<N, T, B>{}, registers + k / 4, descriptor<B, N>(sB, k), d, true);
        else wgmma(SM90_64xNx16_SS<N, T, A, B>{}, descriptor<A, 64>(sA, k), descriptor<B, N>(sB, k), d, k > 0);
      }
      wgmma_commit();
      if constexpr (BUG == Bug::releases_early) sA[thread_index()] = 0;  // the tile is still to be read
      if constexpr (BUG != Bug::no_products_wait) wgmma_wait<0>();
      TS_UNROLL
      for (int i = 0; i < N / 2; ++i) global(p.d)[thread_index() * (N / 2) + i] = d[i];
    }
  }
};

/// C = A B of 64 x N x 64 from tiles that threads write, each element where the tile's layout has it. a_rows, and
/// b_rows: (N,64), K contiguous.
template <int N, Major A, Major B, TileSwizzle SWIZZLE, Bug BUG = Bug::none>
struct FilledProduct {
  static constexpr char const* name = "FilledProduct";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 128;
  using SmemA = decltype(swizzled_tile<bfloat16_t, A, SWIZZLE>(Shape<_64, _64>{}));
  using SmemB = decltype(swizzled_tile<bfloat16_t, B, SWIZZLE>(Shape<Int<N>, _64>{}));
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, cosize_v<SmemA>> a;
    alignas(1024) SharedArray<std::uint16_t, cosize_v<SmemB>> b;
  };

  template <class TensorT>
  TS_DEVICE static void fill(TensorT const& tile, GlobalPtr<std::uint16_t const> rows) {
    for (int i = thread_index(); i < int(size(tile)); i += threads) tile(i / 64, i % 64) = std::uint16_t(rows[i]);
  }

  TS_DEVICE void operator()(Shared& memory, TileParams const& p) const {
    if constexpr (backend_has_hopper) {
      auto const sA = make_view(shared(memory.a, "sA"), SmemA{});  // (64,64)
      auto const sB = make_view(shared(memory.b, "sB"), SmemB{});  // (N,64)
      fill(sA, global(p.a_rows));
      fill(sB, global(p.b_rows));
      if constexpr (BUG != Bug::no_proxy_fence) fence_proxy_async();
      if constexpr (BUG != Bug::no_group_barrier) sync_threads();  // all have written before the tensor cores read
      auto mma = make_tiled_mma(SM90_64xNx16_SS<N, DType::bf16, A, B>{});
      auto const thr_mma = mma.slice(thread_index());
      auto const tCrA = thr_mma.partition_fragment_A(sA);  // (1,MMA_M,MMA_K)
      auto const tCrB = thr_mma.partition_fragment_B(sB);  // (1,MMA_N,MMA_K)
      auto tCrC = thr_mma.partition_fragment_C(make_identity_tensor(Shape<_64, Int<N>>{}));  // (MMA,MMA_M,MMA_N)
      mma.accumulate_ = GMMA::ScaleOut::Zero;
      warpgroup_arrive();
      static_for<4>([&](auto k) TS_INLINE_LAMBDA {
        gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCrC);
        mma.accumulate_ = GMMA::ScaleOut::One;
      });
      warpgroup_commit_batch();
      warpgroup_wait<0>();
      static_for<N / 2>([&](auto i) TS_INLINE_LAMBDA { global(p.d)[thread_index() * (N / 2) + i] = tCrC(i); });
    }
  }
};

struct RingParams {
  TensorMap a, b, c;
  int tiles_m, tiles_n, k_tiles;  // tiles_m counts clusters of blocks
  int clusters;  // that were started: each takes one tile after another
};

/// C = A B, bf16, in a ring of stages: a producer and CONSUMERS warpgroups with 64 rows each; blocks of a cluster share
/// the tile of B.
template <int N, int STAGES, int CONSUMERS, int CLUSTER, Bug BUG = Bug::none>
struct Ring {
  static constexpr char const* name = "Ring";
  static constexpr char const* only_on = "sm90";
  static constexpr int cluster = CLUSTER, threads = 128 * (CONSUMERS + 1), M = 64 * CONSUMERS, K = 64;
  static constexpr int a_elements = M * K, b_elements = N * K, c_elements = 64 * 64, part = N / CLUSTER;
  template <int X>
  using Smem =
      decltype(swizzled_tile<bfloat16_t, Major::k, TileSwizzle::bytes_128>(Shape<Int<X>, Int<K>, Int<STAGES>>{}));
  using Mma = decltype(make_tiled_mma(SM90_64xNx16_SS<N, DType::bf16>{}, Layout<Shape<Int<CONSUMERS>, _1, _1>>{}));
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, STAGES * a_elements> a;
    alignas(1024) SharedArray<std::uint16_t, STAGES * b_elements> b;
    alignas(1024) SharedArray<std::uint16_t, CONSUMERS * c_elements> c;
    SharedArray<Mbarrier, STAGES> full, empty;
  };

  TS_DEVICE static int first_tile() { return int(block_index()) / CLUSTER; }
  TS_DEVICE static int row_of(RingParams const& p, int tile) {
    return (tile % p.tiles_m * CLUSTER + cluster_rank()) * M;
  }
  TS_DEVICE static int column_of(RingParams const& p, int tile) { return tile / p.tiles_m * N; }

  TS_DEVICE static void produce(Shared& memory, RingParams const& p) {
    auto const sA = shared(memory.a, "sA"), sB = shared(memory.b, "sB");
    auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
    int stage = 0, parity = BUG == Bug::empty_parity ? 0 : 1;
    for (int tile = first_tile(); tile < p.tiles_m * p.tiles_n; tile += p.clusters) {
      for (int k = 0; k < p.k_tiles + (BUG == Bug::one_copy_too_many ? 1 : 0); ++k) {
        if constexpr (BUG == Bug::no_wait_for_consumers) {}
        else if constexpr (CLUSTER == 1 || BUG == Bug::waits_in_block) mbarrier_wait(empty + stage, parity);
        else mbarrier_wait_cluster(empty + stage, parity);
        mbarrier_arrive_expect(full + stage, (BUG == Bug::too_few_bytes ? a_elements : a_elements + b_elements) * 2 +
                                                 (BUG == Bug::too_many_bytes ? 128 : 0));
        tma_load(sA + stage * a_elements, p.a, full + stage, k * K, row_of(p, tile));
        int const n = cluster_rank() * part;
        if constexpr (CLUSTER == 1) tma_load(sB + stage * b_elements, p.b, full + stage, k * K, column_of(p, tile));
        else
          tma_load_multicast(sB + stage * b_elements + n * K, p.b, full + stage, (1u << CLUSTER) - 1, k * K,
                             column_of(p, tile) + n);
        if (++stage == STAGES) stage = 0, parity ^= 1;
      }
    }
  }

  TS_DEVICE static void release(SharedPtr<Mbarrier> empty, int stage) {
    int const at = thread_index() % 128;
    if constexpr (CLUSTER == 1) {
      if (at == 0) mbarrier_arrive(empty + stage);
    } else if constexpr (BUG == Bug::releases_own_block) {
      if (at < CLUSTER) mbarrier_arrive(empty + stage);
    } else if (at < CLUSTER) {
      mbarrier_arrive_at(empty + stage, at);
    }
  }

  TS_DEVICE static void consume(Shared& memory, RingParams const& p) {
    auto const sA = shared(memory.a, "sA"), sB = shared(memory.b, "sB"), sC = shared(memory.c, "sC");
    auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
    int const consumer = warpgroup_index() - 1, lane = lane_index(), row = warp_index() % 4 * 16 + lane % 16;
    int stage = 0, parity = BUG == Bug::full_parity ? 1 : 0, previous = 0;
    auto const buffer = sC + consumer * c_elements;
    Mma mma;
    auto const thr_mma = mma.slice(consumer * 128);
    auto const tCrA = thr_mma.partition_fragment_A(make_view(sA, Smem<M>{}));  // (1,MMA_M,MMA_K,PIPE)
    auto const tCrB = thr_mma.partition_fragment_B(make_view(sB, Smem<N>{}));  // (1,MMA_N,MMA_K,PIPE)
    auto tCrC = thr_mma.partition_fragment_C(make_identity_tensor(Shape<Int<M>, Int<N>>{}));  // (MMA,MMA_M,MMA_N)
    float const* const d = tCrC.data().get();
    for (int tile = first_tile(); tile < p.tiles_m * p.tiles_n; tile += p.clusters) {
      for (int k = 0; k < p.k_tiles; ++k) {
        if constexpr (BUG != Bug::no_wait_for_copy) mbarrier_wait(full + stage, parity);
        if constexpr (BUG != Bug::no_products_fence) wgmma_fence();
        mma.accumulate_ = k > 0 ? ScaleOut::One : ScaleOut::Zero;
        static_for<K / 16>([&](auto i) TS_INLINE_LAMBDA {
          gemm(mma, tCrA(_, _, i, stage), tCrB(_, _, i, stage), tCrC);
          mma.accumulate_ = ScaleOut::One;
        });
        wgmma_commit();
        if constexpr (BUG == Bug::releases_early) release(empty, stage);
        wgmma_wait<1>();  // the products of the stage before are over
        if constexpr (BUG == Bug::one_wait_too_few) release(empty, stage);
        else if constexpr (BUG != Bug::releases_early) {
          if (k > 0) release(empty, BUG == Bug::swapped_stage ? stage : previous);
        }
        previous = stage;
        if (++stage == STAGES) stage = 0, parity ^= 1;
      }
      if constexpr (BUG != Bug::no_products_wait) wgmma_wait<0>();
      if constexpr (BUG != Bug::releases_early && BUG != Bug::one_wait_too_few) release(empty, previous);

      // 64 columns at a time through shared memory: stmatrix, then one copy.
      TS_UNROLL
      for (int n = 0; n < N; n += 64) {
        if constexpr (BUG != Bug::no_store_wait) {
          if (thread_index() % 128 == 0) tma_store_wait_read<0>();
        }
        sync_group<128>(1 + consumer);  // the copy before has read the buffer before it is written again
        TS_UNROLL
        for (int j = 0; j < 64; j += 16) {
          std::uint32_t packed[4];
          TS_UNROLL
          for (int i = 0; i < 4; ++i) {
            float const* const pair = d + (n + j) / 2 + 2 * i;
            packed[i] = std::uint32_t(bfloat16_t(pair[0]).bits) | std::uint32_t(bfloat16_t(pair[1]).bits) << 16;
          }
          // Matrices 0 and 1 are rows 0-7 and 8-15 of eight columns, 2 and 3 of the next eight.
          auto const at = swizzled(std::uint32_t(row * 128 + (j + lane / 16 * 8) * 2), TileSwizzle::bytes_128);
          stmatrix<4, false>(buffer + int(at / 2), packed);
        }
        if constexpr (BUG != Bug::no_proxy_fence) fence_proxy_async();
        // all have written before the copy reads
        if constexpr (BUG != Bug::no_group_barrier) sync_group<128>(1 + consumer);
        if (thread_index() % 128 == 0) {
          tma_store(p.c, buffer, column_of(p, tile) + n, row_of(p, tile) + consumer * 64);
          tma_store_commit();
        }
      }
    }
    if (thread_index() % 128 == 0) tma_store_wait_read<0>();
  }

  TS_DEVICE void operator()(Shared& memory, RingParams const& p) const {
    if constexpr (backend_has_hopper) {
      if (thread_index() == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
          mbarrier_init(shared(memory.full, "full") + stage, 1);
          mbarrier_init(shared(memory.empty, "empty") + stage,
                        CONSUMERS * CLUSTER + (BUG == Bug::one_arrival_too_few ? 1 : 0));
        }
        if constexpr (BUG != Bug::no_init_fence) fence_mbarrier_init();
      }
      if constexpr (CLUSTER > 1) sync_cluster();  // all mbarriers of the cluster are made
      else if constexpr (BUG != Bug::no_init_barrier) sync_threads();
      if (warpgroup_index() == 0) {
        if constexpr (CONSUMERS == 2) give_registers<40>();  // 384 threads begin with 168
        if (thread_index() == 0) produce(memory, p);
      } else {
        if constexpr (CONSUMERS == 2) take_registers<232>();
        consume(memory, p);
      }
      if constexpr (CLUSTER > 1 && BUG != Bug::ends_alone) sync_cluster();  // nobody arrives at a block that has ended
    }
  }
};

}  // namespace hopper_test
