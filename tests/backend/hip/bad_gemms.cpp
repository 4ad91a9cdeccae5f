// Configurations of chapter 17's kernel, and of chapter 14's, that each break marks of gemm_check.py: a table that
// ships one of them must not pass.

// a configuration that asks for more than there is, too, is to be read
#pragma clang diagnostic ignored "-Wpass-failed"

#include "../../../chapters/14_persistent_blocks/kernel.hpp"  // ScheduledGemm
#include "kernel.hpp"                                       // OptimizedGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // launch

namespace bad_gemms {

using namespace tilestep;
using optimized_gemm::OptimizedGemm;
using persistent_blocks::ScheduledGemm;

template <class BlkTile, Route By = Route::registers, int Stages = 1, int Fragments = 2, int Bytes = 16>
using Config = Pipeline<
    GemmConfig<CDNA_32x32x8_F32F16F16F32, BlkTile, half_t, Contiguous::k, Contiguous::k, 8, Arrangement::swizzled>, By,
    Stages, Fragments, Bytes>;
using Good = BlockTile<256, 128, 32, 2, 2, 2>;

// half of the registers that warps of 128 x 128 need
using Crowded = OptimizedGemm<Config<BlockTile<256, 256, 32, 2, 2, 2>>, half_t>;
using ManyReads = OptimizedGemm<Config<BlockTile<256, 128, 32, 1, 4, 2>>, half_t>;  // each warp reads all of A
// reads a half of a tile when it needs it
using OneFragment = OptimizedGemm<Config<Good, Route::registers, 1, 1>, half_t>;
using Narrow = OptimizedGemm<Config<Good, Route::registers, 1, 2, 4>, half_t>;  // copies 4 bytes at a time
using NarrowStores = ScheduledGemm<Config<Good>, float, float>;  // stores C as the instruction leaves it

void launch_bad_gemms(OptimizedGemm<Config<Good>, half_t>::Params const& p, NarrowStores::Params const& of_14) {
  launch(Crowded{}, 1, p);
  launch(ManyReads{}, 1, p);
  launch(OneFragment{}, 1, p);
  launch(Narrow{}, 1, p);
  launch(NarrowStores{}, 1, of_14);
}

}  // namespace bad_gemms
