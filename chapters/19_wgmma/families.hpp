#pragma once
// From a problem to the kernel on Hopper: f16 or bf16 to f32, operands along K or along M and N, tiles of 128 x 256 x
// 64 in a ring of four stages.

#include "kernel.hpp"  // WgmmaGemm

#include <tilestep/harness/gemm_choices.hpp>  // GemmChoice
#include <tilestep/harness/gemm_launch.hpp>   // detail::matrix_layout
#include <tilestep/harness/gemm_types.hpp>    // detail::dtype_stored
#include <tilestep/harness/tma_matrix.hpp>    // tma_takes, matrix_copy

#include <type_traits>  // std::is_same_v

namespace tilestep {

// [ring]
/// @tparam T  of A and B: half_t or bfloat16_t   @tparam M, N  of the tile, M a multiple of 64   @tparam A, B  the
/// contiguous modes, in global and in shared memory
template <class T, int M, int N, int Stages, Major A, Major B>
struct WgmmaRing {
  static constexpr int K = 64, stages = Stages;
  using BlkM = Int<M>;
  using BlkN = Int<N>;
  using BlkK = Int<K>;
  // One below the other, warpgroups have 64 rows of the tile each.
  static constexpr DType type = std::is_same_v<T, half_t> ? DType::f16 : DType::bf16;
  using Mma = decltype(make_tiled_mma(SM90_64xNx16_SS<N, type, A, B>{}, Layout<Shape<Int<M / 64>, _1, _1>>{}));
  static constexpr int threads = decltype(Mma::size())::value;

  static constexpr TileSwizzle swizzle_a = widest_swizzle<T>(A, M, K), swizzle_b = widest_swizzle<T>(B, N, K);
  using SmemA = decltype(swizzled_tile<T, A, swizzle_a>(Shape<BlkM, BlkK, Int<stages>>{}));  // (BLK_M,BLK_K,PIPE)
  using SmemB = decltype(swizzled_tile<T, B, swizzle_b>(Shape<BlkN, BlkK, Int<stages>>{}));  // (BLK_N,BLK_K,PIPE)
  using TmaA = TmaCopy<SM90_TMA_LOAD, T, decltype(swizzled_tile<T, A, swizzle_a>(Shape<BlkM, BlkK>{}))>;
  using TmaB = TmaCopy<SM90_TMA_LOAD, T, decltype(swizzled_tile<T, B, swizzle_b>(Shape<BlkN, BlkK>{}))>;
};
// [ring]

/// Launches the kernel. @pre TMA takes A and B along the modes that Config says
template <class Config>
void launch_wgmma(GemmJob const& job) {
  if constexpr (backend_has_hopper) {
    using Kernel = WgmmaGemm<Config, float, float>;
    GemmCall const& call = job.call;
    if (call.m == 0 || call.n == 0 || call.batch == 0) return;
    typename Kernel::Params p{.tma_a = {},
                              .tma_b = {},
                              .c = static_cast<float*>(call.c),
                              .layout_c = detail::matrix_layout(call.m, call.n, call.batch, call.stride_c),
                              .k = int(call.k),
                              .alpha = static_cast<float>(call.alpha),
                              .beta = static_cast<float>(call.beta)};
    if (call.k > 0) {  // without it there is nothing to copy, and no matrix to describe
      p.tma_a = matrix_copy<typename Config::TmaA>(call.a, call.stride_a, call.m, call.k, call.batch);
      p.tma_b = matrix_copy<typename Config::TmaB>(call.b, call.stride_b, call.n, call.k, call.batch);
    }
    launch(Kernel{}, size(Kernel::grid(p)), p);
  }
}

// [choose]
/// On A and B as they are stored where TMA takes them, along either mode, else on copies of them along K.
template <class T, int M = 128, int N = 256, int Stages = 4>
GemmChoice choose(GemmCall const& call) {
  auto const takes = [&](void const* data, Strides const& s, std::int64_t mn, bool along_k) {
    return tma_takes(data, s, mn, call.k, call.batch, int(sizeof(T)), along_k);
  };
  bool const a_along_k = takes(call.a, call.stride_a, call.m, true),
             b_along_k = takes(call.b, call.stride_b, call.n, true),
             a_along_m = !a_along_k && takes(call.a, call.stride_a, call.m, false),
             b_along_n = !b_along_k && takes(call.b, call.stride_b, call.n, false);
  using Shared = typename WgmmaGemm<WgmmaRing<T, M, N, Stages, Major::k, Major::k>, float, float>::Shared;
  GemmChoice choice{"wgmma",
                    {M, N, 64, 1},
                    sizeof(Shared),  // the same in every layout
                    launch_wgmma<WgmmaRing<T, M, N, Stages, Major::k, Major::k>>,
                    !a_along_k && !a_along_m,
                    !b_along_k && !b_along_n};
  if (a_along_m && b_along_n) choice.launch = launch_wgmma<WgmmaRing<T, M, N, Stages, Major::mn, Major::mn>>;
  else if (a_along_m) choice.launch = launch_wgmma<WgmmaRing<T, M, N, Stages, Major::mn, Major::k>>;
  else if (b_along_n) choice.launch = launch_wgmma<WgmmaRing<T, M, N, Stages, Major::k, Major::mn>>;
  return choice;
}
// [choose]

namespace kinds {
using hopper_f16 = half_t;
using hopper_bf16 = bfloat16_t;
}  // namespace kinds

/// @tparam T  of A and B
template <class T>
GemmChoices kernels_of(GemmCall const& call) {
  bool const computes = call.dtype == detail::dtype_stored<T> && call.acc == DType::f32 && call.out == DType::f32 &&
                        has_instruction<SM90_64xNx16_SS<256, detail::dtype_stored<T>>>(call.target);
  return computes ? GemmChoices{choose<T>(call)} : GemmChoices{};
}

}  // namespace tilestep
