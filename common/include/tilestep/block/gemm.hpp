#pragma once
// The product of two tiles in shared memory, by all threads of a block: each warp reads its fragments of A and B and
// multiplies them with its part of C in registers.

#include <tilestep/block/copy.hpp>  // copy from shared memory into fragments

namespace tilestep {

namespace detail {

/// Fill a thread's fragment of an operand. By lanes: each reads its own elements.
template <int X, int Bits, class Mma, class Thread, class TensorT, class Fragment>
TS_INLINE TS_HOST_DEVICE constexpr void read_fragment(AutoVectorizingCopyWithAssumedAlignment<Bits> const& operation,
                                                      Mma const& mma, Thread const& thread, TensorT const& s,
                                                      Fragment& r) {
  auto const part = mma.slice(thread);
  if constexpr (X == 0) copy(operation, part.partition_A(s), r);
  else copy(operation, part.partition_B(s), r);
}
// [by_warps]
/// By warps: with ldmatrix a lane receives elements from addresses that other lanes gave.
template <int X, class Operation, class Mma, class Thread, class TensorT, class Fragment>
TS_INLINE TS_HOST_DEVICE constexpr void read_fragment(Operation const&, Mma const& mma, Thread const& thread,
                                                      TensorT const& s, Fragment& r) {
  using T = typename TensorT::value_type;
  auto const tiled = [&] {
    if constexpr (X == 0) return make_tiled_copy_A(CopyAtom<Operation, T>{}, mma);
    else return make_tiled_copy_B(CopyAtom<Operation, T>{}, mma);
  }();
  copy(CopyAtom<Operation, T>{}, tiled.slice(thread).partition_S(s), tiled.retile(r));
}
// [by_warps]

/// A shared tile with K as its second mode. @param tile (M,K), or (K0,M,K1) with k = k0 K1 + k1 @return (M,K) or
/// (M,(K1,K0))
template <class TensorT>
TS_INLINE TS_HOST_DEVICE constexpr auto as_mk(TensorT const& tile) {
  if constexpr (TensorT::rank == 3) {
    auto const layout = tile.layout();
    return make_view(tile.data(), make_layout(get<1>(layout), make_layout(get<2>(layout), get<0>(layout))));
  } else {
    return tile;
  }
}

}  // namespace detail

/// Fill this thread's fragments of an operand from shared memory, as the instruction takes them: by a `copy` where each
/// lane reads its own elements. With `ldmatrix` a lane receives elements from addresses that other lanes gave, and the
/// fragment is arranged in the order of ldmatrix.
/// @tparam ReadA  the operation: ldmatrix, or the widest accesses of a lane
/// @param thread 0 .. size(mma) - 1   @param sA (M,K)   @param rA (MMA,MMA_M,MMA_K)
template <class ReadA, class Mma, class Thread, class TensorA, class FragmentA>
TS_INLINE TS_HOST_DEVICE constexpr void read_fragment_A(Mma const& mma, Thread const& thread, TensorA const& sA,
                                                        FragmentA&& rA) {
  detail::read_fragment<0>(ReadA{}, mma, thread, sA, rA);
}
/// The same for B. @param sB (N,K)   @param rB (MMA,MMA_N,MMA_K)
template <class ReadB, class Mma, class Thread, class TensorB, class FragmentB>
TS_INLINE TS_HOST_DEVICE constexpr void read_fragment_B(Mma const& mma, Thread const& thread, TensorB const& sB,
                                                        FragmentB&& rB) {
  detail::read_fragment<1>(ReadB{}, mma, thread, sB, rB);
}

/// C += A B^T for one tile, each thread its part of C. It does not synchronise: sA and sB must be complete, and stay so
/// until all have read.
/// @tparam ReadA, ReadB  the operations that fill fragments from shared memory; unless named, each thread reads its
/// own elements in the widest accesses that their layout allows
/// @param thread 0 .. size(mma) - 1   @param sA (M,K) or (K0,M,K1)   @param sB (N,K) or (K0,N,K1)
/// @param rC (MMA,MMA_M,MMA_N), this thread's: partition_C says which elements they are
/// @par Source CK's `blockwise_gemm_xdl`
// [blockwise_gemm]
template <class ReadA = AutoVectorizingCopyWithAssumedAlignment<128>, class ReadB = ReadA, class Mma, class Thread,
          class TensorA, class TensorB, class TensorC>
TS_INLINE TS_HOST_DEVICE constexpr void blockwise_gemm(Mma const& mma, Thread const& thread, TensorA const& sA,
                                                       TensorB const& sB, TensorC& rC) {
  auto const part = mma.slice(thread);
  auto const mk = detail::as_mk(sA);                                                            // (M,K)
  auto const nk = detail::as_mk(sB);                                                            // (N,K)
  auto rA = part.partition_fragment_A(mk);                                                      // (MMA,MMA_M,MMA_K)
  auto rB = part.partition_fragment_B(nk);                                                      // (MMA,MMA_N,MMA_K)
  detail::read_fragment<0>(ReadA{}, mma, thread, mk, rA);
  detail::read_fragment<1>(ReadB{}, mma, thread, nk, rB);
  gemm(typename Mma::Atom{}, rA, rB, rC);
}
// [blockwise_gemm]

}  // namespace tilestep
