#pragma once
// Composition: composition(lhs, rhs)(c) = lhs(rhs(c)). It is how everything else here is said: a tile of a matrix is
// the matrix's layout composed with the layout that enumerates the tile. The result has the shape of rhs, since rhs is
// asked first, and it is again a layout, which is the reason why shape and stride must divide one another.

#include <tilestep/core/basis.hpp>       // is_basis_v
#include <tilestep/layout/coalesce.hpp>  // coalesce

namespace tilestep {

namespace detail {
/// One mode s:d of rhs walks through the modes I.. of lhs, which is flat: for each, take as many elements as the walk
/// finds in it before it steps over to the next. The last mode of lhs goes on without end. Begun: a mode was found
/// already.
template <int I, bool Begun, class Lhs, class S, class D>
TS_HOST_DEVICE constexpr auto walk(Lhs const& lhs, S const& s, D const& d) {
  auto const extent = get<I>(lhs.shape());
  auto const step = get<I>(lhs.stride());
  if constexpr (I + 1 == Lhs::rank) {
    if constexpr (Begun && is_constant_v<1, S>) return Layout<Tuple<>, Tuple<>>{};
    else return make_layout(make_shape(s), make_stride(d * step));
  } else {
    if constexpr (is_static_v<decltype(extent)> && is_static_v<D>) {
      static_assert(D::value % decltype(extent)::value == 0 || D::value < decltype(extent)::value,
                    "composition: the right stride neither divides into nor is a multiple of the left mode's size; "
                    "choose a tile that steps over whole modes");
    }
    auto const found = ceil_div(extent, abs(d));
    auto const rest_d = ceil_div(abs(d), extent) * signum(d);
    if constexpr (is_constant_v<1, decltype(found)> || is_constant_v<1, S>) {
      return walk<I + 1, Begun>(lhs, s, rest_d);
    } else {
      auto const taken = min(found, s);
      if constexpr (is_static_v<decltype(taken)> && is_static_v<S>) {
        static_assert(S::value % decltype(taken)::value == 0,
                      "composition: the right size does not split at the end of the left mode; "
                      "choose a tile whose size is a multiple (or a divisor) of the mode's");
      }
      auto const rest = walk<I + 1, true>(lhs, s / taken, rest_d);
      return make_layout(prepend(rest.shape(), taken), prepend(rest.stride(), d * step));
    }
  }
}

/// lhs is coalesced; rhs has one mode.
template <class Lhs, class S, class D>
TS_HOST_DEVICE constexpr auto compose_mode(Lhs const& lhs, S const& s, D const& d) {
  if constexpr (is_constant_v<0, D>) {
    return make_layout(s, d);
  } else if constexpr (!is_tuple_v<typename Lhs::Shape>) {
    return make_layout(s, d * lhs.stride());
  } else {
    auto const modes = walk<0, false>(lhs, s, d);
    return make_layout(unwrap(modes.shape()), unwrap(modes.stride()));
  }
}

template <class Lhs, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto compose(Lhs const& lhs, Shape const& shape, Stride const& stride) {
  if constexpr (is_tuple_v<Shape>) {
    return [&]<int... I>(seq<I...>) {
      return make_layout(compose(lhs, get<I>(shape), get<I>(stride))...);
    }(indices_of<Shape>{});
  } else {
    return compose_mode(lhs, shape, stride);
  }
}
}  // namespace detail

/// @pre sizes and strides divide one another (see the messages); checked where they are static
/// @post result(c) == lhs(rhs(c)) for all c; compatible(shape(rhs), shape(result))
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto composition(Layout<S, D> const& lhs, Layout<T, U> const& rhs) {
  if constexpr (is_basis_v<U>) {  // a direction leads along one mode of lhs
    return [&]<class V, int... N>(ScaledBasis<V, N...> const& steps) {
      return composition(get<N...>(lhs), make_layout(rhs.shape(), steps.value()));
    }(rhs.stride());
  } else if constexpr (has_basis_v<U>) {
    return [&]<int... I>(seq<I...>) { return make_layout(composition(lhs, get<I>(rhs))...); }(indices_of<T>{});
  } else {
    return folded([&] { return detail::compose(detail::coalesce_unbounded(lhs), rhs.shape(), rhs.stride()); });
  }
}

/// By mode: a tuple holds one tiler for each of lhs's first modes and drops the others; an integer n is n:1, `_`
/// everything.
template <class S, class D, class Tiler>
  requires(is_tuple_v<Tiler> || is_integral_v<Tiler>)
TS_HOST_DEVICE constexpr auto composition(Layout<S, D> const& lhs, Tiler const& tiler) {
  if constexpr (is_tuple_v<Tiler>) {
    static_assert(rank_v<Tiler> <= rank_v<S>, "composition: the tiler has more modes than the layout; drop some");
    return [&]<int... I>(seq<I...>) {
      return make_layout(composition(get<I>(lhs), get<I>(tiler))...);
    }(indices_of<Tiler>{});
  } else if constexpr (is_underscore_v<Tiler>) {
    return lhs;
  } else {
    return composition(lhs, make_layout(tiler, Int<1>{}));
  }
}

}  // namespace tilestep
