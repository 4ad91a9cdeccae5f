// Chapter 12's kernel for f16 operands that lie along K, alone: one instruction, a tile of TEST_BLK_M x TEST_BLK_N x 32
// shared by 2 x TEST_WARPS_N warps. Its tiles travel by TEST_ROUTE, TEST_BYTES at once; shared memory has TEST_STAGES
// of them. Tests compile it for a GPU and read its loop.

#include "kernel.hpp"  // AsyncGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // launch_gemm

namespace tilestep {

using Tested = Pipeline<GemmConfig<TEST_OP, BlockTile<TEST_BLK_M, TEST_BLK_N, 32, 2, TEST_WARPS_N, TEST_RESIDENT>,
                                   half_t, Contiguous::k, Contiguous::k, 8, Arrangement::swizzled>,
                        Route::TEST_ROUTE, TEST_STAGES, 2, TEST_BYTES>;

void run_vector_kernel(GemmCall const& call);
void run_vector_kernel(GemmCall const& call) {
  launch_gemm<async_copies::AsyncGemm<Tested, float, float>, half_t, half_t, float, float>(call);
}

}  // namespace tilestep
