#pragma once
// Part of a mode. In a coordinate, `range(from, to)` keeps the elements from `from` up to but not including `to`:
// tensor(range(2,5), _) is rows 2, 3 and 4. A negative `to` counts from the end: -1 is the end itself, -2 one before
// it.

#include <tilestep/backend/require.hpp>  // require
#include <tilestep/layout.hpp>           // Layout, _

namespace tilestep {

/// The elements from..to-1 of a mode.
template <class From, class To>
struct Range : Tuple<From, To> {
  Range() = default;
  TS_HOST_DEVICE constexpr Range(From const& from, To const& to) : Tuple<From, To>(from, to) {}
  TS_HOST_DEVICE constexpr auto from() const { return tilestep::get<0>(static_cast<Tuple<From, To> const&>(*this)); }
  TS_HOST_DEVICE constexpr auto to() const { return tilestep::get<1>(static_cast<Tuple<From, To> const&>(*this)); }

  /// How many elements of a mode of this extent it keeps.
  template <class Extent>
  TS_HOST_DEVICE constexpr auto length(Extent const& extent) const {
    if constexpr (is_static_v<Range> && is_static_v<Extent>) {
      constexpr int end = To::value < 0 ? Extent::value + To::value + 1 : To::value;
      static_assert(0 <= From::value && From::value <= end && end <= Extent::value,
                    "range: from and to must lie inside the mode, from first");
      return Int<end - From::value>{};
    } else {
      auto const end = to() < 0 ? extent + to() + 1 : 0 * extent + to();
      require(0 <= from() && from() <= end && end <= extent, "range: from and to must lie inside the mode, from first");
      return end - from();
    }
  }
};

template <class From, class To>
TS_HOST_DEVICE constexpr Range<From, To> range(From const& from, To const& to) { return {from, to}; }
template <class To>
TS_HOST_DEVICE constexpr Range<_0, To> range(To const& to) { return {_0{}, to}; }
TS_HOST_DEVICE constexpr Range<_0, _m1> range() { return {}; }

template <class T>
inline constexpr bool is_range_v = false;
template <class From, class To>
inline constexpr bool is_range_v<Range<From, To>> = true;
template <class T>
inline constexpr bool has_range_v = is_range_v<T>;
template <class... T>
inline constexpr bool has_range_v<Tuple<T...>> = (false || ... || has_range_v<T>);

namespace detail {
/// The shape with every mode at a range cut to its length.
template <class Coord, class Shape>
TS_HOST_DEVICE constexpr auto cut(Coord const& coord, Shape const& shape) {
  if constexpr (is_range_v<Coord> && is_tuple_v<Shape> && tuple_size_v<Shape> == 1) {
    return make_shape(cut(coord, get<0>(shape)));  // the only mode needs no tuple around its range
  } else if constexpr (is_range_v<Coord>) {
    static_assert(!is_tuple_v<Shape>, "range: this mode is nested; give one range per inner mode");
    return coord.length(shape);
  } else if constexpr (is_tuple_v<Coord>) {
    static_assert(tuple_size_v<Coord> == tuple_size_v<Shape>,
                  "rank mismatch: a slice needs one coordinate, range or _ per mode; add or drop some");
    return transform(coord, shape, [](auto const& c, auto const& s) { return cut(c, s); });
  } else {
    return shape;
  }
}
/// The coordinate with every range replaced by its first element, or by `_`.
template <bool Whole, class Coord>
TS_HOST_DEVICE constexpr auto plain(Coord const& coord) {
  if constexpr (is_range_v<Coord>) {
    if constexpr (Whole) return Underscore{};
    else return coord.from();
  } else if constexpr (is_tuple_v<Coord>) {
    return transform(coord, [](auto const& c) { return plain<Whole>(c); });
  } else {
    return coord;
  }
}
}  // namespace detail

/// (the layout of the elements at ranges and `_`, the offset of its first one); a scalar removes its mode.
/// @par Source CK's `slice(from, to)`, where a negative `to` also means extent + to + 1
template <class Coord, class S, class D>
  requires(has_range_v<Coord>)
TS_HOST_DEVICE constexpr auto slice_and_offset(Coord const& coord, Layout<S, D> const& layout) {
  auto const part = make_layout(detail::cut(coord, layout.shape()), layout.stride());
  return make_tuple(slice(detail::plain<true>(coord), part), crd2idx(detail::plain<false>(coord), layout));
}

}  // namespace tilestep
