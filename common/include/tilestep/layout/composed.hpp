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

  TS_HOST_DEVICE constexpr Function layout_a() const {
    return detail::value_of(static_cast<TupleElement<ComposedLayout, 0, Function> const*>(this));
  }
  TS_HOST_DEVICE constexpr Offset offset() const {
    return detail::value_of(static_cast<TupleElement<ComposedLayout, 1, Offset> const*>(this));
  }
  TS_HOST_DEVICE constexpr Inner layout_b() const {
    return detail::value_of(static_cast<TupleElement<ComposedLayout, 2, Inner> const*>(this));
  }
  TS_HOST_DEVICE constexpr auto shape() const { return layout_b().shape(); }

  /// The function and the offset after another layout.
  template <class Other>
  TS_HOST_DEVICE constexpr ComposedLayout<Function, Offset, Other> with(Other const& other) const {
    return {layout_a(), offset(), other};
  }

  /// As of a layout. A slice keeps the function, and the offset of what is fixed moves into it, unless it has strides.
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
namespace detail {
template <class T> concept Composed = is_composed_layout_v<T>;
}

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

// ---- Looking at one ----

template <int I, int... Rest, class F, class O, class L>
TS_HOST_DEVICE constexpr auto get(ComposedLayout<F, O, L> const& c) { return c.with(get<I, Rest...>(c.layout_b())); }
template <int... I, detail::Composed C>
TS_HOST_DEVICE constexpr auto cosize(C const& c) { return cosize<I...>(c.layout_b()); }
template <detail::Composed A, detail::Composed B>
TS_HOST_DEVICE constexpr auto operator==(A const& a, B const& b) {
  return (a.layout_a() == b.layout_a()) && (a.offset() == b.offset()) && (a.layout_b() == b.layout_b());
}

// ---- Slicing. The function does not distribute over a sum: it stays, with the offset of what is fixed. But where that
// offset is static and leaves a swizzle no choice, strides alone say what the swizzle does to the rest ----

namespace detail {
TS_HOST_DEVICE constexpr int log2(int n) { return n <= 1 ? 0 : 1 + log2(n / 2); }

/// Whether a flat layout has sizes and strides that are powers of two and share no bit: it moves the bits of an index.
template <class L> inline constexpr bool moves_bits = false;
template <class... S, class... D>
  requires((is_static_v<S> && ...) && (is_static_v<D> && ...))
inline constexpr bool moves_bits<Layout<Tuple<S...>, Tuple<D...>>> = [] {
  std::int64_t seen = 0;
  auto const fits = [&](std::int64_t s, std::int64_t d) {
    bool const apart = (seen & ((s - 1) * d)) == 0;
    seen |= (s - 1) * d;
    return apart && (s & (s - 1)) == 0 && d >= 0 && (d & (d - 1)) == 0;
  };
  return (fits(S::value, D::value) && ...);
}();

/// Whether the slice of a swizzled layout has strides: what is fixed has none of its bits, and no two are xored.
template <class Coord, class C> inline constexpr bool slice_has_strides = false;
template <class Coord, int B, int M, int S, class O, class L>
  requires(is_static_v<Coord> && is_static_v<O> && is_static_v<L> && moves_bits<decltype(flatten(slice(Coord{}, L{})))>)
inline constexpr bool slice_has_strides<Coord, ComposedLayout<Swizzle<B, M, S>, O, L>> = [] {
  constexpr auto part = slice(Coord{}, L{});
  constexpr std::int64_t start = O{} + crd2idx(Coord{}, L{}), kept = part(size(part) - Int<1>{});
  return size(part) != size(L{}) && (start & kept) == 0 && ((Swizzle<B, M, S>{}(kept) ^ kept) & kept) == 0;
}();
}  // namespace detail

/// The modes at `_`: with strides of their own, or else function and offset and modes.
template <class Coord, detail::Composed C>
TS_HOST_DEVICE constexpr auto slice(Coord const& coord, C const& c) {
  auto const start = c.offset() + crd2idx(coord, c.layout_b());
  auto const part = slice(coord, c.layout_b());
  if constexpr (!detail::slice_has_strides<Coord, C>) return make_composed_layout(c.layout_a(), start, part);
  else return [&]<int... I>(seq<I...> bits) {
    auto const at = [&](auto bit) { return c.layout_a()(start ^ bit); };
    auto const steps = make_stride((at(Int<(1 << I)>{}) - at(Int<0>{}))...);
    return composition(make_layout(detail::copies(Int<2>{}, bits), steps), part);
  }(make_seq<detail::log2(cosize_v<decltype(part)>) + 1>{});
}
/// (the slice, the offset of its first element: 0 where that is inside)
template <class Coord, detail::Composed C>
TS_HOST_DEVICE constexpr auto slice_and_offset(Coord const& coord, C const& c) {
  if constexpr (!detail::slice_has_strides<Coord, C>) return make_tuple(slice(coord, c), Int<0>{});
  else return make_tuple(slice(coord, c), c.layout_a()(c.offset() + crd2idx(coord, c.layout_b())));
}
template <class F, class O, class L>
template <class Coord>
TS_HOST_DEVICE constexpr auto ComposedLayout<F, O, L>::at(Coord const& coord) const {
  if constexpr (has_underscore_v<Coord>) return slice(coord, *this);
  else return layout_a()(offset() + layout_b()(coord));
}

// ---- The algebra, on the inner layout ----

template <detail::Composed C, class T>
TS_HOST_DEVICE constexpr auto composition(C const& c, T const& t) { return c.with(composition(c.layout_b(), t)); }
template <detail::Composed C>
TS_HOST_DEVICE constexpr auto coalesce(C const& c) { return c.with(coalesce(c.layout_b())); }
template <detail::Composed C, class T>
TS_HOST_DEVICE constexpr auto coalesce(C const& c, T const& profile) { return c.with(coalesce(c.layout_b(), profile)); }
template <detail::Composed C>
TS_HOST_DEVICE constexpr auto flatten(C const& c) { return c.with(flatten(c.layout_b())); }
template <int First, int Last, detail::Composed C>
TS_HOST_DEVICE constexpr auto take(C const& c) { return c.with(take<First, Last>(c.layout_b())); }
template <int First, int Last, detail::Composed C>
TS_HOST_DEVICE constexpr auto group(C const& c) { return c.with(group<First, Last>(c.layout_b())); }
template <detail::Composed C, class T>
TS_HOST_DEVICE constexpr auto logical_divide(C const& c, T const& t) { return c.with(logical_divide(c.layout_b(), t)); }
template <detail::Composed C, class T>
TS_HOST_DEVICE constexpr auto zipped_divide(C const& c, T const& t) { return c.with(zipped_divide(c.layout_b(), t)); }
template <detail::Composed C, class T>
TS_HOST_DEVICE constexpr auto tiled_divide(C const& c, T const& t) { return c.with(tiled_divide(c.layout_b(), t)); }
template <detail::Composed C, class T>
TS_HOST_DEVICE constexpr auto flat_divide(C const& c, T const& t) { return c.with(flat_divide(c.layout_b(), t)); }
template <detail::Composed C, class T, class Order = LayoutLeft>
TS_HOST_DEVICE constexpr auto tile_to_shape(C const& c, T const& target, Order const& order = {}) {
  return c.with(tile_to_shape(c.layout_b(), target, order));
}

// ---- Copying: one access takes what a swizzle leaves side by side; equal swizzles on both sides do not limit it ----

namespace detail {
template <class L>
TS_HOST_DEVICE constexpr auto unswizzled(L const& layout) {
  if constexpr (is_composed_layout_v<L>) return layout.layout_b();
  else return layout;
}
/// How many elements, beginning at a multiple of their number, the function of a layout leaves side by side.
template <class L> inline constexpr int kept_together = is_composed_layout_v<L> ? 1 : 1 << 30;
template <int B, int M, int S, class O, class L>
inline constexpr int kept_together<ComposedLayout<Swizzle<B, M, S>, O, L>> = int(gcd(1 << M, known_value<O>()));

template <class A, class B> inline constexpr bool swizzled_alike = false;
template <class F, class O, class A, class B>
inline constexpr bool swizzled_alike<ComposedLayout<F, O, A>, ComposedLayout<F, O, B>> = is_static_v<O>;
}  // namespace detail

/// @pre an offset known at run time alone is a multiple of what the swizzle leaves side by side
template <class A, class B>
  requires(is_composed_layout_v<A> || is_composed_layout_v<B>)
TS_HOST_DEVICE constexpr auto max_common_vector(A const& a, B const& b) {
  auto const common = max_common_vector(detail::unswizzled(a), detail::unswizzled(b));
  if constexpr (detail::swizzled_alike<A, B>) return common;
  else return min(common, Int<detail::kept_together<A>>{}, Int<detail::kept_together<B>>{});
}

// ---- Other element types: a swizzle's bits count elements, too ----

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
