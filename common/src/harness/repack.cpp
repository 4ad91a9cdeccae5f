// Kernels, so the backend's compiler reads this file.

#include <tilestep/harness/repack.hpp>

#include <tilestep/backend/runtime.hpp>      // DeviceBuffer, mark_uninitialised
#include <tilestep/block/repack.hpp>         // Repack
#include <tilestep/harness/gemm_launch.hpp>  // launch, detail::matrix_layout

#include <optional>  // a buffer that is not there yet

namespace tilestep {

namespace {

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
void const* repack_operand(int operand, DType type, void const* data, std::int64_t mn, std::int64_t k,
                           std::int64_t batch, Strides const& s) {
  MatrixLayout const from = detail::matrix_layout(mn, k, batch, s), to = padded_layout(mn, k, batch);
  if (bytes_of(type) == 1) return copy_of<std::uint8_t>(operand, data, from, to);
  if (bytes_of(type) == 2) return copy_of<std::uint16_t>(operand, data, from, to);
  if (bytes_of(type) == 8) return copy_of<std::uint64_t>(operand, data, from, to);
  return copy_of<std::uint32_t>(operand, data, from, to);
}

}  // namespace

GemmCall repack(GemmCall const& call, bool a, bool b) {
  GemmCall const both = padded(call);
  GemmCall copy = call;
  if (a) {
    copy.stride_a = both.stride_a;
    copy.a = repack_operand(0, call.dtype, call.a, call.m, call.k, call.batch, call.stride_a);
  }
  if (b) {
    copy.stride_b = both.stride_b;
    copy.b = repack_operand(1, call.dtype, call.b, call.n, call.k, call.batch, call.stride_b);
  }
  return copy;
}
GemmCall repack(GemmCall const& call) { return repack(call, true, true); }

}  // namespace tilestep
