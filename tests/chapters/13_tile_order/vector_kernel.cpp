// Chapter 13's kernel for f16 operands that lie along K, alone: one instruction, a tile of TEST_BLK_M x TEST_BLK_N x
// TEST_BLK_K shared by TEST_WARPS_M x TEST_WARPS_N warps. Its tiles travel by TEST_ROUTE; shared memory has TEST_STAGES
// of them. Tests compile it for a GPU and read its loop.

#include "kernel.hpp"  // OrderedGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // gemm_params, launch

namespace tilestep {

using Tested = Pipeline<
    GemmConfig<TEST_OP, BlockTile<TEST_BLK_M, TEST_BLK_N, TEST_BLK_K, TEST_WARPS_M, TEST_WARPS_N, TEST_RESIDENT>,
               half_t, Contiguous::k, Contiguous::k, 8, Arrangement::swizzled>,
    Route::TEST_ROUTE, TEST_STAGES, TEST_FRAGMENTS>;

void run_vector_kernel(GemmCall const& call, TileSchedule const& schedule);
void run_vector_kernel(GemmCall const& call, TileSchedule const& schedule) {
  using Kernel = tile_order::OrderedGemm<Tested, float, float>;
  launch(Kernel{}, schedule.blocks, Kernel::Params{gemm_params<half_t, half_t, float, float>(call), schedule});
}

}  // namespace tilestep
