#pragma once
// The products of the tiles of a ring, by wgmma, which reads them where they are. The sums are in registers; the
// epilogue takes them in slabs.

#include "stage_ring.hpp"  // StageRing

#include <tilestep/algorithm/gemm.hpp>   // gemm
#include <tilestep/atom/tiled_mma.hpp>  // make_tiled_mma

namespace tilestep {

// [wgmma]
/// A warpgroup's sums by wgmma.
template <class Config>
struct Products {
  using Ring = StageRing<Config>;
  using Operation = SM90_64xNx16_SS<Config::N, Config::type, Config::major_a, Config::major_b>;
  /// Warpgroups that share a tile have 64 rows each; in ping-pong one has them all.
  static constexpr int groups = Config::roles == Roles::ping_pong ? 1 : Config::consumers;
  using Mma = decltype(make_tiled_mma(Operation{}, Layout<Shape<Int<groups>, _1, _1>>{}));
  using Sums = decltype(Mma::slice(0).partition_fragment_C(
      make_identity_tensor(Tile<typename Config::BlkM, typename Config::BlkN>{})));

  Sums tCrC;  // (MMA,MMA_M,MMA_N)
  int group;  ///< which of Mma's warpgroups this is

  TS_DEVICE explicit Products(int consumer) : group(groups > 1 ? consumer : 0) {}

  /// C = A B over the tiles of the ring from `at` on. The last products are still in flight when it returns.
  TS_DEVICE TS_INLINE void multiply(RingMemory<Config>& memory, typename Ring::Place& at, int k_tiles) {
    auto const ring = Ring::of(memory);
    // [loop]
    Mma mma;
    auto const thr_mma = mma.slice(group * warpgroup_size);
    auto const tCrA = thr_mma.partition_fragment_A(memory.sA());         // (1,MMA_M,MMA_K,PIPE)
    auto const tCrB = thr_mma.partition_fragment_B(memory.sB());         // (1,MMA_N,MMA_K,PIPE)
    for (int i = 0; i < k_tiles; ++i) {
      ring.await(at);
      mma.accumulate_ = i > 0 ? ScaleOut::One : ScaleOut::Zero;
      wgmma_fence();
      auto const a = tCrA(_, _, _, at.stage);                            // (1,MMA_M,MMA_K)
      auto const b = tCrB(_, _, _, at.stage);                            // (1,MMA_N,MMA_K)
      static_for<decltype(size<2>(tCrA))::value>([&](auto k) TS_INLINE_LAMBDA {
        gemm(mma, a(_, _, k), b(_, _, k), tCrC);
        mma.accumulate_ = ScaleOut::One;
      });
      wgmma_commit();
      wgmma_wait<1>();  // the products of the tile before are complete
      if (i > 0) ring.release(at.previous());
      at.advance();
    }
    // [loop]
  }
  TS_DEVICE TS_INLINE void finish(RingMemory<Config>& memory, typename Ring::Place const& at) const {
    wgmma_wait<0>();
    Ring::of(memory).release(at.previous());
  }
  // [wgmma]

  // The warpgroup's slabs: 64 rows of so many columns, band after band.
  static constexpr int slab_rows = 64;
  template <int BYTES>
  static constexpr int slab_columns = Config::N % (128 / BYTES) == 0 ? 128 / BYTES
                                      : Config::N % 32 == 0          ? 32
                                                                     : 16;
  template <int COLUMNS> static constexpr int slabs = Config::M / groups / 64 * Config::N / COLUMNS;
  /// The coordinate of a slab in C, (m,n,l), counted in slabs. @param task  a BlockTask
  template <int COLUMNS, class Task>
  [[nodiscard]] TS_DEVICE TS_INLINE auto place_of(Task const& task, int slab) const {
    constexpr int across = Config::N / COLUMNS;  // slabs of a band
    return make_coord(task.m * (Config::M / slab_rows) + group + groups * (slab / across),
                      task.n * across + slab % across, task.sums);
  }

  // [slab_sums]
  /// Which sums of a slab a thread has: those of a wgmma with fewer columns.
  template <int COLUMNS>
  using SlabMma = decltype(make_tiled_mma(SM90_64xNx16_SS<COLUMNS, Config::type>{}));
  /// A slab's sums. @return (MMA,MMA_M,MMA_N)
  template <int COLUMNS, class Index>
  TS_DEVICE TS_INLINE auto slab_sums(Index slab) const {
    using Slab = decltype(SlabMma<COLUMNS>::slice(0).partition_fragment_C(
        make_identity_tensor(Shape<_64, Int<COLUMNS>>{})));
    return make_view(tCrC.data() + slab * Int<COLUMNS / 2>{}, typename Slab::layout_type{});
  }
  // [slab_sums]
};

}  // namespace tilestep
