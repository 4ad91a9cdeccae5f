#pragma once
// From a problem to the kernel on Hopper: f16 or bf16 to f32, tiles of 128 x 256 x 64 in a ring of four stages.

#include "kernel.hpp"  // TmaGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choices_of_kind
#include <tilestep/harness/tma_matrix.hpp>  // tma_takes, matrix_copy

namespace tilestep {

// [ring]
/// @tparam Config  a GemmConfig for 16-bit operands along K whose tiles are swizzled in lines of 128 bytes
/// @tparam Stages  tiles of A and B that shared memory holds at once
template <class Config, int Stages>
struct TmaRing : Config {
  static constexpr int stages = Stages;
  using TmaA = TmaCopy<SM90_TMA_LOAD, typename Config::In, typename Config::SmemA>;  // of (BLK_M,BLK_K)
  using TmaB = TmaCopy<SM90_TMA_LOAD, typename Config::In, typename Config::SmemB>;  // of (BLK_N,BLK_K)
};

/// Eight warps of 64 x 64, as in chapter 12. A tile has 64 elements along K: a line of 128 bytes, the widest swizzle of
/// TMA. Four stages of 48 KiB.
template <class Kind, int Stages = 4>
using Ring = TmaRing<VectorsOf<Kind, Contiguous::k, Contiguous::k, Arrangement::swizzled>, Stages>;
// [ring]

/// Launches the kernel. @pre A and B lie along K, as TMA takes them
template <class Kind, class Config>
void launch_tma(GemmJob const& job) {
  if constexpr (backend_has_hopper) {
    using Kernel = TmaGemm<Config, typename Kind::TOut, typename Kind::TScale>;
    GemmCall const& call = job.call;
    if (call.m == 0 || call.n == 0 || call.batch == 0) return;
    typename Kernel::Params p{.tma_a = {},
                              .tma_b = {},
                              .c = static_cast<typename Kind::TOut*>(call.c),
                              .layout_c = detail::matrix_layout(call.m, call.n, call.batch, call.stride_c),
                              .k = int(call.k),
                              .alpha = static_cast<typename Kind::TScale>(call.alpha),
                              .beta = static_cast<typename Kind::TScale>(call.beta)};
    if (call.k > 0) {  // without it there is nothing to copy, and no matrix to describe
      p.tma_a = matrix_copy<typename Config::TmaA>(call.a, call.stride_a, call.m, call.k, call.batch);
      p.tma_b = matrix_copy<typename Config::TmaB>(call.b, call.stride_b, call.n, call.k, call.batch);
    }
    launch(Kernel{}, size(Kernel::grid(p)), p);
  }
}

/// On A and B as they are stored where TMA takes them along K, else on copies of them.
template <class Kind, class Config = Ring<Kind>>
GemmChoice choose(GemmCall const& call) {
  using Tile = typename Kind::BlkTile;
  constexpr int bytes = int(sizeof(typename Kind::TIn));
  return {"tma",
          {Tile::m, Tile::n, Tile::k, Tile::resident_blocks},
          detail::shared_bytes<TmaGemm<Config, typename Kind::TOut, typename Kind::TScale>>,
          launch_tma<Kind, Config>,
          !tma_takes(call.a, call.stride_a, call.m, call.k, call.batch, bytes, true),
          !tma_takes(call.b, call.stride_b, call.n, call.k, call.batch, bytes, true)};
}

namespace kinds {
using HopperTile = BlockTile<128, 256, 64, 2, 4>;
using hopper_f16 = GemmKind<SM80_16x8x16_F32F16F16F32_TN, HopperTile, float>;
using hopper_bf16 = GemmKind<SM80_16x8x16_F32BF16BF16F32_TN, HopperTile, float>;
}  // namespace kinds

template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return choices_of_kind<Kind>(call, [&](auto) { return choose<Kind>(call); });
}

}  // namespace tilestep
