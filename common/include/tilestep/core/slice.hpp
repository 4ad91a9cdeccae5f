#pragma once
// The underscore and what it selects. In a coordinate `_` means "all of this mode": `layout(2, _)` keeps the second
// mode. slice keeps what stands at an underscore, dice keeps the rest.

#include <tilestep/core/tuple_algorithms.hpp>  // tuple_cat, apply

namespace tilestep {

/// "All of this mode." As a coordinate it counts as 0, so that an offset can be taken of a sliced coordinate.
struct Underscore : Int<0> {};

TS_CONSTANT Underscore _{};

template <> inline constexpr bool is_integral_v<Underscore> = true;

template <class T> inline constexpr bool is_underscore_v = std::is_same_v<T, Underscore>;

template <class T> inline constexpr bool has_underscore_v = is_underscore_v<T>;
template <class... T> inline constexpr bool has_underscore_v<Tuple<T...>> = (false || ... || has_underscore_v<T>);

namespace detail {
/// The parts of t, in order, at whose place coord has an underscore (Keep) or an integer (not Keep).
template <bool Keep, class Coord, class T>
TS_HOST_DEVICE constexpr auto pick(Coord const& coord, T const& t) {
  if constexpr (is_tuple_v<Coord>) {
    static_assert(is_tuple_v<T> && tuple_size_v<Coord> == tuple_size_v<T>,
                  "rank mismatch: a slice needs one coordinate or _ per mode; add or drop some");
    return [&]<int... I>(seq<I...>) {
      return tuple_cat(pick<Keep>(get<I>(coord), get<I>(t))...);
    }(common_indices<Coord, T>{});
  } else if constexpr (is_underscore_v<Coord> == Keep) {
    return make_tuple(t);
  } else {
    return Tuple<>{};
  }
}
template <bool Keep, class Coord, class T>
TS_HOST_DEVICE constexpr auto pick_top(Coord const& coord, T const& t) {
  if constexpr (!is_tuple_v<Coord> && is_underscore_v<Coord> == Keep) return t;
  else if constexpr (is_static_v<T>) return decltype(pick<Keep>(coord, t)){};
  else return pick<Keep>(coord, t);
}
}  // namespace detail

/// The parts of t that stand at an underscore of coord.
template <class Coord, class T>
  requires(is_tuple_v<T> || is_integral_v<T>)
TS_HOST_DEVICE constexpr auto slice(Coord const& coord, T const& t) { return detail::pick_top<true>(coord, t); }
/// The parts of t that stand at an integer of coord.
template <class Coord, class T>
  requires(is_tuple_v<T> || is_integral_v<T>)
TS_HOST_DEVICE constexpr auto dice(Coord const& coord, T const& t) { return detail::pick_top<false>(coord, t); }

}  // namespace tilestep
