#pragma once
// From the types of a problem to a kernel: which instruction the target has for them, and whether whole tiles can be copied in vectors. Each
// family of targets has its own source, so that no compiler has to read all kernels at once.

#include "kernel.hpp"  // KLoopGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // GemmCall, launch_gemm, whole_tiles

namespace tilestep {

bool run_nvidia(GemmCall const& call);  ///< mma.sync          each: false if it has no instruction for these types on this target
bool run_cdna(GemmCall const& call);    ///< MFMA
bool run_rdna3(GemmCall const& call);   ///< WMMA
bool run_rdna4(GemmCall const& call);   ///< WMMA
bool run_fma(GemmCall const& call);     ///< f32 where the target has no matrix instruction for it

// [choose]
/// Launches the kernel with this instruction: in vectors where all tiles are whole and lie along K, in scalars otherwise.
/// @tparam BlkTile  a BlockTile   @tparam TIn, TOut  stored types
template <class Op, class BlkTile, class TIn, class TOut, class TScale>
void launch_with(GemmCall const& call) {
  using Vectors = GemmConfig<Op, BlkTile, TIn, Contiguous::k, Contiguous::k, 16 / int(sizeof(TIn))>;
  using Scalars = GemmConfig<Op, BlkTile, TIn, Contiguous::unknown, Contiguous::unknown, 1>;
  if (whole_tiles<Vectors>(call)) launch_gemm<KLoopGemm<Vectors, TOut, TScale>, TIn, TIn, TOut, TScale>(call);
  else launch_gemm<KLoopGemm<Scalars, TOut, TScale>, TIn, TIn, TOut, TScale>(call);
}
// [choose]

/// launch_with, if the target has the instruction.
template <class Op, class BlkTile, class TIn, class TOut, class TScale = float>
bool run_on(GemmCall const& call) {
  if constexpr (backend_has<Op>) {
    if (!has_instruction<Op>(call.target)) return false;
    launch_with<Op, BlkTile, TIn, TOut, TScale>(call);
    return true;
  }
  return false;
}

/// Is this a problem with these types?
template <DType In, DType Acc, DType Out>
bool has_types(GemmCall const& call) { return call.dtype == In && call.acc == Acc && call.out == Out; }

}  // namespace tilestep
