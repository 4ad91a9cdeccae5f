#pragma once
// Inverses. A right inverse says which index of the layout has a given offset: layout(right(i)) == i, for as many
// offsets as are reached without a gap from 0. A left inverse recovers the index from an offset: left(layout(i)) == i.

#include <tilestep/layout/composition.hpp>  // composition
#include <tilestep/layout/sort.hpp>         // sorted_modes

namespace tilestep {

namespace detail {
/// The product of the sizes in front of each mode: where index i of the layout steps into that mode.
template <class Shape>
TS_HOST_DEVICE constexpr auto index_strides(Shape const& shape) {
  return fold(shape, make_tuple(Int<1>{}), [](auto const& done, auto const& s) {
    return append(done, s * get<rank_v<decltype(done)> - 1>(done));
  });
}

/// Chain the modes I, Rest.. as long as each starts where the one before ends, at offset `reached`.
template <class Shape, class Stride, class Index, class Reached, class Done>
TS_HOST_DEVICE constexpr Done chain(Shape const&, Stride const&, Index const&, Reached const&, Done done, seq<>) {
  return done;
}
template <class Shape, class Stride, class Index, class Reached, class Done, int I, int... Rest>
TS_HOST_DEVICE constexpr auto chain(Shape const& shape, Stride const& stride, Index const& index,
                                    Reached const& reached, Done const& done, seq<I, Rest...>) {
  if constexpr (is_constant_v<true, decltype(get<I>(stride) == reached)>) {
    return chain(shape, stride, index, get<I>(shape) * get<I>(stride),
                 append(done, make_layout(get<I>(shape), get<I>(index))), seq<Rest...>{});
  } else {
    return chain(shape, stride, index, reached, done, seq<Rest...>{});
  }
}

/// From each mode to the next, in the order of strides: so many offsets belong to one step of the index.
template <class Shape, class Stride, class Index, class Sizes, class Steps, int I, int... Rest>
TS_HOST_DEVICE constexpr auto spread(Shape const& shape, Stride const& stride, Index const& index, Sizes const& sizes,
                                     Steps const& steps, seq<I, Rest...>) {
  auto const d = get<I>(stride);
  if constexpr (is_constant_v<0, decltype(d)>) {
    if constexpr (sizeof...(Rest) == 0) return make_layout(append(sizes, get<I>(shape)), steps);
    else return spread(shape, stride, index, sizes, steps, seq<Rest...>{});
  } else {
    auto const covered = product(sizes);
    static_assert(is_constant_v<0, decltype(d % covered)>,
                  "left_inverse: a stride is no multiple of the smaller ones; choose strides that divide one another");
    auto const next_sizes = append(sizes, d / covered);
    auto const next_steps = append(steps, get<I>(index));
    if constexpr (sizeof...(Rest) == 0) return make_layout(append(next_sizes, get<I>(shape)), next_steps);
    else return spread(shape, stride, index, next_sizes, next_steps, seq<Rest...>{});
  }
}
}  // namespace detail

/// @post layout(result(i)) == i for all i < size(result)
template <class S, class D>
TS_HOST_DEVICE constexpr auto right_inverse(Layout<S, D> const& layout) {
  auto const flat = coalesce(layout);
  auto const sizes = wrap(flat.shape());
  auto const strides = wrap(flat.stride());
  return coalesce(detail::chain(sizes, strides, detail::index_strides(sizes), Int<1>{},
                                make_layout(Layout<Int<1>, Int<0>>{}), detail::sorted_modes<decltype(strides)>{}));
}

/// @pre strides are static and divide one another
/// @post layout(result(layout(i))) == layout(i) for all i < size(layout); result(layout(i)) == i if layout is injective
template <class S, class D>
TS_HOST_DEVICE constexpr auto left_inverse(Layout<S, D> const& layout) {
  auto const flat = coalesce(layout);
  auto const sizes = wrap(flat.shape());
  auto const strides = wrap(flat.stride());
  static_assert(is_static_v<decltype(strides)>, "left_inverse: run-time strides cannot be sorted; make them static");
  return coalesce(detail::spread(sizes, strides, detail::index_strides(sizes), Tuple<>{}, make_tuple(Int<0>{}),
                                 detail::sorted_modes<decltype(strides)>{}));
}

/// The largest layout of indices at which a and b agree on contiguous offsets: a(result(i)) == b(result(i)) == i.
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto max_common_layout(Layout<S, D> const& a, Layout<T, U> const& b) {
  auto const inverse = right_inverse(b);
  auto const common = coalesce(composition(a, inverse));
  if constexpr (is_static_v<decltype(shape<0>(common))> && is_constant_v<1, decltype(stride<0>(common))>) {
    return composition(inverse, get<0>(common));
  } else {
    return Layout<Int<1>, Int<0>>{};
  }
}
/// How many elements can be copied at once from a to b: Int<N>, N contiguous elements that correspond in both.
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto max_common_vector(Layout<S, D> const& a, Layout<T, U> const& b) {
  return size(max_common_layout(a, b));
}

namespace detail {
/// The leaves of t at which `stride` is a static 0.
template <class T, class Stride>
TS_HOST_DEVICE constexpr auto at_zeros(T const& t, Stride const& stride) {
  if constexpr (is_tuple_v<T>) {
    return [&]<int... I>(seq<I...>) { return tuple_cat(at_zeros(get<I>(t), get<I>(stride))...); }(indices_of<T>{});
  } else if constexpr (is_constant_v<0, Stride>) {
    return make_tuple(t);
  } else {
    return Tuple<>{};
  }
}
}  // namespace detail

/// The indices that the layout maps to 0, because their modes have stride 0: layout(result(i)) == 0.
template <class S, class D>
TS_HOST_DEVICE constexpr auto nullspace(Layout<S, D> const& layout) {
  auto const sizes = unwrap(detail::at_zeros(layout.shape(), layout.stride()));
  auto const steps = unwrap(detail::at_zeros(compact_major<LayoutLeft>(layout.shape()), layout.stride()));
  if constexpr (rank_v<decltype(sizes)> == 0) return Layout<Int<1>, Int<0>>{};
  else return make_layout(sizes, steps);
}

}  // namespace tilestep
