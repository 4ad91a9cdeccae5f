#pragma once
// Between coordinates and indices. Index i of a shape counts its coordinates with the first mode fastest
// (colexicographic order): in (4,3), index 5 is (1,1). With strides a coordinate becomes an offset instead. Coordinates
// may be given flat, nested or as one index, mode by mode; the last mode of an index may run past its size, which
// predicates rely on.

#include <tilestep/core/int_tuple.hpp>  // product, flatten, product_like

namespace tilestep {

namespace detail {
/// The index coord into the modes I.. of shape and stride: peel off one mode, pass on the rest.
template <int I, class Index, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto index_to_offset(Index const& index, Shape const& shape, Stride const& stride);

/// Whether all leaves are plain integers, so that 0 of them is 0.
template <class T> inline constexpr bool counts = DynamicInt<T>;
template <auto v> inline constexpr bool counts<C<v>> = true;
template <class... T> inline constexpr bool counts<Tuple<T...>> = (true && ... && counts<T>);
}  // namespace detail

/// The offset of coord: the sum over all leaves of coordinate * stride.
template <class Coord, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto crd2idx(Coord const& coord, Shape const& shape, Stride const& stride) {
  if constexpr (std::is_base_of_v<Int<0>, Coord> && detail::counts<Stride>) {
    return Int<0>{};  // or `_`, which counts as 0
  } else if constexpr (is_tuple_v<Coord>) {
    static_assert(tuple_size_v<Coord> == tuple_size_v<Shape> && is_tuple_v<Shape>,
                  "rank mismatch: coordinate with more or fewer modes than the shape; give one a mode, or one index");
    static_assert(tuple_size_v<Shape> == tuple_size_v<Stride>,
                  "rank mismatch: shape and stride are not congruent; give every mode a stride");
    return [&]<int... I>(seq<I...>) {
      return (... + crd2idx(get<I>(coord), get<I>(shape), get<I>(stride)));
    }(common_indices<Coord, Shape>{});
  } else if constexpr (is_tuple_v<Shape>) {
    static_assert(tuple_size_v<Shape> == tuple_size_v<Stride>,
                  "rank mismatch: shape and stride are not congruent; give every mode a stride");
    return detail::index_to_offset<0>(coord, shape, stride);
  } else {
    return coord * stride;
  }
}

namespace detail {
template <int I, class Index, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto index_to_offset(Index const& index, Shape const& shape, Stride const& stride) {
  if constexpr (I + 1 == tuple_size_v<Shape>) {
    return crd2idx(index, get<I>(shape), get<I>(stride));
  } else {
    auto const extent = product(get<I>(shape));
    auto const here = crd2idx(index % extent, get<I>(shape), get<I>(stride));
    return here + index_to_offset<I + 1>(index / extent, shape, stride);
  }
}

/// c0 + s0 * (c1 + s1 * (c2 + ..))
template <int I, class Coord, class Shape>
TS_HOST_DEVICE constexpr auto horner(Coord const& coord, Shape const& shape) {
  if constexpr (I + 1 == tuple_size_v<Coord>) return get<I>(coord);
  else return get<I>(coord) + get<I>(shape) * horner<I + 1>(coord, shape);
}
}  // namespace detail

/// The index of coord in shape.
template <class Coord, class Shape>
TS_HOST_DEVICE constexpr auto crd2idx(Coord const& coord, Shape const& shape) {
  if constexpr (!is_tuple_v<Coord>) {
    return coord;
  } else {
    static_assert(tuple_size_v<Coord> == tuple_size_v<Shape> && is_tuple_v<Shape>,
                  "rank mismatch: coordinate with more or fewer modes than the shape; give one a mode, or one index");
    return detail::horner<0>(flatten(coord), flatten(product_like(shape, coord)));
  }
}

namespace detail {
template <int I, class Index, class Shape, class Done>
TS_HOST_DEVICE constexpr auto split_index(Index const& index, Shape const& shape, Done const& done);
}  // namespace detail

/// The coordinate in shape of an index (or of the index that each mode of a tuple holds).
template <class Index, class Shape>
TS_HOST_DEVICE constexpr auto idx2crd(Index const& index, Shape const& shape) {
  if constexpr (is_tuple_v<Index>) {
    static_assert(tuple_size_v<Index> == tuple_size_v<Shape> && is_tuple_v<Shape>,
                  "rank mismatch: the tuple of indices has more or fewer modes than the shape; give one a mode");
    return transform(index, shape, [](auto const& i, auto const& s) { return idx2crd(i, s); });
  } else if constexpr (is_tuple_v<Shape>) {
    return detail::split_index<0>(index, shape, Tuple<>{});
  } else {
    return index;
  }
}

namespace detail {
template <int I, class Index, class Shape, class Done>
TS_HOST_DEVICE constexpr auto split_index(Index const& index, Shape const& shape, Done const& done) {
  if constexpr (I + 1 == tuple_size_v<Shape>) {
    return append(done, idx2crd(index, get<I>(shape)));
  } else {
    auto const extent = product(get<I>(shape));
    return split_index<I + 1>(index / extent, shape, append(done, idx2crd(index % extent, get<I>(shape))));
  }
}
}  // namespace detail

/// The coordinate whose offset under compact strides is index: (index / d) mod s at each leaf.
template <class Index, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto idx2crd(Index const& index, Shape const& shape, Stride const& stride) {
  if constexpr (is_tuple_v<Index>) {
    return transform(index, shape, stride, [](auto i, auto const& s, auto const& d) { return idx2crd(i, s, d); });
  } else if constexpr (is_tuple_v<Shape>) {
    return transform(shape, stride, [&](auto const& s, auto const& d) { return idx2crd(index, s, d); });
  } else if constexpr (is_constant_v<1, Shape>) {
    return Int<0>{};  // its stride is 0: no division
  } else {
    return (index / stride) % shape;
  }
}

/// The coordinate in shape `to` with the index that coord has in shape `from`, mode by mode as deep as all three go.
template <class Coord, class From, class To>
TS_HOST_DEVICE constexpr auto crd2crd(Coord const& coord, From const& from, To const& to) {
  if constexpr (is_tuple_v<Coord> && is_tuple_v<From> && is_tuple_v<To>) {
    static_assert(tuple_size_v<Coord> == tuple_size_v<From> && tuple_size_v<Coord> == tuple_size_v<To>,
                  "rank mismatch: coordinate and shapes differ in rank; give one coordinate per mode, or one index");
    return transform(coord, from, to, [](auto const& c, auto const& f, auto const& t) { return crd2crd(c, f, t); });
  } else {
    return idx2crd(crd2idx(coord, from), to);
  }
}

}  // namespace tilestep
