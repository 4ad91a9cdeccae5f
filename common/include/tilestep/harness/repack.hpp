#pragma once
// Repacking at run time: buffers that are kept from one problem to the next, and the launch for each operand. A chapter includes this in one
// source: it has kernels.

#include <tilestep/backend/runtime.hpp>       // DeviceBuffer, mark_uninitialised
#include <tilestep/block/repack.hpp>          // Repack
#include <tilestep/harness/gemm_launch.hpp>   // launch, GemmCall
#include <tilestep/harness/gemm_params.hpp>   // MatrixLayout

#include <optional>  // a buffer that is not there yet

namespace tilestep {

namespace detail {

// [padded]
/// A matrix of (mn,k,batch) in a padded buffer: rows along K, whole tiles of 64 x 64.
inline MatrixLayout padded_layout(std::int64_t mn, std::int64_t k, std::int64_t batch) {
  auto const extents = pad(make_layout(make_shape(mn, k, batch)), make_shape(_64{}, _64{})).shape();
  auto const [rows, cols, batches] = extents;
  return MatrixLayout(extents, make_stride(cols, std::int64_t(1), rows * cols));
}
// [padded]

inline Strides strides_of(MatrixLayout const& layout) { return {stride<0>(layout), stride<1>(layout), stride<2>(layout)}; }

/// Memory for `count` elements of an operand, 0 or 1. It is kept, and grows as problems ask for more.
template <class T>
T* buffer_for(int operand, std::int64_t count) {
  static std::optional<DeviceBuffer<T>> buffers[2];
  auto& buffer = buffers[operand];
  if (!buffer || buffer->size() < count) {
    buffer.reset();
    buffer.emplace(operand == 0 ? "A repacked" : "B repacked", count);
  }
  mark_uninitialised(buffer->data(), buffer->size() * std::int64_t(sizeof(T)));
  return buffer->data();
}

template <class T>
void const* copy_of(int operand, void const* data, MatrixLayout const& from, MatrixLayout const& to) {
  RepackParams<T, MatrixLayout> const params{static_cast<T const*>(data), buffer_for<T>(operand, size(to)), from, to};
  using Kernel = Repack<T, MatrixLayout>;
  launch(Kernel{}, size(Kernel::grid(params)), params);
  return params.to;
}

/// Launches the copy of an operand of (mn,k,batch). @return where it is
inline void const* repack_operand(int operand, DType type, void const* data, std::int64_t mn, std::int64_t k, std::int64_t batch, Strides const& s) {
  MatrixLayout const from(make_shape(mn, k, batch), make_stride(s.row, s.col, s.batch));
  MatrixLayout const to = padded_layout(mn, k, batch);
  if (bytes_of(type) == 1) return copy_of<std::uint8_t>(operand, data, from, to);
  if (bytes_of(type) == 2) return copy_of<std::uint16_t>(operand, data, from, to);
  return copy_of<std::uint32_t>(operand, data, from, to);
}

}  // namespace detail

/// The same problem with its operands where `repack` puts them, before they are there: rows along K, with zeros after them.
inline GemmCall padded(GemmCall const& call) {
  GemmCall copy = call;
  copy.a = copy.b = nullptr;
  copy.stride_a = detail::strides_of(detail::padded_layout(call.m, call.k, call.batch));
  copy.stride_b = detail::strides_of(detail::padded_layout(call.n, call.k, call.batch));
  return copy;
}

/// Launches the copies of A and B into padded buffers. @return padded(call) on these buffers
inline GemmCall repack(GemmCall const& call) {
  GemmCall copy = padded(call);
  copy.a = detail::repack_operand(0, call.dtype, call.a, call.m, call.k, call.batch, call.stride_a);
  copy.b = detail::repack_operand(1, call.dtype, call.b, call.n, call.k, call.batch, call.stride_b);
  return copy;
}

}  // namespace tilestep
