#pragma once
// Where the sums of split K are until they are added: a workspace that is kept from one problem to the next.

#include <tilestep/backend/runtime.hpp>       // DeviceBuffer, mark_uninitialised
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <cstdint>  // std::int64_t
#include <memory>   // a workspace that is not there yet

namespace tilestep {

namespace detail {

/// Memory for `count` sums. It is kept, and grows as problems ask for more.
template <class TSum>
TSum* workspace_for(std::int64_t count) {
  static std::unique_ptr<DeviceBuffer<TSum>> buffer;
  if (!buffer || buffer->size() < count) {
    buffer.reset();  // first: both would not fit
    buffer = std::make_unique<DeviceBuffer<TSum>>("workspace", count);
  }
  mark_uninitialised(buffer->data(), buffer->size() * std::int64_t(sizeof(TSum)));
  return buffer->data();
}

}  // namespace detail

/// The same product with its sums in a workspace (M,N,(L,slices)), as they are: not scaled, and without an epilogue. N
/// is contiguous there if it is in C.
inline GemmCall into_workspace(GemmCall const& call, int slices) {
  GemmCall sums = call;
  bool const along_n = call.stride_c.row >= call.stride_c.col;
  // multiples of 16 bytes
  std::int64_t const lines = along_n ? call.m : call.n, line = ((along_n ? call.n : call.m) + 3) & ~std::int64_t(3);
  sums.out = call.acc;
  sums.stride_c = along_n ? Strides{line, 1, lines * line} : Strides{1, line, lines * line};
  sums.alpha = 1;
  sums.beta = 0;
  sums.epilogue = {};
  sums.to_workspace = true;
  std::int64_t const count = lines * line * call.batch * slices;
  if (call.acc == DType::i32) sums.c = detail::workspace_for<std::int32_t>(count);
  else if (call.acc == DType::f64) sums.c = detail::workspace_for<double>(count);
  else sums.c = detail::workspace_for<float>(count);
  return sums;
}

}  // namespace tilestep
