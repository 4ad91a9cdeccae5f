#pragma once
// From a GEMM as the harness describes it, all run-time, to the launch of one kernel with its own types.

#include <tilestep/backend/launch.hpp>        // launch
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall
#include <tilestep/harness/gemm_params.hpp>   // GemmParams, MatrixLayout

namespace tilestep {

namespace detail {
inline MatrixLayout matrix_layout(std::int64_t rows, std::int64_t cols, std::int64_t batch, Strides const& s) {
  return MatrixLayout(make_shape(rows, cols, batch), make_stride(s.row, s.col, s.batch));
}
}  // namespace detail

/// The kernel parameters of `call`.
/// @pre the element types are those that the call names
template <class TA, class TB, class TC, class TAcc>
GemmParams<TA, TB, TC, TAcc> gemm_params(GemmCall const& call) {
  return {static_cast<TA const*>(call.a),
          static_cast<TB const*>(call.b),
          static_cast<TC*>(call.c),
          detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
          detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
          detail::matrix_layout(call.m, call.n, call.batch, call.stride_c),
          static_cast<TAcc>(call.alpha),
          static_cast<TAcc>(call.beta)};
}

/// Launches `Kernel`, which says by its static function grid(params) how many blocks the problem takes: (m,n,batch).
template <class Kernel, class TA, class TB = TA, class TC = TA, class TAcc = TC>
void launch_gemm(GemmCall const& call) {
  auto const params = gemm_params<TA, TB, TC, TAcc>(call);
  launch(Kernel{}, size(Kernel::grid(params)), params);
}

}  // namespace tilestep
