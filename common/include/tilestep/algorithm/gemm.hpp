#pragma once
// C += A B, on tensors of one, two or three modes. The modes say what is multiplied: K, the summed mode, stands
// rightmost; V, a mode of independent elements (the values of one instruction), leftmost; B is (N,K). Five forms, each
// a loop around a smaller one:
//
//     (V)     x (V)     => (V)        the atom: an FMA for each v, or one matrix instruction
//     (V,M)   x (V,N)   => (V,M,N)    for each m, n:  (V) x (V) => (V)
//     (M)     x (N)     => (M,N)      with V = 1:     (V,M) x (V,N) => (V,M,N)
//     (M,K)   x (N,K)   => (M,N)      for each k:     (M) x (N) => (M,N)
//     (V,M,K) x (V,N,K) => (V,M,N)    for each k:     (V,M) x (V,N) => (V,M,N)
//
// The dispatch is that of CuTe's document on `gemm`.

#include <tilestep/algorithm/copy.hpp>  // copy
#include <tilestep/atom.hpp>            // MmaAtom, UniversalFMA, check_extents

namespace tilestep {

/// A tensor of so many modes.
template <class T, int Rank>
concept Modes = is_tensor_v<remove_cvref_t<T>> && remove_cvref_t<T>::rank == Rank;

namespace detail {
/// The same tensor with a V mode of one element in front.
template <class TensorT>
TS_HOST_DEVICE constexpr auto with_v(TensorT&& t) {
  return make_view(t.data(), make_layout(prepend(t.shape(), Int<1>{}), prepend(t.stride(), Int<0>{})));
}

/// An operand whose elements are used several times: read into registers once, where its extents allow that.
template <class TensorT>
TS_HOST_DEVICE constexpr auto reusable(TensorT const& t) {
  if constexpr (in_device_memory<TensorT> && is_static_v<decltype(t.shape())>) {
    auto fragment = make_fragment_like(t);
    copy(t, fragment);
    return fragment;
  } else {
    return make_view(t.data(), t.layout());
  }
}

template <class A, class B, class C>
inline constexpr bool unroll_gemm = in_registers<A> || in_registers<B> || in_registers<C>;
}  // namespace detail

// gemm(atom, a, b, c) computes c += a b with the instruction `atom`, in place.
// @par Errors  a mismatch of static extents is a compile error that names the mode, one of dynamic extents a checked
//     error on the host

/// (V) x (V) => (V): the atom.
template <class Op, Modes<1> A, Modes<1> B, Modes<1> C>
TS_INLINE TS_HOST_DEVICE constexpr void gemm(MmaAtom<Op> const& atom, A const& a, B const& b, C&& c) {
  atom.call(a, b, c);
}

/// (V,M) x (V,N) => (V,M,N): the atom for each m and n. In serpentine order each step reuses the A or the B of the step
/// before.
template <class Op, Modes<2> A, Modes<2> B, Modes<3> C>
TS_INLINE TS_HOST_DEVICE constexpr void gemm(MmaAtom<Op> const& atom, A const& a, B const& b, C&& c) {
  detail::check_extents<'M'>(size<1>(a), size<1>(c));
  detail::check_extents<'N'>(size<1>(b), size<2>(c));
  auto const rA = detail::reusable(a);                                           // (V,M)
  auto const rB = detail::reusable(b);                                           // (V,N)
  constexpr bool unroll = detail::unroll_gemm<decltype(rA), decltype(rB), C>;
  for_each_index<unroll>(size<1>(rA), [&](auto m) {
    for_each_index<unroll>(size<1>(rB), [&](auto i) {
      auto const n = detail::serpentine(m, i, size<1>(rB));
      gemm(atom, rA(_, m), rB(_, n), c(_, m, n));
    });
  });
}

/// (M) x (N) => (M,N): the form above with V = 1.
template <class Op, Modes<1> A, Modes<1> B, Modes<2> C>
TS_INLINE TS_HOST_DEVICE constexpr void gemm(MmaAtom<Op> const& atom, A const& a, B const& b, C&& c) {
  gemm(atom, detail::with_v(a), detail::with_v(b), detail::with_v(c));
}

/// (M,K) x (N,K) => (M,N): the form above for each k.
template <class Op, Modes<2> A, Modes<2> B, Modes<2> C>
TS_INLINE TS_HOST_DEVICE constexpr void gemm(MmaAtom<Op> const& atom, A const& a, B const& b, C&& c) {
  detail::check_extents<'K'>(size<1>(a), size<1>(b));
  for_each_index<detail::unroll_gemm<A, B, A>>(size<1>(a), [&](auto k) { gemm(atom, a(_, k), b(_, k), c); });
}

/// (V,M,K) x (V,N,K) => (V,M,N): the second form for each k.
template <class Op, Modes<3> A, Modes<3> B, Modes<3> C>
TS_INLINE TS_HOST_DEVICE constexpr void gemm(MmaAtom<Op> const& atom, A const& a, B const& b, C&& c) {
  detail::check_extents<'K'>(size<2>(a), size<2>(b));
  for_each_index<detail::unroll_gemm<A, B, A>>(size<2>(a), [&](auto k) { gemm(atom, a(_, _, k), b(_, _, k), c); });
}

/// The last form for matrix instructions: the whole tile at once, in the same order.
template <class Op, Modes<3> A, Modes<3> B, Modes<3> C>
  requires requires(A const& a, B const& b, C& c) { MmaAtom<Op>::call_tile(a, b, c); }
TS_INLINE TS_HOST_DEVICE constexpr void gemm(MmaAtom<Op> const& atom, A const& a, B const& b, C&& c) {
  atom.call_tile(a, b, c);
}

/// Modes that fit none of the forms.
template <class Op, class A, class B, class C>
TS_HOST_DEVICE constexpr void gemm(MmaAtom<Op> const&, A const&, B const&, C&&) {
  static_assert(sizeof(Op) == 0,
                "gemm: the modes of A, B and C fit none of (V)(V)=>(V), (M)(N)=>(M,N), (M,K)(N,K)=>(M,N), "
                "(V,M)(V,N)=>(V,M,N), (V,M,K)(V,N,K)=>(V,M,N)");
}

/// With the default atom: one FMA in C's type.
template <class A, class B, class C>
  requires(is_tensor_v<A> && is_tensor_v<B>)
TS_INLINE TS_HOST_DEVICE constexpr void gemm(A const& a, B const& b, C&& c) {
  gemm(MmaAtom<UniversalFMA<typename remove_cvref_t<C>::value_type, typename A::value_type, typename B::value_type>>{},
       a, b, c);
}

}  // namespace tilestep
