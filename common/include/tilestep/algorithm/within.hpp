#pragma once
// Predicates of edges for `copy_if`: whether an element lies in the matrix.

#include <tilestep/algorithm/access.hpp>  // takes_numbers

namespace tilestep {

/// @tparam Rows  mode 0 alone is asked for
template <bool Rows, class Coords, class Shape>
struct Within {
  Coords coords;
  Shape shape;
  template <class Coord>
  TS_HOST_DEVICE constexpr bool operator()(Coord const& c) const {
    if constexpr (Rows) return get<0>(coords(c)) < get<0>(shape);
    else return elem_less(coords(c), shape);
  }
};
template <bool Rows, class Coords, class Shape>
inline constexpr bool detail::takes_numbers<Within<Rows, Coords, Shape>> = true;

/// The predicate that an element lies in a matrix: coords(c) is less than `shape` in every mode.
/// @param coords  a partitioned identity tensor, shaped as the tensor that is copied
template <class Coords, class Shape>
TS_HOST_DEVICE constexpr auto within(Coords const& coords, Shape const& shape) {
  return Within<false, Coords, Shape>{coords, shape};
}
/// The same for mode 0 alone: for tiles that are whole along the other one.
template <class Coords, class Shape>
TS_HOST_DEVICE constexpr auto rows_within(Coords const& coords, Shape const& shape) {
  return Within<true, Coords, Shape>{coords, shape};
}

}  // namespace tilestep
