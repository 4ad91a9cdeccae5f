#pragma once
// Predicates of edges for `copy_if`: does an element lie in the matrix?

#include <tilestep/algorithm.hpp>  // elem_less, detail::takes_numbers

namespace tilestep {

/// The predicate that an element lies in a matrix: coords(c) is less than `shape` in every mode.
/// @param coords  a partitioned identity tensor, shaped as the tensor that is copied
template <class Coords, class Shape>
struct Within {
  Coords coords;
  Shape shape;
  template <class Coord>
  TS_HOST_DEVICE constexpr bool operator()(Coord const& c) const { return elem_less(coords(c), shape); }
};
template <class Coords, class Shape> TS_HOST_DEVICE constexpr auto within(Coords const& coords, Shape const& shape) {
  return Within<Coords, Shape>{coords, shape};
}

/// The same for mode 0 alone: for tiles that are whole along the other one.
template <class Coords, class Shape>
struct RowsWithin {
  Coords coords;
  Shape shape;
  template <class Coord>
  TS_HOST_DEVICE constexpr bool operator()(Coord const& c) const { return get<0>(coords(c)) < get<0>(shape); }
};
template <class Coords, class Shape>
TS_HOST_DEVICE constexpr auto rows_within(Coords const& coords, Shape const& shape) {
  return RowsWithin<Coords, Shape>{coords, shape};
}

namespace detail {

template <class Coords, class Shape> inline constexpr bool takes_numbers<Within<Coords, Shape>> = true;
template <class Coords, class Shape> inline constexpr bool takes_numbers<RowsWithin<Coords, Shape>> = true;

}  // namespace detail

}  // namespace tilestep
