#pragma once
// A warpgroup's sums in registers, and a slab of them, a part of C, in shared memory on its way out.

#include "config.hpp"  // HopperConfig

#include <tilestep/atom/stmatrix.hpp>   // stmatrix
#include <tilestep/atom/tiled_mma.hpp>  // make_tiled_mma
#include <tilestep/block/copy.hpp>      // copies by atoms

#include <algorithm>  // std::min

namespace tilestep {

/// A warpgroup's sums, and the slabs they leave in: 64 rows of so many columns, band after band.
/// @tparam Config  with operands along K
template <class Config>
struct WarpgroupSums {
  /// Warpgroups that share a tile have 64 rows each; in ping-pong one has them all.
  static constexpr int groups = Config::roles == Roles::ping_pong ? 1 : Config::consumers;
  template <class Operation>
  using TileMma = decltype(make_tiled_mma(Operation{}, Layout<Shape<Int<groups>, _1, _1>>{}));

  decltype(TileMma<SM90_64xNx16_SS<Config::N, Config::type>>::slice(0).partition_fragment_C(
      make_identity_tensor(Tile<typename Config::BlkM, typename Config::BlkN>{}))) tCrC;  // (MMA,MMA_M,MMA_N)
  int group;  ///< which of the tile's warpgroups this is

  TS_DEVICE explicit WarpgroupSums(int consumer) : group(groups > 1 ? consumer : 0) {}

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

/// A slab in shared memory as stmatrix writes and TMA reads it.   (SLAB_M,SLAB_N)
/// @tparam MAJOR  k: rows are contiguous, as in C; mn: columns, as in C^T
template <class Sums, class TOut, Major MAJOR = Major::k, int COLUMNS = Sums::template slab_columns<sizeof(TOut)>>
using SlabLayout = decltype(coalesce(
    swizzled_tile<TOut, MAJOR, TileSwizzle(std::min(128, (MAJOR == Major::k ? COLUMNS : Sums::slab_rows) *
                                                             int(sizeof(TOut))))>(
        Shape<Int<Sums::slab_rows>, Int<COLUMNS>>{}),
    Shape<_1, _1>{}));

// [write]
/// This thread's sums of a slab to shared memory, in the type of C: 16 bits by stmatrix, 32 bits in pairs of a row.
/// @tparam SlabMma  which sums of a slab a thread has   @param sums (MMA,MMA_M,MMA_N) in registers
/// @param sC (SLAB_M,SLAB_N)   @param finish  what becomes of sum i
template <Major MAJOR, class SlabMma, class Slab, class TensorC, class F>
TS_DEVICE TS_INLINE void write_slab(Slab const& sums, TensorC const& sC, F const& finish) {
  using TOut = typename TensorC::value_type;
  constexpr bool narrow = sizeof(TOut) == 2;
  using AlongN = std::conditional_t<narrow, SM90_U32x4_STSM_N, UniversalCopy<std::uint64_t>>;
  using AlongM = std::conditional_t<narrow, SM90_U16x8_STSM_T, UniversalCopy<std::uint32_t>>;
  using Operation = std::conditional_t<MAJOR == Major::k, AlongN, AlongM>;
  auto rD = make_register_tensor<TOut>(sums.shape());                                       // (MMA,MMA_M,MMA_N)
  unroll<size_v<typename Slab::layout_type>>([&](auto i) TS_INLINE_LAMBDA { element(rD, i) = TOut(finish(i)); });
  auto const tiled = make_tiled_copy_C(CopyAtom<Operation, TOut>{}, SlabMma{});
  auto const thr_copy = tiled.slice(thread_index() % warpgroup_size);
  copy(tiled, thr_copy.retile_S(rD), thr_copy.partition_D(sC));                             // (CPY,CPY_M,CPY_N)
}
// [write]

}  // namespace tilestep
