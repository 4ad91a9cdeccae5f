#pragma once
// What CuTe's algebra does with swizzles beyond the layout layer: as the right side of a composition, inverted, and in
// the layout that two layouts have in common.

#include <tilestep/layout.hpp>  // Swizzle, ComposedLayout

namespace tilestep {

namespace detail {
/// The number of bits of a mask, and its lowest one.
TS_HOST_DEVICE constexpr int bits_in(unsigned mask) { return mask == 0 ? 0 : int(mask & 1) + bits_in(mask >> 1); }
TS_HOST_DEVICE constexpr int lowest_in(unsigned mask) { return mask == 0 || (mask & 1) ? 0 : 1 + lowest_in(mask >> 1); }
TS_HOST_DEVICE constexpr bool in_one_run(unsigned mask) {
  unsigned const shifted = mask >> lowest_in(mask);
  return (shifted & (shifted + 1)) == 0;
}
}  // namespace detail

/// The swizzle that xors the bits of Y into those of Z.
template <int Y, int Z>
TS_HOST_DEVICE constexpr auto make_swizzle() {
  constexpr int bits = detail::bits_in(Y), lowest_y = detail::lowest_in(Y), lowest_z = detail::lowest_in(Z);
  static_assert(bits == detail::bits_in(Z) && detail::in_one_run(Y) && detail::in_one_run(Z),
                "make_swizzle: Y and Z are two runs of as many bits: choose such masks");
  if constexpr (bits == 0) return Swizzle<0, 4, 3>{};
  else return Swizzle<bits, (lowest_y < lowest_z ? lowest_y : lowest_z), lowest_y - lowest_z>{};
}

/// Every offset that the swizzle's bits reach, swizzled.
template <int B, int M, int S>
TS_HOST_DEVICE constexpr auto make_layout(Swizzle<B, M, S> const& swizzle) {
  return composition(swizzle, Layout<Int<(1 << (M + B + (S < 0 ? -S : S)))>, Int<1>>{});
}

// ---- Composition: lhs(swizzle(c)) is another swizzle of lhs(c), where lhs moves bits as they are ----

/// @pre lhs moves each bit that the swizzle reads or changes to one place
template <class T, class D, int B, int M, int S>
TS_HOST_DEVICE constexpr auto composition(Layout<T, D> const& lhs, Swizzle<B, M, S> const&) {
  using Y = decltype(lhs(Int<Swizzle<B, M, S>::yyy>{}));
  using Z = decltype(lhs(Int<Swizzle<B, M, S>::zzz>{}));
  static_assert(is_static_v<Y> && is_static_v<Z>,
                "composition: a swizzle on the right wants a left layout known at compile time: write it as Int<>");
  return composition(make_swizzle<int(Y::value), int(Z::value)>(), lhs);
}
/// @post result(c) == lhs(rhs(c)) for all c
template <class T, class D, int B, int M, int S, class L>
TS_HOST_DEVICE constexpr auto composition(Layout<T, D> const& lhs, ComposedLayout<Swizzle<B, M, S>, _0, L> const& rhs) {
  return composition(composition(lhs, rhs.layout_a()), rhs.layout_b());
}

// ---- Inverses: a swizzle is its own ----

template <int B, int M, int S>
TS_HOST_DEVICE constexpr Swizzle<B, M, S> right_inverse(Swizzle<B, M, S> const& swizzle) { return swizzle; }
template <int B, int M, int S>
TS_HOST_DEVICE constexpr Swizzle<B, M, S> left_inverse(Swizzle<B, M, S> const& swizzle) { return swizzle; }

template <int B, int M, int S, class L>
TS_HOST_DEVICE constexpr auto right_inverse(ComposedLayout<Swizzle<B, M, S>, _0, L> const& c) {
  return composition(right_inverse(c.layout_b()), c.layout_a());
}
template <int B, int M, int S, class L>
TS_HOST_DEVICE constexpr auto left_inverse(ComposedLayout<Swizzle<B, M, S>, _0, L> const& c) {
  return composition(left_inverse(c.layout_b()), c.layout_a());
}

// ---- What two layouts have in common ----

/// As of layouts without a swizzle, as far as the swizzle leaves elements side by side.
template <class A, class B>
  requires(is_composed_layout_v<A> || is_composed_layout_v<B>)
TS_HOST_DEVICE constexpr auto max_common_layout(A const& a, B const& b) {
  auto const common = max_common_layout(detail::unswizzled(a), detail::unswizzled(b));
  auto const count = max_common_vector(a, b);
  if constexpr (decltype(count)::value < size_v<decltype(common)>) return composition(common, count);
  else return common;
}

}  // namespace tilestep
