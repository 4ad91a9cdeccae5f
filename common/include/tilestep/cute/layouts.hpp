#pragma once
// Layouts by CuTe's names.

#include <tilestep/cute/integers.hpp>  // bool_constant
#include <tilestep/layout.hpp>         // Layout

namespace tilestep {

template <class T> struct is_layout : bool_constant<is_layout_v<remove_cvref_t<T>>> {};

/// The layout of a layout or a tensor, or of its mode I...
template <int... I, class T>
TS_HOST_DEVICE constexpr auto layout(T const& t) {
  if constexpr (requires { t.layout(); }) return layout<I...>(t.layout());
  else if constexpr (sizeof...(I) == 0) return t;
  else return get<I...>(t);
}

/// Packed strides, the first mode (the last mode) the fastest, its stride `current`.
template <class Shape, class Current = Int<1>>
TS_HOST_DEVICE constexpr auto compact_col_major(Shape const& shape, Current const& current = {}) {
  return compact_major<LayoutLeft>(shape, current);
}
template <class Shape, class Current = Int<1>>
TS_HOST_DEVICE constexpr auto compact_row_major(Shape const& shape, Current const& current = {}) {
  return compact_major<LayoutRight>(shape, current);
}

/// The widest access, in elements, that a layout allows: so many stand side by side, and each such run begins at a
/// multiple of their number. What is known at run time alone is taken to be a multiple of it.
template <class S, class D>
TS_HOST_DEVICE constexpr auto max_alignment(Layout<S, D> const& layout) {
  auto const flat = coalesce(layout);
  auto const known_or = [](auto unknown) {
    return [=](auto n) { return std::conditional_t<is_static_v<decltype(n)>, decltype(n), decltype(unknown)>{}; };
  };
  auto const known = make_layout(transform(flat.shape(), known_or(_1{})), transform(flat.stride(), known_or(_0{})));
  auto const pieces = logical_divide(known, right_inverse(known));
  auto const steps = flatten_to_tuple(get<1>(pieces.stride()));
  return fold(steps, size<0>(pieces), [](auto const& a, auto const& b) { return gcd(a, b); });
}
template <int B, int M, int S>
TS_HOST_DEVICE constexpr Int<(1 << M)> max_alignment(Swizzle<B, M, S> const&) { return {}; }
template <auto n>
TS_HOST_DEVICE constexpr auto max_alignment(C<n>) { return abs(C<n>{}); }
/// @pre an offset known at run time alone is a multiple of what the swizzle leaves side by side
template <int B, int M, int S, class O, class L>
TS_HOST_DEVICE constexpr auto max_alignment(ComposedLayout<Swizzle<B, M, S>, O, L> const& c) {
  return gcd(Int<detail::kept_together<ComposedLayout<Swizzle<B, M, S>, O, L>>>{}, max_alignment(c.layout_b()));
}
template <class F, class O, class L>
TS_HOST_DEVICE constexpr Int<1> max_alignment(ComposedLayout<F, O, L> const&) { return {}; }

}  // namespace tilestep
