#pragma once
// Loops over extents. An extent known at compile time becomes straight-line code whose indices are types, so that
// registers can be indexed; any other extent becomes a loop.

#include <tilestep/core.hpp>  // static_for, Int, Tuple

namespace tilestep {

/// Extents up to this many are unrolled even where no register tensor asks for it.
inline constexpr int unroll_limit = 64;

namespace detail {
template <class N>
inline constexpr bool short_extent = false;
template <auto n>
inline constexpr bool short_extent<C<n>> = n <= unroll_limit;
}  // namespace detail

/// Call f(0), .. f(n-1). Indices are Int<> where n is static and Unroll asks for it or n is small.
template <bool Unroll = false, class N, class F>
TS_INLINE TS_HOST_DEVICE constexpr void for_each_index(N const& n, F&& f) {
  if constexpr (is_static_v<N> && (Unroll || detail::short_extent<N>)) {
    static_for<N::value>(f);
  } else {
    for (decltype(n + 0) i = 0; i < n; ++i) f(i);
  }
}

/// f(0), .. f(N-1) for arrays in registers. On a GPU this is straight-line code and f takes Int<>, because registers
/// have no index at run time; where registers are memory it is a loop over int, which compiles faster.
template <int N, class F>
TS_INLINE TS_HOST_DEVICE constexpr void unroll(F&& f) {
  if constexpr (registers_need_constants) static_for<N>(f);
  else
    for (int i = 0; i < N; ++i) f(i);
}

/// The element of a register tensor at a coordinate that unroll() counted.
template <class TensorR, class Coord>
TS_INLINE TS_HOST_DEVICE constexpr auto& element(TensorR&& t, Coord const& c) { return t.data()[int(t.layout()(c))]; }

namespace detail {
/// The extents of a loop over registers. Where they need no constants, and the body takes numbers as well as types:
/// numbers, because a loop compiles in half the time.
template <bool Numbers = true, class T>
TS_HOST_DEVICE constexpr auto loop_extents(T const& t) {
  if constexpr (registers_need_constants || !Numbers) return t;
  else return transform_leaf(t, [](auto const& n) { return n + 0; });
}
template <bool Numbers = true, class N, class F>
TS_INLINE TS_HOST_DEVICE constexpr void for_each_step(N const& n, F&& f) {
  for_each_index<true>(loop_extents<Numbers>(n), f);
}
}  // namespace detail

}  // namespace tilestep
