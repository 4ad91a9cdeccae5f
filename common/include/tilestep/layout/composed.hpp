#pragma once
// A function after a layout: coordinate -> function(offset + layout(coordinate)). The function is a Swizzle, or
// anything else that maps offsets; the layout decides shape and tiling, so every operation acts on it and leaves the
// function alone.

#include <tilestep/layout/inverse.hpp>  // the layout operations that pass through
#include <tilestep/layout/product.hpp>  // divide, product, tile_to_shape
#include <tilestep/layout/recast.hpp>   // upcast, downcast
#include <tilestep/layout/swizzle.hpp>  // Swizzle

namespace tilestep {

template <class Function, class Offset, class Inner>
struct ComposedLayout : private TupleElement<ComposedLayout<Function, Offset, Inner>, 0, Function>,
                        private TupleElement<ComposedLayout<Function, Offset, Inner>, 1, Offset>,
                        private TupleElement<ComposedLayout<Function, Offset, Inner>, 2, Inner> {
  static constexpr int rank = Inner::rank;

  ComposedLayout() = default;
  TS_HOST_DEVICE constexpr ComposedLayout(Function const& function, Offset const& start, Inner const& inner)
      : TupleElement<ComposedLayout, 0, Function>{function}, TupleElement<ComposedLayout, 1, Offset>{start},
        TupleElement<ComposedLayout, 2, Inner>{inner} {}

  TS_HOST_DEVICE constexpr Function layout_a() const { return detail::value_of(static_cast<TupleElement<ComposedLayout, 0, Function> const*>(this)); }
  TS_HOST_DEVICE constexpr Offset offset() const { return detail::value_of(static_cast<TupleElement<ComposedLayout, 1, Offset> const*>(this)); }
  TS_HOST_DEVICE constexpr Inner layout_b() const { return detail::value_of(static_cast<TupleElement<ComposedLayout, 2, Inner> const*>(this)); }
  TS_HOST_DEVICE constexpr auto shape() const { return layout_b().shape(); }

  /// As of a layout. A slice keeps the function; the offset of what is fixed moves into it.
  template <class... Coords>
  TS_HOST_DEVICE constexpr auto operator()(Coords... coords) const {
    static_assert(sizeof...(Coords) > 0, "a layout needs a coordinate; give one index or one coordinate per mode");
    if constexpr (sizeof...(Coords) > 1) return (*this)(make_coord(coords...));
    else return at(coords...);
  }

 private:
  template <class Coord>
  TS_HOST_DEVICE constexpr auto at(Coord const& coord) const;
};

template <class F, class O, class L> inline constexpr bool is_layout_v<ComposedLayout<F, O, L>> = true;
template <class T> inline constexpr bool is_composed_layout_v = false;
template <class F, class O, class L> inline constexpr bool is_composed_layout_v<ComposedLayout<F, O, L>> = true;

template <class Function, class Offset, class Inner>
TS_HOST_DEVICE constexpr auto make_composed_layout(Function const& function, Offset const& offset, Inner const& inner) {
  return ComposedLayout<Function, Offset, Inner>(function, offset, inner);
}
template <int B, int M, int S, class T, class U>
TS_HOST_DEVICE constexpr auto composition(Swizzle<B, M, S> const& swizzle, Layout<T, U> const& layout) {
  if constexpr (B == 0) return layout;
  else return make_composed_layout(swizzle, Int<0>{}, layout);
}
template <class Function, class Offset, class T, class U>
TS_HOST_DEVICE constexpr auto composition(Function const& function, Offset const& offset, Layout<T, U> const& layout) {
  return make_composed_layout(function, offset, layout);
}

namespace detail {
/// The composed layout with another inner layout.
template <class F, class O, class L, class Inner>
TS_HOST_DEVICE constexpr auto with_inner(ComposedLayout<F, O, L> const& c, Inner const& inner) {
  return make_composed_layout(c.layout_a(), c.offset(), inner);
}
}  // namespace detail

// ---- Looking at one, slicing ----

template <int I, int... Rest, class F, class O, class L>
TS_HOST_DEVICE constexpr auto get(ComposedLayout<F, O, L> const& c) {
  return detail::with_inner(c, get<I, Rest...>(c.layout_b()));
}
template <int... I, class F, class O, class L>
TS_HOST_DEVICE constexpr auto cosize(ComposedLayout<F, O, L> const& c) { return cosize<I...>(c.layout_b()); }
template <class F, class O, class L, class F1, class O1, class L1>
TS_HOST_DEVICE constexpr auto operator==(ComposedLayout<F, O, L> const& a, ComposedLayout<F1, O1, L1> const& b) {
  return (a.layout_a() == b.layout_a()) && (a.offset() == b.offset()) && (a.layout_b() == b.layout_b());
}

template <class Coord, class F, class O, class L>
TS_HOST_DEVICE constexpr auto slice(Coord const& coord, ComposedLayout<F, O, L> const& c) {
  return make_composed_layout(c.layout_a(), c.offset() + crd2idx(coord, c.layout_b()), slice(coord, c.layout_b()));
}
/// (the slice, 0): the function does not distribute over a sum, so the offset stays inside.
template <class Coord, class F, class O, class L>
TS_HOST_DEVICE constexpr auto slice_and_offset(Coord const& coord, ComposedLayout<F, O, L> const& c) {
  return make_tuple(slice(coord, c), Int<0>{});
}
template <class F, class O, class L>
template <class Coord>
TS_HOST_DEVICE constexpr auto ComposedLayout<F, O, L>::at(Coord const& coord) const {
  if constexpr (has_underscore_v<Coord>) return slice(coord, *this);
  else return layout_a()(offset() + layout_b()(coord));
}

// ---- The algebra, on the inner layout ----

template <class F, class O, class L, class Tiler>
TS_HOST_DEVICE constexpr auto composition(ComposedLayout<F, O, L> const& c, Tiler const& tiler) {
  return detail::with_inner(c, composition(c.layout_b(), tiler));
}
template <class F, class O, class L>
TS_HOST_DEVICE constexpr auto coalesce(ComposedLayout<F, O, L> const& c) {
  return detail::with_inner(c, coalesce(c.layout_b()));
}
template <class F, class O, class L, class Profile>
TS_HOST_DEVICE constexpr auto coalesce(ComposedLayout<F, O, L> const& c, Profile const& profile) {
  return detail::with_inner(c, coalesce(c.layout_b(), profile));
}
template <class F, class O, class L>
TS_HOST_DEVICE constexpr auto flatten(ComposedLayout<F, O, L> const& c) {
  return detail::with_inner(c, flatten(c.layout_b()));
}
template <int First, int Last, class F, class O, class L>
TS_HOST_DEVICE constexpr auto take(ComposedLayout<F, O, L> const& c) {
  return detail::with_inner(c, take<First, Last>(c.layout_b()));
}
template <int First, int Last, class F, class O, class L>
TS_HOST_DEVICE constexpr auto group(ComposedLayout<F, O, L> const& c) {
  return detail::with_inner(c, group<First, Last>(c.layout_b()));
}
template <class F, class O, class L, class Tiler>
TS_HOST_DEVICE constexpr auto logical_divide(ComposedLayout<F, O, L> const& c, Tiler const& tiler) {
  return detail::with_inner(c, logical_divide(c.layout_b(), tiler));
}
template <class F, class O, class L, class Tiler>
TS_HOST_DEVICE constexpr auto zipped_divide(ComposedLayout<F, O, L> const& c, Tiler const& tiler) {
  return detail::with_inner(c, zipped_divide(c.layout_b(), tiler));
}
template <class F, class O, class L, class Tiler>
TS_HOST_DEVICE constexpr auto tiled_divide(ComposedLayout<F, O, L> const& c, Tiler const& tiler) {
  return detail::with_inner(c, tiled_divide(c.layout_b(), tiler));
}
template <class F, class O, class L, class Tiler>
TS_HOST_DEVICE constexpr auto flat_divide(ComposedLayout<F, O, L> const& c, Tiler const& tiler) {
  return detail::with_inner(c, flat_divide(c.layout_b(), tiler));
}
template <class F, class O, class L, class Target, class Order = LayoutLeft>
TS_HOST_DEVICE constexpr auto tile_to_shape(ComposedLayout<F, O, L> const& c, Target const& target, Order order = {}) {
  return detail::with_inner(c, tile_to_shape(c.layout_b(), target, order));
}
/// What can be copied at once is decided by the function; nothing is promised here.
template <class F, class O, class L, class B>
TS_HOST_DEVICE constexpr Int<1> max_common_vector(ComposedLayout<F, O, L> const&, B const&) { return {}; }

// ---- Other element types: a swizzle's bits count elements, too ----

namespace detail {
TS_HOST_DEVICE constexpr int log2(int n) { return n <= 1 ? 0 : 1 + log2(n / 2); }
}  // namespace detail

template <int N, int B, int M, int S>
TS_HOST_DEVICE constexpr auto upcast(Swizzle<B, M, S> const&) {
  static_assert((N & (N - 1)) == 0, "upcast of a swizzle: N is not a power of two; choose one that is");
  constexpr int left = M - detail::log2(N);
  return Swizzle<(left >= 0 ? B : (B + left > 0 ? B + left : 0)), (left >= 0 ? left : 0), S>{};
}
template <int N, int B, int M, int S>
TS_HOST_DEVICE constexpr auto downcast(Swizzle<B, M, S> const&) {
  static_assert((N & (N - 1)) == 0, "downcast of a swizzle: N is not a power of two; choose one that is");
  return Swizzle<B, M + detail::log2(N), S>{};
}
template <int N, class F, class O, class L>
TS_HOST_DEVICE constexpr auto upcast(ComposedLayout<F, O, L> const& c) {
  return make_composed_layout(upcast<N>(c.layout_a()), c.offset() / Int<N>{}, upcast<N>(c.layout_b()));
}
template <int N, class F, class O, class L>
TS_HOST_DEVICE constexpr auto downcast(ComposedLayout<F, O, L> const& c) {
  return make_composed_layout(downcast<N>(c.layout_a()), c.offset() * Int<N>{}, downcast<N>(c.layout_b()));
}

}  // namespace tilestep
