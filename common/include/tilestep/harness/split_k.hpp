#pragma once
// Split-K at run time: a workspace that is kept from one problem to the next, and the launch of its second pass. A chapter includes this in one
// source: it has kernels.

#include <tilestep/backend/runtime.hpp>      // DeviceBuffer, mark_uninitialised
#include <tilestep/block/split_k.hpp>        // AddSlices
#include <tilestep/harness/gemm_launch.hpp>  // launch, matrix_layout

#include <optional>  // a workspace that is not there yet

namespace tilestep {

namespace detail {

/// Memory for `count` sums. It is kept, and grows as problems ask for more.
template <class TSum>
TSum* workspace_for(std::int64_t count) {
  static std::optional<DeviceBuffer<TSum>> buffer;
  if (!buffer || buffer->size() < count) {
    buffer.reset();
    buffer.emplace("workspace", count);
  }
  mark_uninitialised(buffer->data(), buffer->size() * std::int64_t(sizeof(TSum)));
  return buffer->data();
}

template <class TSum, class TOut>
void add_slices_of(GemmCall const& call, GemmCall const& sums, int slices) {
  using Kernel = AddSlices<TSum, TOut, TSum, MatrixLayout>;
  typename Kernel::Params const params{static_cast<TSum const*>(sums.c), static_cast<TOut*>(call.c),
                                       matrix_layout(call.m, call.n, call.batch * slices, sums.stride_c), matrix_layout(call.m, call.n, call.batch, call.stride_c),
                                       static_cast<TSum>(call.alpha), static_cast<TSum>(call.beta)};
  launch(Kernel{}, size(Kernel::grid(params)), params);
}

}  // namespace detail

/// The same product with its sums in a workspace (M,N,(L,slices)), as they are: without alpha and beta. N is contiguous there if it is in C.
inline GemmCall into_workspace(GemmCall const& call, int slices) {
  GemmCall sums = call;
  bool const along_n = call.stride_c.row >= call.stride_c.col;
  std::int64_t const lines = along_n ? call.m : call.n, line = (along_n ? call.n : call.m) + 3 & ~std::int64_t(3);  // multiples of 16 bytes
  sums.out = call.acc;
  sums.stride_c = along_n ? Strides{line, 1, lines * line} : Strides{1, line, lines * line};
  sums.alpha = 1;
  sums.beta = 0;
  std::int64_t const count = lines * line * call.batch * slices;
  if (call.acc == DType::i32) sums.c = detail::workspace_for<std::int32_t>(count);
  else sums.c = detail::workspace_for<float>(count);
  return sums;
}

/// Launches the second pass: C = alpha (slice 0 + slice 1 + ..) + beta C. @param sums  what into_workspace(call, slices) gave, computed
inline void add_slices(GemmCall const& call, GemmCall const& sums, int slices) {
  if (call.acc == DType::i32) detail::add_slices_of<std::int32_t, std::int32_t>(call, sums, slices);
  else if (call.out == DType::f16) detail::add_slices_of<float, half_t>(call, sums, slices);
  else if (call.out == DType::bf16) detail::add_slices_of<float, bfloat16_t>(call, sums, slices);
  else detail::add_slices_of<float, float>(call, sums, slices);
}

}  // namespace tilestep
