#pragma once
// The same memory seen with another element type. upcast<N> joins N neighbouring elements into one, downcast<N> splits
// each into N. Only the mode of stride 1 changes its size; the other strides count larger or smaller elements.

#include <tilestep/layout/rearrange.hpp>  // Layout, make_layout

namespace tilestep {

/// The size of T's elements in bits. Types smaller than a byte specialise it.
template <class T> inline constexpr int sizeof_bits_v = int(sizeof(T)) * 8;

namespace detail {
template <int N, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto upcast(Shape const& shape, Stride const& stride) {
  if constexpr (is_tuple_v<Shape>) {
    return [&]<int... I>(seq<I...>) {
      return make_layout(upcast<N>(get<I>(shape), get<I>(stride))...);
    }(indices_of<Shape>{});
  } else if constexpr (is_constant_v<0, Stride>) {
    return make_layout(shape, stride);
  } else if constexpr (is_static_v<Stride>) {
    static_assert(Stride::value % N == 0 || N % Stride::value == 0,
                  "upcast: elements of this mode straddle the new ones; choose a divisor or a multiple of N");
    auto const joined = ceil_div(Int<N>{}, abs(stride));
    return make_layout(ceil_div(shape, joined), signum(stride) * ceil_div(abs(stride), Int<N>{}));
  } else {
    return make_layout(shape, stride / Int<N>{});  // a run-time stride counts as a multiple of N
  }
}

template <int N, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto downcast(Shape const& shape, Stride const& stride) {
  if constexpr (is_tuple_v<Shape>) {
    return [&]<int... I>(seq<I...>) {
      return make_layout(downcast<N>(get<I>(shape), get<I>(stride))...);
    }(indices_of<Shape>{});
  } else if constexpr (is_constant_v<1, Stride> || is_constant_v<-1, Stride>) {
    return make_layout(shape * Int<N>{}, stride);
  } else {
    return make_layout(shape, stride * Int<N>{});
  }
}

template <class T> inline constexpr bool has_one = is_constant_v<1, T>;
template <class... T> inline constexpr bool has_one<Tuple<T...>> = (false || ... || has_one<T>);
}  // namespace detail

/// @pre static strides divide N or are multiples of it; run-time strides are multiples of N
template <int N, class S, class D>
TS_HOST_DEVICE constexpr auto upcast(Layout<S, D> const& layout) {
  return detail::upcast<N>(layout.shape(), layout.stride());
}
/// @pre some mode has the static stride 1
template <int N, class S, class D>
TS_HOST_DEVICE constexpr auto downcast(Layout<S, D> const& layout) {
  static_assert(detail::has_one<D>,
                "downcast: no mode has the static stride 1 to put the parts in; make one _1");
  return detail::downcast<N>(layout.shape(), layout.stride());
}

/// The layout for elements of NewBits bits of memory laid out for elements of OldBits bits.
template <int OldBits, int NewBits, class L>
TS_HOST_DEVICE constexpr auto recast_layout(L const& layout) {
  constexpr int common = int(detail::gcd(OldBits, NewBits));
  if constexpr (OldBits == NewBits) return layout;
  else if constexpr (common == OldBits) return upcast<NewBits / OldBits>(layout);
  else if constexpr (common == NewBits) return downcast<OldBits / NewBits>(layout);
  else return downcast<OldBits / common>(upcast<NewBits / common>(layout));
}
template <class OldType, class NewType, class L>
TS_HOST_DEVICE constexpr auto recast_layout(L const& layout) {
  return recast_layout<sizeof_bits_v<OldType>, sizeof_bits_v<NewType>>(layout);
}

}  // namespace tilestep
