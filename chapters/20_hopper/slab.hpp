#pragma once
// A slab of C, a part of a warpgroup's sums, in shared memory on its way out.

#include "products.hpp"  // Products

#include <tilestep/atom/stmatrix.hpp>  // stmatrix
#include <tilestep/block/copy.hpp>     // copies by atoms

#include <algorithm>  // std::min

namespace tilestep {

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
  static_for<size_v<typename Slab::layout_type>>([&](auto i) TS_INLINE_LAMBDA { rD(i) = TOut(finish(i)); });
  auto const tiled = make_tiled_copy_C(CopyAtom<Operation, TOut>{}, SlabMma{});
  auto const thr_copy = tiled.slice(thread_index() % warpgroup_size);
  copy(tiled, thr_copy.retile_S(rD), thr_copy.partition_D(sC));                             // (CPY,CPY_M,CPY_N)
}
// [write]

}  // namespace tilestep
