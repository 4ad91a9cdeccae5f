#pragma once
// A layout is a pair shape:stride of congruent integer tuples. It is a function: from a coordinate in the shape to an
// offset, the sum of coordinate * stride. (4,3):(1,4) walks a 4x3 matrix stored by columns, (4,3):(3,1) one stored by
// rows.

#include <tilestep/core/coordinates.hpp>  // crd2idx
#include <tilestep/core/slice.hpp>        // _, slice, dice
#include <tilestep/layout/compact.hpp>    // compact_major: the default strides

#include <cstdint>                        // std::int64_t

namespace tilestep {

template <class Shape_, class Stride_ = decltype(compact_major<LayoutLeft>(std::declval<Shape_>()))>
struct Layout : private TupleElement<Layout<Shape_, Stride_>, 0, Shape_>,
                private TupleElement<Layout<Shape_, Stride_>, 1, Stride_> {
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr int rank = rank_v<Shape>;

  Layout() = default;
  TS_HOST_DEVICE constexpr explicit(is_static_v<Shape>) Layout(Shape const& shape, Stride const& stride = {})
      : TupleElement<Layout, 0, Shape>{shape}, TupleElement<Layout, 1, Stride>{stride} {}

  TS_HOST_DEVICE constexpr Shape shape() const {
    if constexpr (is_static_v<Shape>) return {};
    else return TupleElement<Layout, 0, Shape>::value;
  }
  TS_HOST_DEVICE constexpr Stride stride() const {
    if constexpr (is_static_v<Stride>) return {};
    else return TupleElement<Layout, 1, Stride>::value;
  }

  /// The offset of a coordinate: one index, one per mode, or nested. With `_` in it: the layout of the modes at `_`.
  template <class... Coords>
  TS_HOST_DEVICE constexpr auto operator()(Coords const&... coords) const {
    static_assert(sizeof...(Coords) > 0, "a layout needs a coordinate; give one index or one coordinate per mode");
    if constexpr (sizeof...(Coords) > 1) return (*this)(make_coord(coords...));
    else if constexpr (is_static_v<decltype(at(coords...))>) return decltype(at(coords...)){};
    else return at(coords...);
  }

 private:
  template <class Coord>
  TS_HOST_DEVICE constexpr auto at(Coord const& coord) const;
};

template <class S, class D> inline constexpr int rank_v<Layout<S, D>> = rank_v<S>;
template <class T> inline constexpr bool is_layout_v = false;
template <class S, class D> inline constexpr bool is_layout_v<Layout<S, D>> = true;

// ---- Making one ----

/// shape:stride.
template <class Shape, class Stride>
  requires((is_tuple_v<Shape> || is_integral_v<Shape>) && (is_tuple_v<Stride> || is_integral_v<Stride>))
TS_HOST_DEVICE constexpr Layout<Shape, Stride> make_layout(Shape const& shape, Stride const& stride) {
  static_assert(detail::congruent<Shape, Stride>,
                "rank mismatch: shape and stride are not congruent; nest the strides as the shape is nested");
  if constexpr (is_static_v<Shape> && is_static_v<Stride>) return {};
  else return Layout<Shape, Stride>(shape, stride);
}
/// A packed layout: the leftmost mode is the fastest (LayoutLeft, "column-major") or the rightmost one (LayoutRight).
template <class Shape, class Major = LayoutLeft>
  requires(is_tuple_v<Shape> || is_integral_v<Shape>)
TS_HOST_DEVICE constexpr auto make_layout(Shape const& shape, Major = {})
  requires(is_major_v<Major>) {
  return make_layout(shape, compact_major<Major>(shape));
}
/// One mode per layout: the concatenation.
template <class... S, class... D>
TS_HOST_DEVICE constexpr auto make_layout(Layout<S, D> const&... layouts) {
  using Result = Layout<Tuple<S...>, Tuple<D...>>;
  if constexpr (is_static_v<Result>) return Result{};
  else return Result(make_shape(layouts.shape()...), make_stride(layouts.stride()...));
}
/// A packed layout whose fastest mode is the one with the lowest number in `order`, and so on upwards.
template <class Shape, class Order>
TS_HOST_DEVICE constexpr auto make_ordered_layout(Shape const& shape, Order const& order) {
  return make_layout(shape, compact_order(shape, order));
}
/// The layout that maps a coordinate to itself.
template <class Shape>
TS_HOST_DEVICE constexpr auto make_identity_layout(Shape const& shape) {
  return make_layout(shape, make_basis_like(shape));
}

// ---- Looking at one ----

/// Mode I of a layout; of that, mode I1, and so on.
template <int I, int... Rest, class S, class D>
TS_HOST_DEVICE constexpr auto get(Layout<S, D> const& layout) {
  return make_layout(get<I, Rest...>(layout.shape()), get<I, Rest...>(layout.stride()));
}
/// The strides of a layout or a tensor, or of its mode I...
template <int... I, class T>
  requires requires(T const& t) { t.stride(); }
TS_HOST_DEVICE constexpr auto stride(T const& t) {
  if constexpr (sizeof...(I) == 0) return t.stride();
  else return get<I...>(t.stride());
}
/// One more than the largest offset: how many elements of memory the layout spans.
template <int... I, class S, class D>
TS_HOST_DEVICE constexpr auto cosize(Layout<S, D> const& layout) {
  auto const last = transform_leaf(detail::mode<I...>(layout), [](auto const& s) { return s - Int<1>{}; });
  auto const reach = transform_leaf(stride<I...>(layout), [](auto const& d) { return abs(d); });
  return inner_product(last, reach) + Int<1>{};
}
template <class L> inline constexpr auto cosize_v = decltype(cosize(std::declval<L>()))::value;

template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto operator==(Layout<S, D> const& a, Layout<T, U> const& b) {
  return (a.shape() == b.shape()) && (a.stride() == b.stride());
}
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto operator!=(Layout<S, D> const& a, Layout<T, U> const& b) { return !(a == b); }

/// The offset of coord in layout; an underscore counts as 0.
template <class Coord, class S, class D>
TS_HOST_DEVICE constexpr auto crd2idx(Coord const& coord, Layout<S, D> const& layout) {
  return crd2idx(coord, layout.shape(), layout.stride());
}

// ---- Slicing ----

/// The modes at `_`, and the modes at integers.
template <class Coord, class S, class D>
TS_HOST_DEVICE constexpr auto slice(Coord const& coord, Layout<S, D> const& layout) {
  return make_layout(slice(coord, layout.shape()), slice(coord, layout.stride()));
}
template <class Coord, class S, class D>
TS_HOST_DEVICE constexpr auto dice(Coord const& coord, Layout<S, D> const& layout) {
  return make_layout(dice(coord, layout.shape()), dice(coord, layout.stride()));
}
/// (the layout of the modes at `_`, the offset of its first element)
template <class Coord, class S, class D>
TS_HOST_DEVICE constexpr auto slice_and_offset(Coord const& coord, Layout<S, D> const& layout) {
  return make_tuple(slice(coord, layout), crd2idx(coord, layout));
}

/// @cond
template <class Shape_, class Stride_>
template <class Coord>
TS_HOST_DEVICE constexpr auto Layout<Shape_, Stride_>::at(Coord const& coord) const {
  if constexpr (has_underscore_v<Coord>) return slice(coord, *this);
  else return crd2idx(coord, shape(), stride());
}
/// @endcond

/// A matrix's, or several matrices': (row, column, batch) -> offset in elements, all 64-bit and known at run time.
using MatrixLayout =
    Layout<Shape<std::int64_t, std::int64_t, std::int64_t>, Stride<std::int64_t, std::int64_t, std::int64_t>>;

}  // namespace tilestep
