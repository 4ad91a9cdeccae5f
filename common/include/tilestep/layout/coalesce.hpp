#pragma once
// Coalesce: the same function of an index with as few modes as possible. (2,(1,6)):(1,(6,2)) is 12:1. Modes of size 1
// vanish, and a mode joins its right neighbour when it ends where that one continues.

#include <tilestep/layout/rearrange.hpp>  // flatten, transform_modes

namespace tilestep {

namespace detail {
template <class T> TS_HOST_DEVICE constexpr auto front(T const& t) { return get<0>(t); }

/// The mode s:d in front of a coalesced layout.
template <class S, class D, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto coalesce_onto(S const& s, D const& d, Layout<Shape, Stride> const& rest) {
  using Next = remove_cvref_t<decltype(front(rest.shape()))>;
  if constexpr (is_constant_v<1, S>) {
    return rest;
  } else if constexpr (is_constant_v<1, Shape>) {
    return make_layout(s, d);
  } else if constexpr (is_static_v<Next> && is_constant_v<true, decltype(s * d == front(rest.stride()))>) {
    return make_layout(replace<0>(rest.shape(), s * front(rest.shape())), replace<0>(rest.stride(), d));
  } else {
    return make_layout(prepend(rest.shape(), s), prepend(rest.stride(), d));
  }
}

/// The modes 0 .. I of a flat layout, coalesced in front of rest.
template <int I, class Flat, class Rest>
TS_HOST_DEVICE constexpr auto coalesce_modes(Flat const& flat, Rest const& rest) {
  if constexpr (I < 0) return rest;
  else return coalesce_modes<I - 1>(flat, coalesce_onto(get<I>(flat.shape()), get<I>(flat.stride()), rest));
}

/// Coalesce that keeps the layout as a function beyond its size, too: a last mode of size 1 keeps its stride, as a size
/// 2.
template <class S, class D>
TS_HOST_DEVICE constexpr auto coalesce_unbounded(Layout<S, D> const& layout) {
  auto const flat = flatten(layout);
  constexpr int last = rank_v<decltype(flat)> - 1;
  if constexpr (is_constant_v<1, decltype(get<last>(flat.shape()))>) {
    return coalesce_modes<last - 1>(flat, make_layout(Int<2>{}, get<last>(flat.stride())));
  } else {
    return coalesce_modes<last - 1>(flat, get<last>(flat));
  }
}
}  // namespace detail

/// @post result(i) == layout(i) for all i < size(layout), depth(result) <= 1
template <class S, class D>
TS_HOST_DEVICE constexpr auto coalesce(Layout<S, D> const& layout) {
  auto const flat = flatten(layout);
  constexpr int last = rank_v<decltype(flat)> - 1;
  auto const result = detail::coalesce_modes<last - 1>(flat, get<last>(flat));
  if constexpr (is_constant_v<1, decltype(result.shape())>) return Layout<Int<1>, Int<0>>{};
  else return result;
}

/// Coalesce inside each mode at which profile has an integer; modes beyond the profile stay as they are.
template <class S, class D, class Profile>
TS_HOST_DEVICE constexpr auto coalesce(Layout<S, D> const& layout, Profile const& profile) {
  if constexpr (is_tuple_v<Profile>) {
    static_assert(rank_v<Profile> <= rank_v<S>, "coalesce: the profile has more modes than the layout; drop some");
    return transform_modes(layout, profile, [](auto const& mode, auto const& p) { return coalesce(mode, p); });
  } else {
    return coalesce(layout);
  }
}

/// A shape with neighbouring sizes multiplied where both are static or both are not.
template <class Shape>
  requires(is_tuple_v<Shape> || is_integral_v<Shape>)
TS_HOST_DEVICE constexpr auto coalesce(Shape const& shape) {
  auto const flat = flatten_to_tuple(shape);
  return unwrap(fold(take<1, -1>(flat), take<0, 1>(flat), [](auto const& done, auto const& s) {
    constexpr int last = rank_v<decltype(done)> - 1;
    if constexpr (is_static_v<decltype(get<last>(done))> == is_static_v<decltype(s)>) {
      return replace<last>(done, get<last>(done) * s);
    } else {
      return append(done, s);
    }
  }));
}

/// Every mode of stride 0 gets size 1: the elements are counted once, however often they are repeated.
template <class S, class D>
TS_HOST_DEVICE constexpr auto filter_zeros(Layout<S, D> const& layout) {
  return make_layout(filter_zeros(layout.stride(), layout.shape()), layout.stride());
}
/// Modes of stride 0 and of size 1 removed, the others coalesced.
template <class S, class D>
TS_HOST_DEVICE constexpr auto filter(Layout<S, D> const& layout) { return coalesce(filter_zeros(layout)); }
template <class S, class D, class Profile>
TS_HOST_DEVICE constexpr auto filter(Layout<S, D> const& layout, Profile const& profile) {
  if constexpr (is_tuple_v<Profile>) {
    static_assert(rank_v<Profile> <= rank_v<S>, "filter: the profile has more modes than the layout; drop some");
    return transform_modes(layout, profile, [](auto const& mode, auto const& p) { return filter(mode, p); });
  } else {
    return filter(layout);
  }
}

}  // namespace tilestep
