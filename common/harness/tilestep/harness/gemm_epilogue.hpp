#pragma once
// From the epilogue that a command line asks for, all run-time, to the one that a kernel computes in its own types.

#include <tilestep/block/epilogue.hpp>        // Epilogue
#include <tilestep/harness/gemm_choices.hpp>  // GemmJob
#include <tilestep/harness/gemm_types.hpp>    // detail::dtype_stored
#include <tilestep/harness/gemm_launch.hpp>   // detail::matrix_layout

#include <cstdint>  // std::uintptr_t

namespace tilestep {

/// The epilogue of a job. @tparam TScale  what it is computed in   @tparam TNarrow  the other type that C may have
template <class TScale, class TNarrow>
Epilogue<TScale, TNarrow, MatrixLayout> epilogue_of(GemmJob const& job) {
  GemmCall const& call = job.call;
  auto const starts_wide = [&](void const* data, Strides const& s) {
    std::int64_t const bytes = bytes_of(call.out);
    return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && s.col == 1 && s.row * bytes % 16 == 0 &&
           s.batch * bytes % 16 == 0;
  };
  auto const& e = call.epilogue;
  Epilogue<TScale, TNarrow, MatrixLayout> epilogue{};
  epilogue.c = call.c;
  // a workspace's rows are whole vectors, whatever N is
  bool const to_end = call.to_workspace && call.stride_c.col == 1;
  epilogue.layout_c = detail::matrix_layout(call.m, to_end ? call.stride_c.row : call.n, call.batch, call.stride_c);
  epilogue.narrow = call.out != detail::dtype_stored<TScale>;
  epilogue.wide = starts_wide(call.c, call.stride_c) && reinterpret_cast<std::uintptr_t>(e.bias) % 16 == 0 &&
                  (!e.has_residual || starts_wide(e.residual, e.stride_residual));
  epilogue.plain = call.beta == 0 && !e.any();
  epilogue.activation = e.activation;
  epilogue.alpha = static_cast<TScale>(call.alpha);
  epilogue.beta = static_cast<TScale>(call.beta);
  epilogue.bias = static_cast<TScale const*>(e.bias);
  epilogue.layout_bias =
      detail::matrix_layout(call.m, call.n, call.batch, job.transposed ? Strides{1, 0, 0} : Strides{0, 1, 0});
  epilogue.residual = const_cast<void*>(e.residual);
  epilogue.layout_residual = detail::matrix_layout(call.m, call.n, call.batch, e.stride_residual);
  return epilogue;
}

}  // namespace tilestep
