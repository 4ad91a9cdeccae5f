#pragma once
// Set every element of a tensor. The usual first line of a GEMM is clear(accumulator).

#include <tilestep/algorithm/access.hpp>  // write, for_each_coordinate

namespace tilestep {

/// dst(c) = value for every coordinate c.
template <class TensorT, class T>
TS_HOST_DEVICE constexpr void fill(TensorT&& dst, T const& value) {
  auto const v = static_cast<typename remove_cvref_t<TensorT>::value_type>(value);
  detail::for_each_coordinate<detail::in_registers<TensorT>>(detail::loop_extents(dst.shape()),
                                                             [&](auto const& c) { detail::write(dst, c, &v); });
}

/// dst(c) = 0 for every coordinate c.
template <class TensorT>
TS_HOST_DEVICE constexpr void clear(TensorT&& dst) { fill(dst, typename remove_cvref_t<TensorT>::value_type{}); }

}  // namespace tilestep
