#pragma once
// From the types and the layout of a problem to a kernel: which instruction the target has for them, on which tile. Each family of targets
// has its own sources, so that no compiler has to read all kernels at once.

#include "kernel.hpp"  // BlockGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // GemmCall, launch_gemm, whole_tiles

#include <optional>  // a target may have none

namespace tilestep {

/// A kernel: its tile, whether it can copy a problem's operands, and how it is launched.
struct Choice {
  int m, n, k;
  bool (*fits)(GemmCall const&);
  void (*launch)(GemmCall const&);
};

// Each: nothing where the target has no instruction for these types.
std::optional<Choice> nvidia_f16_kernel(GemmCall const& call);  ///< mma.sync, operands in f16
std::optional<Choice> nvidia_kernel(GemmCall const& call);      ///< mma.sync, others
std::optional<Choice> cdna_f16_kernel(GemmCall const& call);    ///< MFMA, operands in f16
std::optional<Choice> cdna_kernel(GemmCall const& call);        ///< MFMA, others
std::optional<Choice> rdna3_kernel(GemmCall const& call);       ///< WMMA
std::optional<Choice> rdna4_kernel(GemmCall const& call);       ///< WMMA
std::optional<Choice> fma_kernel(GemmCall const& call);         ///< f32 where the target has no matrix instruction for it

/// The kernel for operands that lie along these modes.
/// @tparam BlkTile  a BlockTile   @tparam TIn, TOut  stored types   @tparam TScale  of alpha and beta
template <Contiguous AlongA, Contiguous AlongB, class Op, class BlkTile, class TIn, class TOut, class TScale>
Choice kernel_along() {
  using Config = GemmConfig<Op, BlkTile, TIn, AlongA, AlongB, 16 / int(sizeof(TIn))>;
  return {BlkTile::m, BlkTile::n, BlkTile::k, whole_tiles<Config>, [](GemmCall const& call) { launch_gemm<BlockGemm<Config, TOut, TScale>, TIn, TIn, TOut, TScale>(call); }};
}

/// With this instruction, if the target has it, in layout nt: both operands lie along K.
template <class Op, class BlkTile, class TIn, class TOut, class TScale = float>
std::optional<Choice> only_nt(GemmCall const& call) {
  if constexpr (backend_has<Op>) {
    if (has_instruction<Op>(call.target)) return kernel_along<Contiguous::k, Contiguous::k, Op, BlkTile, TIn, TOut, TScale>();
  }
  return {};
}

/// With this instruction, if the target has it, in every layout: the mode with stride 1 becomes part of the kernel's type.
template <class Op, class BlkTile, class TIn, class TOut, class TScale = float>
std::optional<Choice> any_layout(GemmCall const& call) {
  using enum Contiguous;
  if constexpr (backend_has<Op>) {
    if (!has_instruction<Op>(call.target)) return {};
    bool const a_along_k = call.stride_a.col == 1, b_along_k = call.stride_b.col == 1;
    if (a_along_k && b_along_k) return kernel_along<k, k, Op, BlkTile, TIn, TOut, TScale>();     // nt
    if (a_along_k) return kernel_along<k, mn, Op, BlkTile, TIn, TOut, TScale>();                 // nn
    if (b_along_k) return kernel_along<mn, k, Op, BlkTile, TIn, TOut, TScale>();                 // tt
    return kernel_along<mn, mn, Op, BlkTile, TIn, TOut, TScale>();                               // tn
  }
  return {};
}

/// Is this a problem with these types?
template <DType In, DType Acc, DType Out>
bool has_types(GemmCall const& call) { return call.dtype == In && call.acc == Acc && call.out == Out; }

}  // namespace tilestep
