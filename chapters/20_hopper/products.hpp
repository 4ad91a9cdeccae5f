#pragma once
// How the tiles of a ring are multiplied: by wgmma, which reads them where they are, or by mma.sync, whose operands a
// warp reads into registers first. Both hold their sums in registers, and give them to the epilogue in slabs.

#include "stage_ring.hpp"  // StageRing

#include <tilestep/algorithm/gemm.hpp>   // gemm
#include <tilestep/atom.hpp>             // SM80_16x8x16
#include <tilestep/block/pipeline.hpp>  // TileHalves

namespace tilestep {

// [wgmma]
/// A warpgroup's sums by wgmma.
template <class Config>
struct WgmmaProducts {
  using Ring = StageRing<Config>;
  using Operation = SM90_64xNx16_SS<Config::N, Config::type, Config::major_a, Config::major_b>;
  /// Warpgroups that share a tile have 64 rows each; in ping-pong one has them all.
  static constexpr int groups = Config::roles == Roles::ping_pong ? 1 : Config::consumers;
  using Mma = decltype(make_tiled_mma(Operation{}, Layout<Shape<Int<groups>, _1, _1>>{}));
  using Sums = decltype(Mma::slice(0).partition_fragment_C(
      make_identity_tensor(Tile<typename Config::BlkM, typename Config::BlkN>{})));

  Sums tCrC;  // (MMA,MMA_M,MMA_N)
  int group;  ///< which of Mma's warpgroups this is

  TS_DEVICE explicit WgmmaProducts(int consumer) : group(groups > 1 ? consumer : 0) {}

  /// C = A B over the tiles of the ring from `at` on. The last products are still on their way when it returns.
  /// @param after  after(i) is called in every step, when the products of tile i are issued and the stage of tile i - 1
  ///     is free
  template <class F>
  TS_DEVICE TS_INLINE void multiply(RingMemory<Config>& memory, typename Ring::Place& at, int k_tiles, F const& after) {
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
      wgmma_wait<1>();  // the products of the tile before are over
      if (i > 0) ring.release(at.previous());
      after(i);
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
  // The coordinate of a slab in the block's tile of C.
  template <int COLUMNS> TS_DEVICE TS_INLINE int slab_m(int slab) const { return group + slab / (Config::N / COLUMNS); }
  template <int COLUMNS> TS_DEVICE TS_INLINE int slab_n(int slab) const { return slab % (Config::N / COLUMNS); }

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

namespace detail {
template <MatrixType T>
struct MmaSync {
  using type = SM80_16x8x16_F32F16F16F32_TN;
};
template <>
struct MmaSync<MatrixType::bf16> {
  using type = SM80_16x8x16_F32BF16BF16F32_TN;
};

/// Chapter 17's configuration on half a tile of the ring: 2 x 4 warps, each with 16 neighbouring columns of every 64.
template <class Config>
struct MmaPipeline
    : Pipeline<GemmConfig<typename MmaSync<Config::type>::type, BlockTile<Config::M, Config::N, Config::K / 2, 2, 4>,
                          typename Config::T, Contiguous::k, Contiguous::k, 8>,
               Route::async, 2> {
  using Mma = decltype(make_tiled_mma(MmaAtom<typename MmaSync<Config::type>::type>{}, Layout<Shape<_2, _4, _1>>{},
                                      Tile<Underscore, Layout<Shape<_8, _4, _2>, Stride<_1, _16, _8>>, Underscore>{}));
};
}  // namespace detail

// [mma]
/// A warpgroup's sums by mma.sync.
template <class Config>
struct MmaProducts {
  using Ring = StageRing<Config>;
  using Pipe = detail::MmaPipeline<Config>;
  using Mma = typename Pipe::Mma;

  // (MMA,MMA_M,MMA_N)
  decltype(Mma::slice(0).partition_fragment_C(
      make_identity_tensor(Tile<typename Pipe::BlkM, typename Pipe::BlkN>{}))) tCrC;
  int first_warp;  ///< of this warpgroup's, among those that multiply

  TS_DEVICE explicit MmaProducts(int consumer) : first_warp(consumer * 4) {}

  /// As WgmmaProducts::multiply().
  template <class F>
  TS_DEVICE TS_INLINE void multiply(RingMemory<Config>& memory, typename Ring::Place& at, int k_tiles, F const& after) {
    auto const ring = Ring::of(memory);
    auto const a = shared(memory.a, "sA");
    auto const b = shared(memory.b, "sB");
    // Half a tile along K, as chapter 17's pipeline has it: (BLK_M,BLK_K / 2) and (BLK_N,BLK_K / 2).
    auto const sA = [&](int stage, auto half) TS_INLINE_LAMBDA {
      return local_tile(make_tensor(a + stage * cosize_v<typename Config::TileA>, typename Config::TileA{}),
                        Tile<typename Pipe::BlkM, typename Pipe::BlkK>{}, make_coord(_0{}, half));
    };
    auto const sB = [&](int stage, auto half) TS_INLINE_LAMBDA {
      return local_tile(make_tensor(b + stage * cosize_v<typename Config::TileB>, typename Config::TileB{}),
                        Tile<typename Pipe::BlkN, typename Pipe::BlkK>{}, make_coord(_0{}, half));
    };
    TileHalves<Pipe> fragments;
    clear(tCrC);
    for (int i = 0; i < k_tiles; ++i) {
      ring.await(at);
      fragments.read_lower(sA(at.stage, _0{}), sB(at.stage, _0{}));
      fragments.read_upper_multiply_lower(sA(at.stage, _0{}), sB(at.stage, _0{}), tCrC);
      fragments.read_lower(sA(at.stage, _1{}), sB(at.stage, _1{}));
      fragments.multiply_upper(tCrC);
      fragments.read_upper_multiply_lower(sA(at.stage, _1{}), sB(at.stage, _1{}), tCrC);
      ring.release(at.stage);
      after(i);
      at.advance();
      fragments.multiply_upper(tCrC);
    }
  }
  TS_DEVICE TS_INLINE void finish(RingMemory<Config>&, typename Ring::Place const&) const {}
  // [mma]

  // The warpgroup's slabs: all rows of 32 columns, of every 64.
  static constexpr int slab_rows = Config::M;
  template <int BYTES> static constexpr int slab_columns = 32;
  template <int COLUMNS> static constexpr int slabs = Config::N / 64;
  template <int COLUMNS> TS_DEVICE TS_INLINE int slab_m(int) const { return 0; }
  template <int COLUMNS> TS_DEVICE TS_INLINE int slab_n(int slab) const { return slab * 2 + first_warp / 4; }

  /// Which sums of a slab a thread has: those of half as many warps.
  template <int COLUMNS>
  using SlabMma =
      decltype(make_tiled_mma(MmaAtom<typename detail::MmaSync<Config::type>::type>{}, Layout<Shape<_2, _2, _1>>{},
                              Tile<Underscore, Layout<Shape<_8, _2, _2>, Stride<_1, _16, _8>>, Underscore>{}));
  /// A slab's sums. @return (MMA,MMA_M,MMA_N)
  template <int COLUMNS, class Index>
  TS_DEVICE TS_INLINE auto slab_sums(Index slab) const {
    auto const halves = logical_divide(tCrC.layout(), make_tile(_, _, _2{}));                 // (MMA,MMA_M,(2,slab))
    auto const [part, offset] = slice_and_offset(make_coord(_, _, make_coord(_, slab)), halves);
    return make_view(tCrC.data() + offset, part);
  }
};

template <class Config>
using Products = std::conditional_t<Config::by_warps, MmaProducts<Config>, WgmmaProducts<Config>>;

}  // namespace tilestep
