#pragma once
// Two changes of a layout's domain that keep its memory: pad rounds the modes up to whole tiles, so that a loop over
// tiles needs no remainder (what lies past the true extent is left to predicates, or to the tensor that pad of a tensor
// makes: block/padded.hpp); unmerge splits one mode into several.

#include <tilestep/layout/composition.hpp>  // composition

namespace tilestep {

namespace detail {
/// A shape rounded up to a size that is a multiple of t, or of t mode by mode. Of a nested mode only the last part
/// grows.
template <class Shape, class T>
TS_HOST_DEVICE constexpr auto padded(Shape const& shape, T const& t) {
  if constexpr (is_underscore_v<T>) {
    return shape;
  } else if constexpr (is_tuple_v<T>) {
    static_assert(rank_v<T> <= rank_v<Shape>, "pad: the tile has more modes than the layout; drop the extra ones");
    return [&]<int... I, int... J>(seq<I...>, seq<J...>) {
      return make_shape(padded(get<I>(shape), get<I>(t))..., get<J>(shape)...);
    }(indices_of<T>{}, make_range<rank_v<T>, rank_v<Shape>>{});
  } else if constexpr (is_tuple_v<Shape>) {
    constexpr int last = rank_v<Shape> - 1;
    return replace<last>(shape, padded(get<last>(shape), t / gcd(product(take<0, last>(shape)), t)));
  } else {
    return round_up(shape, t);
  }
}
}  // namespace detail

/// Every mode rounded up to a multiple of its entry in tile; modes at `_` and beyond the tile stay as they are.
/// @post result(c) == layout(c) for all c inside layout's shape; size<i>(result) is a multiple of tile<i>
template <class S, class D, class Tile>
TS_HOST_DEVICE constexpr auto pad(Layout<S, D> const& layout, Tile const& tile) {
  return make_layout(detail::padded(layout.shape(), tile), layout.stride());
}

namespace detail {
/// The modes of a layout as a tuple of layouts.
template <class S, class D>
TS_HOST_DEVICE constexpr auto modes_of(Layout<S, D> const& layout) {
  return [&]<int... I>(seq<I...>) { return make_tuple(get<I>(layout)...); }(indices_of<S>{});
}

/// The mode of `modes` (flat) whose place in `places` (flat) is P.
template <int P, class Places, class Modes>
TS_HOST_DEVICE constexpr auto mode_at(Places const& places, Modes const& modes) {
  constexpr int found = []<class... T>(Tuple<T...> const&) {
    int at = -1, i = 0;
    ((at = T::value == P ? i : at, ++i), ...);
    return at;
  }(Places{});
  static_assert(found >= 0, "unmerge: the order must name every place from 0 to the new rank - 1 once; fill the gap");
  static_cast<void>(places);
  return get<found>(modes);
}
}  // namespace detail

/// Mode I split into `lengths`, the last of which is the fastest; then mode i goes to place order<i>, the parts of mode
/// I to the places in the tuple order<I>. unmerge<1>((M,K), (K0,K1), (_1,(_0,_2))) is (K0,M,K1), with k = k0 * K1 + k1.
/// @pre the product of lengths is the size of mode I; order is static
template <int I, class S, class D, class Lengths, class Order>
TS_HOST_DEVICE constexpr auto unmerge(Layout<S, D> const& layout, Lengths const& lengths, Order const&) {
  static_assert(rank_v<Order> == rank_v<S>,
                "unmerge: order and layout differ in rank; give the order one entry per mode of the layout");
  static_assert(is_static_v<Order>, "unmerge: the order must be known at compile time; write Int<> places");
  static_assert(rank_v<tuple_element_t<I, Order>> == rank_v<Lengths>,
                "unmerge: places and lengths differ in number; give the split mode a tuple with one place per length");
  if constexpr (is_static_v<Lengths> && is_static_v<decltype(size<I>(layout))>) {
    static_assert(size_v<Lengths> == decltype(size<I>(layout))::value,
                  "unmerge: the lengths do not multiply to the size of the mode; choose lengths that do");
  }
  auto const parts = composition(get<I>(layout), make_layout(lengths, LayoutRight{}));
  auto const modes = tuple_cat(detail::modes_of(take<0, I>(layout)), detail::modes_of(parts),
                               detail::modes_of(take<I + 1, -1>(layout)));
  return [&]<int... P>(seq<P...>) {
    return make_layout(detail::mode_at<P>(flatten_to_tuple(Order{}), modes)...);
  }(indices_of<decltype(modes)>{});
}

}  // namespace tilestep
