// Kernels, so the backend's compiler reads this file.

#include <tilestep/harness/repack.hpp>

#include <tilestep/backend/runtime.hpp>      // DeviceBuffer, mark_uninitialised
#include <tilestep/block/repack.hpp>         // Repack
#include <tilestep/block/repack_words.hpp>   // RepackWords
#include <tilestep/harness/gemm_launch.hpp>  // launch, detail::matrix_layout
#include <tilestep/harness/next_kernel.hpp>  // next_may_begin

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

/// A copy that is to be made of an operand of (mn,k,batch).
template <class T>
RepackParams<T, MatrixLayout> copy_of(int operand, void const* data, std::int64_t mn, GemmCall const& call,
                                      Strides const& s) {
  MatrixLayout const to = padded_layout(mn, call.k, call.batch);
  return {static_cast<T const*>(data), buffer_for<T>(operand, size(to)),
          detail::matrix_layout(mn, call.k, call.batch, s), to};
}

/// Launches the copies: of both operands at once where the next kernel can begin as they end.
template <class T>
GemmCall copied(GemmCall call, bool a, bool b) {
  GemmCall const both = padded(call);
  RepackWordsParams<T, MatrixLayout> params{};
  auto& [of_a, of_b] = params.operands;
  params.early = next_may_begin(call);
  if (a) of_a = copy_of<T>(0, call.a, call.m, call, call.stride_a), call.a = of_a.to, call.stride_a = both.stride_a;
  if (b) of_b = copy_of<T>(1, call.b, call.n, call, call.stride_b), call.b = of_b.to, call.stride_b = both.stride_b;
  if (backend_has_hopper && call.target == RepackWords<T, MatrixLayout>::only_on) {
    if constexpr (backend_has_hopper) {
      using Kernel = RepackWords<T, MatrixLayout>;
      launch(Kernel{}, size(Kernel::grid(of_a)) + size(Kernel::grid(of_b)), params);
    }
  } else {
    using Kernel = Repack<T, MatrixLayout>;
    if (a) launch(Kernel{}, size(Kernel::grid(of_a)), of_a);
    if (b) launch(Kernel{}, size(Kernel::grid(of_b)), of_b);
  }
  return call;
}

}  // namespace

GemmCall repack(GemmCall const& call, bool a, bool b) {
  switch (bytes_of(call.dtype)) {
    case 1: return copied<std::uint8_t>(call, a, b);
    case 2: return copied<std::uint16_t>(call, a, b);
    case 8: return copied<std::uint64_t>(call, a, b);
    default: return copied<std::uint32_t>(call, a, b);
  }
}
GemmCall repack(GemmCall const& call) { return repack(call, true, true); }

}  // namespace tilestep
