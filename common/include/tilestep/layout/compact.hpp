#pragma once
// Strides for a shape when nothing else is said: packed, with no gaps. The stride of a mode is the product of the sizes
// of all modes that are faster; a mode of static size 1 has stride 0, since nothing is ever multiplied by it.

#include <tilestep/core/int_tuple.hpp>  // fold, product

namespace tilestep {

struct LayoutLeft {};             // the leftmost mode is the fastest: "column-major"
struct LayoutRight {};            // the rightmost mode is the fastest: "row-major"
using GenColMajor = LayoutLeft;   // the same by their names in CuTe
using GenRowMajor = LayoutRight;

template <class T> inline constexpr bool is_major_v = std::is_same_v<T, LayoutLeft> || std::is_same_v<T, LayoutRight>;

namespace detail {
/// The strides of shape's modes N.., where the next element is `current` away.
template <class Major, class Shape, class Current>
TS_HOST_DEVICE constexpr auto packed(Shape const& shape, Current const& current);

template <class Major, int N, class Shape, class Current, class Done>
TS_HOST_DEVICE constexpr auto packed_modes(Shape const& shape, Current const& current, Done const& done) {
  constexpr int R = tuple_size_v<Shape>;
  if constexpr (N == R) {
    return done;
  } else if constexpr (std::is_same_v<Major, LayoutLeft>) {
    auto const mode = get<N>(shape);
    return packed_modes<Major, N + 1>(shape, current * product(mode), append(done, packed<Major>(mode, current)));
  } else {
    auto const mode = get<R - 1 - N>(shape);
    return packed_modes<Major, N + 1>(shape, current * product(mode), prepend(done, packed<Major>(mode, current)));
  }
}

template <class Major, class Shape, class Current>
TS_HOST_DEVICE constexpr auto packed(Shape const& shape, Current const& current) {
  if constexpr (is_tuple_v<Shape>) return packed_modes<Major, 0>(shape, current, Tuple<>{});
  else if constexpr (is_constant_v<1, Shape>) return Int<0>{};
  else return current;
}
}  // namespace detail

/// Packed strides for shape, the first of them `current` (which may be a tuple: one start per mode).
template <class Major, class Shape, class Current = Int<1>>
TS_HOST_DEVICE constexpr auto compact_major(Shape const& shape, Current const& current = {}) {
  if constexpr (is_tuple_v<Current>) {
    return transform(shape, current, [](auto const& s, auto const& c) { return compact_major<Major>(s, c); });
  } else {
    return detail::packed<Major>(shape, current);
  }
}

namespace detail {
/// Whether order A at place I comes before order B at place J. Run-time orders come last, from left to right.
template <int I, class A, int J, class B>
TS_HOST_DEVICE constexpr bool comes_before() {
  if constexpr (is_static_v<A> && is_static_v<B>) return A::value < B::value;
  else return is_static_v<A> || (!is_static_v<B> && I < J);
}

/// The product of the sizes of all modes that come before mode J.
template <int J, class Sizes, class... O, int... I>
TS_HOST_DEVICE constexpr auto size_before(Sizes const& sizes, Tuple<O...> const&, seq<I...>) {
  using Mine = tuple_element_t<J, Tuple<O...>>;
  return (Int<1>{} * ... * get<comes_before<I, O, J, Mine>() ? 0 : 1>(make_tuple(get<I>(sizes), Int<1>{})));
}
}  // namespace detail

/// Packed strides: the mode with the lowest number in `order` is the fastest, and so on upwards. Run-time numbers count
/// as higher than all static ones, increasing from left to right. LayoutLeft and LayoutRight are orders too.
template <class Shape, class Order>
TS_HOST_DEVICE constexpr auto compact_order(Shape const& shape, Order const& order) {
  if constexpr (is_major_v<Order>) {
    return compact_major<Order>(shape);
  } else {
    auto const sizes = flatten_to_tuple(product_like(shape, order));
    auto const orders = flatten_to_tuple(order);
    auto const starts = [&]<int... J>(seq<J...> all) {
      return make_tuple(detail::size_before<J>(sizes, orders, all)...);
    }(indices_of<decltype(orders)>{});
    return compact_major<LayoutLeft>(shape, unflatten(starts, order));
  }
}

}  // namespace tilestep
