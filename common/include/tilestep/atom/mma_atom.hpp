#pragma once
// One matrix instruction as the algorithms see it: which shape it multiplies and a call that does it on one thread's
// fragments. An operation says what happens; its traits say in which layouts. MmaAtom joins the two.

#include <tilestep/tensor.hpp>  // Tensor, Layout, for_each_index

namespace tilestep {

namespace detail {
/// Extents p and q of one mode must agree: by the compiler where both are static, on the host otherwise.
template <char Mode, class P, class Q>
TS_HOST_DEVICE constexpr void check_extents(P const& p, Q const& q) {
  constexpr bool both_static = is_static_v<P> && is_static_v<Q>;
  constexpr bool fits = [] {
    if constexpr (both_static) return P::value == Q::value;
    else return true;
  }();
  static_assert(fits || Mode != 'V',
                "gemm: mode V of A, B and C differs in extent: an FMA multiplies vectors of one length");
  static_assert(fits || Mode != 'M', "gemm: mode M of A and C differs in extent: partition both with one M tile");
  static_assert(fits || Mode != 'N', "gemm: mode N of B and C differs in extent: partition both with one N tile");
  static_assert(fits || Mode != 'K', "gemm: mode K of A and B differs in extent: tile both with one BLK_K");
  if constexpr (!both_static) {
    require(p == q, Mode == 'M'   ? "gemm: mode M of A and C differs in extent: partition both with one M tile"
                    : Mode == 'N' ? "gemm: mode N of B and C differs in extent: partition both with one N tile"
                    : Mode == 'K'
                        ? "gemm: mode K of A and B differs in extent: tile both with one BLK_K"
                        : "gemm: mode V of A, B and C differs in extent: an FMA multiplies vectors of one length");
  }
}
}  // namespace detail

/// What an operation's traits provide:
///   Shape_MNK   the product it computes, (M,N,K)
///   ThrID       its threads
///   ALayout     (thread,value) -> (m,k), BLayout -> (n,k), CLayout -> (m,n), each a column-major index
///   ValA, ValB, ValC   element types
template <class Operation>
struct MmaTraits;

template <class Operation>
struct MmaAtom : MmaTraits<Operation> {
  /// C += A B on one thread's fragments.
  /// @param a (V)  @param b (V)  @param c (V), accumulated in place; each V as long as its layout's value mode says
  template <class A, class B, class C>
  TS_INLINE TS_HOST_DEVICE static constexpr void call(A const& a, B const& b, C&& c) {
    MmaTraits<Operation>::call(a, b, c);
  }
};

/// One multiply-add on one thread, d = a b + c in the accumulator's type: the atom that every target has.
template <class TD, class TA = TD, class TB = TA, class TC = TD>
struct UniversalFMA {};

template <class TD, class TA, class TB, class TC>
struct MmaTraits<UniversalFMA<TD, TA, TB, TC>> {
  static_assert(std::is_same_v<TD, TC>, "UniversalFMA accumulates in place: give C and D one type");
  using ValA = TA;
  using ValB = TB;
  using ValC = TC;
  using Shape_MNK = Shape<_1, _1, _1>;
  using ThrID = Layout<_1>;
  using ALayout = Layout<Shape<_1, _1>>;
  using BLayout = Layout<Shape<_1, _1>>;
  using CLayout = Layout<Shape<_1, _1>>;

  /// c(v) += a(v) b(v) for every v: rounded once for floating point, exact for integers.
  template <class A, class B, class C>
  TS_INLINE TS_HOST_DEVICE static constexpr void call(A const& a, B const& b, C&& c) {
    detail::check_extents<'V'>(size<0>(a), size<0>(c));
    detail::check_extents<'V'>(size<0>(b), size<0>(c));
    for_each_index<true>(size(c), [&](auto v) {
      TC const x = static_cast<TC>(static_cast<TA>(a(v)));
      TC const y = static_cast<TC>(static_cast<TB>(b(v)));
      TC const z = c(v);
      if constexpr (!std::is_floating_point_v<TC>) detail::use(z, "gemm");
      if constexpr (std::is_floating_point_v<TC>) c(v) = fma(x, y, z);
      else c(v) = static_cast<TC>(x * y + z);
    });
  }
};

}  // namespace tilestep
