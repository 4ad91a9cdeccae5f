#pragma once
// From a GEMM as the harness describes it, all run-time, to the launch of one kernel with its own types.

#include <tilestep/backend/launch.hpp>        // launch
#include <tilestep/block/gemm_config.hpp>     // Contiguous
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

/// Can `Config` copy the problem's operands in vectors of 16 bytes, all of them inside of the matrices? Then M, N and K are multiples of its
/// tile, both operands lie along the modes it expects, every vector starts at a multiple of 16 bytes, and a tile spans less than 2^31 bytes.
/// @tparam Config  a GemmConfig
template <class Config>
bool whole_tiles(GemmCall const& call) {
  constexpr int m = Config::BlkM::value, n = Config::BlkN::value, k = Config::BlkK::value, bytes = int(sizeof(typename Config::In));
  auto const operand = [&](void const* data, Strides const& s, int tile_mn, bool along_k) {
    std::int64_t const line = along_k ? s.row : s.col, lines = along_k ? tile_mn : k;
    return (along_k ? s.col : s.row) == 1 && line * bytes % 16 == 0 && s.batch * bytes % 16 == 0 && reinterpret_cast<std::uintptr_t>(data) % 16 == 0 &&
           line * bytes <= INT32_MAX / lines;
  };
  return call.m % m == 0 && call.n % n == 0 && call.k % k == 0 && operand(call.a, call.stride_a, m, Config::along_a != Contiguous::mn) &&
         operand(call.b, call.stride_b, n, Config::along_b != Contiguous::mn);
}

/// Launches `Kernel`, which says by its static function grid(params) how many blocks the problem takes: (m,n,batch).
template <class Kernel, class TA, class TB = TA, class TC = TA, class TAcc = TC>
void launch_gemm(GemmCall const& call) {
  auto const params = gemm_params<TA, TB, TC, TAcc>(call);
  launch(Kernel{}, size(Kernel::grid(params)), params);
}

}  // namespace tilestep
