#pragma once
// What the calls of algorithm_pairs.inc are made of: tensors in host memory and in registers, of any extents.

#include <tilestep/algorithm.hpp>  // what must refuse

#define REFUSED(...) static_cast<void>(__VA_ARGS__);

namespace tilestep {

/// A tensor in host memory.
template <class T = float, class... Extent>
auto mem(Extent... extent) { return make_tensor(static_cast<T*>(nullptr), make_shape(extent...)); }
template <class T = float, class S, class D>
auto mem(Layout<S, D> const& layout) { return make_tensor(static_cast<T*>(nullptr), layout); }

/// A tensor in registers.
template <class T = float, class... Extent>
auto reg(Extent... extent) { return make_register_tensor<T>(make_shape(extent...)); }

/// Copies in vectors of four along mode 1.
using Rows4 = VectorAccess<Step<_0, _1>, 1, 4>;
using ByRows = Layout<Shape<_4, _8>, Stride<_8, _1>>;

}  // namespace tilestep
