#pragma once
// Divide: cut a layout into tiles. The tiler says which elements make one tile; its complement says where the tiles
// start. logical_divide keeps each mode's (tile, rest) together; the others gather the tiles in front:
//     logical  ((TileM,RestM),(TileN,RestN))        zipped  ((TileM,TileN),(RestM,RestN))
//     tiled    ((TileM,TileN),RestM,RestN)          flat    (TileM,TileN,RestM,RestN)

#include <tilestep/layout/complement.hpp>   // complement
#include <tilestep/layout/composition.hpp>  // composition

namespace tilestep {

/// @param tiler  a layout; or by mode a tuple of tilers; an integer n is n:1; `_` leaves the mode alone
/// @post result's tile i is layout composed with the tiler; ragged edges are rounded up to whole tiles
// [logical_divide]
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto logical_divide(Layout<S, D> const& layout, Layout<T, U> const& tiler) {
  return composition(layout, make_layout(tiler, complement(tiler, shape(coalesce(layout)))));
}
// [logical_divide]
template <class S, class D, class Tiler>
  requires(is_tuple_v<Tiler> || is_integral_v<Tiler>)
TS_HOST_DEVICE constexpr auto logical_divide(Layout<S, D> const& layout, Tiler const& tiler) {
  if constexpr (is_tuple_v<Tiler>) {
    static_assert(rank_v<Tiler> <= rank_v<S>, "logical_divide: the tiler has more modes than the layout; drop some");
    return transform_modes(layout, tiler, [](auto const& mode, auto const& t) { return logical_divide(mode, t); });
  } else if constexpr (is_underscore_v<Tiler>) {
    return layout;
  } else {
    return logical_divide(layout, make_layout(tiler));
  }
}

namespace detail {
/// ((A,a),((B,b),(C,c)),d) -> ((A,(B,C)),(a,(b,c),d)), where the pairs sit at the leaves of the guide (X,(X,X)).
template <class T, class Guide>
TS_HOST_DEVICE constexpr auto unzip(T const& t, Guide const& guide) {
  if constexpr (is_tuple_v<Guide>) {
    return [&]<int... I, int... J>(seq<I...>, seq<J...>) {
      auto const pairs = make_tuple(unzip(get<I>(t), get<I>(guide))...);
      return make_tuple(make_tuple(get<0>(get<I>(pairs))...), make_tuple(get<1>(get<I>(pairs))..., get<J>(t)...));
    }(indices_of<Guide>{}, make_range<rank_v<Guide>, rank_v<T>>{});
  } else {
    static_assert(rank_v<T> == 2,
                  "a mode left alone by `_` is no (tile,rest) pair; use logical_divide, or give it a tile");
    return t;
  }
}
template <class S, class D, class Guide>
TS_HOST_DEVICE constexpr auto unzip(Layout<S, D> const& layout, Guide const& guide) {
  return make_layout(unzip(layout.shape(), guide), unzip(layout.stride(), guide));
}
}  // namespace detail

template <class S, class D, class Tiler>
TS_HOST_DEVICE constexpr auto zipped_divide(Layout<S, D> const& layout, Tiler const& tiler) {
  return detail::unzip(logical_divide(layout, tiler), tiler);
}
template <class S, class D, class Tiler>
TS_HOST_DEVICE constexpr auto tiled_divide(Layout<S, D> const& layout, Tiler const& tiler) {
  auto const zipped = zipped_divide(layout, tiler);
  return zipped(_, repeat<rank_v<decltype(get<1>(zipped))>>(_));
}
template <class S, class D, class Tiler>
TS_HOST_DEVICE constexpr auto flat_divide(Layout<S, D> const& layout, Tiler const& tiler) {
  auto const zipped = zipped_divide(layout, tiler);
  return zipped(repeat<rank_v<decltype(get<0>(zipped))>>(_), repeat<rank_v<decltype(get<1>(zipped))>>(_));
}

/// How many tiles it takes to cover target.
template <class Target, class S, class D>
TS_HOST_DEVICE constexpr auto ceil_div(Target const& target, Layout<S, D> const& tiler) {
  return shape(complement(tiler, shape(target)));
}

}  // namespace tilestep
