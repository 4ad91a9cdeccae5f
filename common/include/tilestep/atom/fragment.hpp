#pragma once
// Fragments: registers for a thread's part of a tensor. They have its shape and are packed. The values of one
// instruction, mode 0, come first; the other modes follow in the order in which memory has them.

#include <tilestep/tensor.hpp>  // Layout, make_register_tensor

namespace tilestep {

namespace detail {
/// The layout of a tensor, or a layout, without the function that swizzles it.
template <class T>
TS_HOST_DEVICE constexpr auto plain_layout(T const& t) {
  if constexpr (is_layout_v<T>) return unswizzled(t);
  else return unswizzled(t.layout());
}
}  // namespace detail

/// Packed, with the modes in the order of their strides; what is repeated at one place has one place here, too.
/// @par Source CuTe's function of this name, as the next
template <class S, class D>
TS_HOST_DEVICE constexpr auto make_layout_like(Layout<S, D> const& layout) {
  return make_layout(layout.shape(), compact_order(filter_zeros(layout.stride(), layout.shape()), layout.stride()));
}

/// The same with mode 0 in front and its parts from left to right; the other modes are not repeated. A shape known at
/// run time alone, or strides that are directions: packed from left to right.
template <class S, class D>
TS_HOST_DEVICE constexpr auto make_fragment_like(Layout<S, D> const& layout) {
  if constexpr (rank_v<S> > 1 && is_static_v<S> && !has_basis_v<D>) {
    auto const values = compact_major<LayoutLeft>(filter_zeros(get<0>(layout.stride()), get<0>(layout.shape())));
    auto const rest = make_ordered_layout(take<1, -1>(layout.shape()), take<1, -1>(layout.stride()));
    auto const strides = logical_product(make_layout(get<0>(layout.shape()), values), rest).stride();
    return make_layout(layout.shape(), prepend(get<1>(strides), get<0>(strides)));
  } else {
    return make_layout(layout.shape());
  }
}

/// Registers for a copy of `like`, which only coordinates known at compile time may touch.
/// @param like a tensor or a layout with a static shape
template <class T, class Like>
TS_HOST_DEVICE constexpr auto make_fragment_like(Like const& like) {
  return make_register_tensor<T>(decltype(make_fragment_like(detail::plain_layout(like))){});
}
template <class Engine, class L>
TS_HOST_DEVICE constexpr auto make_fragment_like(Tensor<Engine, L> const& like) {
  return make_fragment_like<typename Tensor<Engine, L>::value_type>(like);
}

/// A tensor that owns a copy's elements in the order of make_layout_like; any coordinate may touch it.
template <class T, class Like>
TS_HOST_DEVICE constexpr auto make_tensor_like(Like const& like) {
  return make_tensor<T>(make_layout_like(detail::plain_layout(like)));
}
template <class Engine, class L>
TS_HOST_DEVICE constexpr auto make_tensor_like(Tensor<Engine, L> const& like) {
  return make_tensor_like<typename Tensor<Engine, L>::value_type>(like);
}

}  // namespace tilestep
