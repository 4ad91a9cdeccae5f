#pragma once
// The identity tensor: its element at (m,n) is the coordinate (m,n) itself. No memory stands behind it. Tile and
// partition it like the tensor it accompanies, and every thread can ask where in the matrix its elements lie: that is
// what a predicate needs.

#include <tilestep/tensor/tensor.hpp>  // Tensor, View

namespace tilestep {

/// An iterator over coordinates: base + step is a coordinate again, and so is what it points to.
template <class Coord>
struct CoordinateIterator {
  using value_type = Coord;
  using memory = GenericMemory;
  Coord base;
  TS_HOST_DEVICE constexpr auto operator*() const { return base; }
  template <class Step>
  TS_HOST_DEVICE constexpr auto operator+(Step const& step) const {
    auto const sum = base + as_coordinate(step);
    return CoordinateIterator<decltype(sum)>{sum};
  }
  template <class Step>
  TS_HOST_DEVICE constexpr auto operator[](Step const& step) const { return base + as_coordinate(step); }
};

/// @param shape of the tensor it accompanies
/// @post make_identity_tensor(shape)(c) == c
template <class Shape>
TS_HOST_DEVICE constexpr auto make_identity_tensor(Shape const& shape) {
  auto const origin = repeat_like(shape, Int<0>{});
  return make_view(CoordinateIterator<remove_cvref_t<decltype(origin)>>{origin}, make_identity_layout(shape));
}

}  // namespace tilestep
