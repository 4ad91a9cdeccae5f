#pragma once
// From a GEMM as the harness describes it, all run-time, to the launch of one kernel with its own types.

#include <tilestep/backend/launch.hpp>        // launch
#include <tilestep/block/gemm_config.hpp>     // Contiguous
#include <tilestep/block/gemm_params.hpp>     // GemmParams, MatrixLayout
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <algorithm>                          // std::max
#include <cstdint>                            // std::uintptr_t, INT32_MAX

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

/// Can an operand of (mn,k) be copied in vectors along K, or else along M or N? Then its elements stand side by side
/// there, every vector starts at a multiple of its bytes and ends inside of the matrix, and a tile spans less than 2^31
/// bytes.
/// @param bytes  of an element
/// @param tile_mn, tile_k  of the tile
/// @param padded  a vector may end outside: zeros follow there
/// @param vector  bytes of a vector
inline bool operand_takes_vectors(void const* data, Strides const& s, std::int64_t mn, std::int64_t k, int bytes,
                                  int tile_mn, int tile_k, bool along_k, bool padded = false, int vector = 16) {
  std::int64_t const line = along_k ? s.row : s.col, lines = along_k ? tile_mn : std::max(k, std::int64_t{tile_k}),
                     extent = along_k ? k : mn;
  return (along_k ? s.col : s.row) == 1 && (padded || extent * bytes % vector == 0) &&
         line * bytes % vector == 0 && s.batch * bytes % vector == 0 &&
         reinterpret_cast<std::uintptr_t>(data) % std::uintptr_t(vector) == 0 &&
         line * bytes <= INT32_MAX / lines;
}

/// Can both operands be copied so, along the modes that `Config` expects?
/// @tparam Config  a GemmConfig   @param padded  a vector may end outside: zeros follow there
template <class Config>
bool takes_vectors(GemmCall const& call, bool padded = false) {
  constexpr int bytes = int(sizeof(typename Config::In)), k = Config::BlkK::value;
  return operand_takes_vectors(call.a, call.stride_a, call.m, call.k, bytes, Config::BlkM::value, k,
                               Config::along_a != Contiguous::mn, padded) &&
         operand_takes_vectors(call.b, call.stride_b, call.n, call.k, bytes, Config::BlkN::value, k,
                               Config::along_b != Contiguous::mn, padded);
}

/// Are M, N and K multiples of the tile, too?
template <class Config>
bool whole_tiles(GemmCall const& call) {
  return takes_vectors<Config>(call) && call.m % Config::BlkM::value == 0 && call.n % Config::BlkN::value == 0 &&
         call.k % Config::BlkK::value == 0;
}

/// Launches `Kernel`, which says by its static function grid(params) how many blocks the problem takes: (m,n,batch).
template <class Kernel, class TA, class TB = TA, class TC = TA, class TAcc = TC>
void launch_gemm(GemmCall const& call) {
  auto const params = gemm_params<TA, TB, TC, TAcc>(call);
  launch(Kernel{}, size(Kernel::grid(params)), params);
}

}  // namespace tilestep
