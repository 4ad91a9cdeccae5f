#pragma once
// A layout as a list of modes: pick some, nest or flatten them, put some more at the ends. Each of these does to a
// layout what the function of the same name does to its shape and to its stride.

#include <tilestep/layout/layout.hpp>  // Layout, make_layout

namespace tilestep {

/// Modes First .. Last-1; Last = -1 means up to the end.
template <int First, int Last, class S, class D>
TS_HOST_DEVICE constexpr auto take(Layout<S, D> const& layout) {
  return make_layout(take<First, Last>(layout.shape()), take<First, Last>(layout.stride()));
}
/// Modes I.., in that order.
template <int... I, class S, class D>
TS_HOST_DEVICE constexpr auto select(Layout<S, D> const& layout) {
  return make_layout(select<I...>(layout.shape()), select<I...>(layout.stride()));
}
template <class S, class D>
TS_HOST_DEVICE constexpr auto flatten(Layout<S, D> const& layout) {
  if constexpr (detail::is_flat<S>) return layout;
  else return make_layout(flatten(layout.shape()), flatten(layout.stride()));
}
template <class S, class D, class Profile>
TS_HOST_DEVICE constexpr auto unflatten(Layout<S, D> const& layout, Profile const& profile) {
  return make_layout(unflatten(layout.shape(), profile), unflatten(layout.stride(), profile));
}
/// Modes First .. Last-1 made one mode.
template <int First, int Last, class S, class D>
TS_HOST_DEVICE constexpr auto group(Layout<S, D> const& layout) {
  return make_layout(group<First, Last>(layout.shape()), group<First, Last>(layout.stride()));
}
template <int First, int Last, class T>
TS_HOST_DEVICE constexpr auto group_modes(T const& t) { return group<First, Last>(t); }

template <class S, class D, class T = Int<1>, class U = Int<0>>
TS_HOST_DEVICE constexpr auto append(Layout<S, D> const& layout, Layout<T, U> const& mode = {}) {
  return make_layout(append(layout.shape(), mode.shape()), append(layout.stride(), mode.stride()));
}
template <class S, class D, class T = Int<1>, class U = Int<0>>
TS_HOST_DEVICE constexpr auto prepend(Layout<S, D> const& layout, Layout<T, U> const& mode = {}) {
  return make_layout(prepend(layout.shape(), mode.shape()), prepend(layout.stride(), mode.stride()));
}
/// The layout with as many copies of mode at its end (its beginning) as it takes to have N modes.
template <int N, class S, class D, class T = Int<1>, class U = Int<0>>
TS_HOST_DEVICE constexpr auto append(Layout<S, D> const& layout, Layout<T, U> const& mode = {}) {
  return make_layout(append<N>(layout.shape(), mode.shape()), append<N>(layout.stride(), mode.stride()));
}
template <int N, class S, class D, class T = Int<1>, class U = Int<0>>
TS_HOST_DEVICE constexpr auto prepend(Layout<S, D> const& layout, Layout<T, U> const& mode = {}) {
  return make_layout(prepend<N>(layout.shape(), mode.shape()), prepend<N>(layout.stride(), mode.stride()));
}
template <int N, class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto replace(Layout<S, D> const& layout, Layout<T, U> const& mode) {
  return make_layout(replace<N>(layout.shape(), mode.shape()), replace<N>(layout.stride(), mode.stride()));
}

/// Mode I of a and mode I of b together as mode I.
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto zip(Layout<S, D> const& a, Layout<T, U> const& b) {
  return make_layout(zip(a.shape(), b.shape()), zip(a.stride(), b.stride()));
}

/// f(mode of the layout, element of t) for each element of t; the layout's further modes stay as they are.
template <class S, class D, class T, class F>
TS_HOST_DEVICE constexpr auto transform_modes(Layout<S, D> const& layout, T const& t, F const& f) {
  return [&]<int... I, int... J>(seq<I...>, seq<J...>) {
    return make_layout(f(get<I>(layout), get<I>(t))..., get<J>(layout)...);
  }(make_seq<rank_v<T>>{}, make_range<rank_v<T>, rank_v<S>>{});
}

}  // namespace tilestep
