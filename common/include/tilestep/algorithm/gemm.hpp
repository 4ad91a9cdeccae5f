#pragma once
// C += A B, on tensors of one, two or three modes. The modes say what is multiplied: K, the summed mode, stands rightmost; V, a mode of
// independent elements (the values of one instruction), leftmost; B is (N,K). Five forms, each made of a smaller one:
//
//     (V,M,K) x (V,N,K) => (V,M,N)    for each k:     (V,M) x (V,N) => (V,M,N)
//     (V,M)   x (V,N)   => (V,M,N)    for each m, n:  (V) x (V) => (V)
//     (M,K)   x (N,K)   => (M,N)      for each k:     (M) x (N) => (M,N)
//     (M)     x (N)     => (M,N)      with V = 1:     (V,M) x (V,N) => (V,M,N)
//     (V)     x (V)     => (V)        the atom: an FMA for each v, or one matrix instruction

#include <tilestep/algorithm/copy.hpp>  // copy, for_each_index
#include <tilestep/atom.hpp>            // MmaAtom, UniversalFMA

namespace tilestep {

namespace detail {
template <class P, class Q>
inline constexpr bool same_extent = !is_static_v<P> || !is_static_v<Q> || P{} == Q{};
template <class P, class Q>
  requires(!is_static_v<P> || !is_static_v<Q>)
inline constexpr bool same_extent<P, Q> = true;

/// The extents of mode I of `t`, as one number.
template <int I, class T>
using extent_t = remove_cvref_t<decltype(size<I>(std::declval<T const&>().layout()))>;

/// The same tensor with a V mode of one element in front.
template <class TensorT>
TS_HOST_DEVICE constexpr auto with_v(TensorT&& t) {
  return make_view(t.data(), make_layout(prepend(t.shape(), Int<1>{}), prepend(t.stride(), Int<0>{})));
}

/// Step i of row m: N runs forwards in even rows and backwards in odd ones.
template <class Row, class Index, class N>
TS_HOST_DEVICE constexpr auto serpentine(Row m, Index i, N const& n) {
  if constexpr (is_static_v<Row> && is_static_v<Index>) return Int<(Row::value % 2 == 0 ? Index::value : N::value - 1 - Index::value)>{};
  else return m % 2 == 0 ? i : static_cast<Index>(n - 1 - i);
}

/// Whether `t` should be read into registers once before every element of it is used several times.
template <class T>
inline constexpr bool worth_staging = in_device_memory<T> && is_static_v<decltype(std::declval<T const&>().shape())>;

template <class T>
TS_HOST_DEVICE constexpr auto staged(T const& t) {
  auto fragment = make_fragment_like(t);
  copy(t, fragment);
  return fragment;
}
}  // namespace detail

/// C += A B with the instruction `atom`.
/// @param a (V), (M), (M,K), (V,M) or (V,M,K)
/// @param b (V), (N), (N,K), (V,N) or (V,N,K)
/// @param c (V), (M,N), (M,N), (V,M,N) or (V,M,N), accumulated in place
/// @par Errors a mismatch of ranks or of static extents is a compile error that names the mode; of dynamic extents, a checked error on the host
/// @par Source the dispatch table is that of CuTe's document on `gemm`
template <class Operation, class A, class B, class C>
TS_INLINE TS_HOST_DEVICE constexpr void gemm(MmaAtom<Operation> const& atom, A const& a, B const& b, C&& c) {
  using detail::extent_t;
  using detail::same_extent;
  using TC = remove_cvref_t<C>;
  constexpr int rank_a = rank_v<A>, rank_b = rank_v<B>, rank_c = rank_v<TC>;
  static_assert(rank_a == rank_b, "gemm: A and B differ in rank: A is (V,M,K) and B is (V,N,K), or both without V, K or both");
  static_assert((rank_a == 1 && (rank_c == 1 || rank_c == 2)) || (rank_a == 2 && (rank_c == 2 || rank_c == 3)) || (rank_a == 3 && rank_c == 3),
                "gemm: the ranks of A, B and C fit none of (V)(V)=>(V), (M)(N)=>(M,N), (M,K)(N,K)=>(M,N), (V,M)(V,N)=>(V,M,N), (V,M,K)(V,N,K)=>(V,M,N)");
  constexpr bool unroll = detail::in_registers<A> || detail::in_registers<B>;
  if constexpr (rank_a == 1 && rank_c == 1) {                            // (V) x (V) => (V)
    static_assert(!std::is_same_v<typename MmaAtom<Operation>::Shape_MNK, Shape<_1, _1, _1>> ||
                      (same_extent<extent_t<0, A>, extent_t<0, TC>> && same_extent<extent_t<0, B>, extent_t<0, TC>>),
                  "gemm: mode V of A, B and C differs in extent: an FMA multiplies vectors of one length");
    atom.call(c, a, b);
  } else if constexpr (rank_a == 1) {                                    // (M) x (N) => (M,N)
    gemm(atom, detail::with_v(a), detail::with_v(b), detail::with_v(c));
  } else if constexpr (rank_a == 2 && rank_c == 3) {                     // (V,M) x (V,N) => (V,M,N)
    static_assert(same_extent<extent_t<1, A>, extent_t<1, TC>>, "gemm: mode M of A and C differs in extent: partition both with one M tile");
    static_assert(same_extent<extent_t<1, B>, extent_t<2, TC>>, "gemm: mode N of B and C differs in extent: partition both with one N tile");
    require(size<1>(a.layout()) == size<1>(c.layout()), "gemm: mode M of A and C differs in extent");
    require(size<1>(b.layout()) == size<2>(c.layout()), "gemm: mode N of B and C differs in extent");
    if constexpr (detail::worth_staging<A>) {
      gemm(atom, detail::staged(a), b, c);
    } else if constexpr (detail::worth_staging<B>) {
      gemm(atom, a, detail::staged(b), c);
    } else {
      // In serpentine order each step reuses the A or the B of the step before.
      auto const extent = size<1>(b.layout());
      for_each_index<unroll>(size<1>(a.layout()), [&](auto m) {
        for_each_index<unroll>(extent, [&](auto i) {
          auto const n = detail::serpentine(m, i, extent);
          gemm(atom, a(_, m), b(_, n), c(_, m, n));
        });
      });
    }
  } else {                                                               // (M,K) x (N,K) => (M,N) and (V,M,K) x (V,N,K) => (V,M,N)
    constexpr int k_mode = rank_a - 1;
    static_assert(same_extent<extent_t<k_mode, A>, extent_t<k_mode, B>>, "gemm: mode K of A and B differs in extent: tile both with one BLK_K");
    require(size<k_mode>(a.layout()) == size<k_mode>(b.layout()), "gemm: mode K of A and B differs in extent");
    for_each_index<unroll>(size<k_mode>(a.layout()), [&](auto k) {
      if constexpr (rank_a == 2) gemm(atom, a(_, k), b(_, k), c);
      else gemm(atom, a(_, _, k), b(_, _, k), c);
    });
  }
}

/// C += A B with the default atom, one FMA in C's type.
template <class A, class B, class C>
  requires(is_tensor_v<A> && is_tensor_v<B>)
TS_INLINE TS_HOST_DEVICE constexpr void gemm(A const& a, B const& b, C&& c) {
  using Atom = MmaAtom<UniversalFMA<typename remove_cvref_t<C>::value_type, typename A::value_type, typename B::value_type>>;
  gemm(Atom{}, a, b, c);
}

}  // namespace tilestep
