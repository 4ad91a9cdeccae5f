#pragma once
// Strides for a shape when nothing else is said: packed, with no gaps. The stride of a mode is the product of the sizes of
// all modes that are faster; a mode of static size 1 has stride 0, since nothing is ever multiplied by it.

#include <tilestep/core/int_tuple.hpp>  // fold, product

namespace tilestep {

struct LayoutLeft {};             // the leftmost mode is the fastest: "column-major"
struct LayoutRight {};            // the rightmost mode is the fastest: "row-major"
using GenColMajor = LayoutLeft;   // the same by their names in CuTe
using GenRowMajor = LayoutRight;

template <class T>
inline constexpr bool is_major_v = std::is_same_v<T, LayoutLeft> || std::is_same_v<T, LayoutRight>;

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
/// The product of the sizes whose order is below `order`.
template <class Order, class Sizes, class Orders>
TS_HOST_DEVICE constexpr auto size_below(Order const&, Sizes const& sizes, Orders const& orders) {
  return product(transform(sizes, orders, [](auto const& s, auto const& o) {
    if constexpr (decltype(o < Order{})::value) return s;
    else return Int<1>{};
  }));
}

/// `order` with its run-time leaves numbered after all static ones, from left to right.
template <class Order>
TS_HOST_DEVICE constexpr auto static_order(Order const& order) {
  auto const flat = flatten_to_tuple(order);
  auto const highest = fold(flat, Int<0>{}, [](auto const& top, auto const& o) {
    if constexpr (is_static_v<decltype(o)>) return max(top, o);
    else return top;
  });
  auto const numbered = [&]<int... I>(seq<I...>) {
    return make_tuple([&](auto const& o, auto i) {
      if constexpr (is_static_v<decltype(o)>) return o;
      else return highest + i + Int<1>{};
    }(get<I>(flat), Int<I>{})...);
  }(indices_of<decltype(flat)>{});
  return unflatten(numbered, order);
}

template <class Shape, class Order, class Sizes, class Orders>
TS_HOST_DEVICE constexpr auto ordered(Shape const& shape, Order const& order, Sizes const& sizes, Orders const& orders) {
  if constexpr (is_tuple_v<Order>) {
    return transform(shape, order, [&](auto const& s, auto const& o) { return ordered(s, o, sizes, orders); });
  } else {
    return compact_major<LayoutLeft>(shape, size_below(order, sizes, orders));
  }
}
}  // namespace detail

/// Packed strides: the mode with the lowest number in `order` is the fastest, and so on upwards. Run-time numbers count as
/// higher than all static ones, increasing from left to right. LayoutLeft and LayoutRight are orders too.
template <class Shape, class Order>
TS_HOST_DEVICE constexpr auto compact_order(Shape const& shape, Order const& order) {
  if constexpr (is_major_v<Order>) {
    return compact_major<Order>(shape);
  } else {
    auto const known = detail::static_order(order);
    return detail::ordered(shape, known, flatten_to_tuple(product_like(shape, order)), flatten_to_tuple(known));
  }
}

}  // namespace tilestep
