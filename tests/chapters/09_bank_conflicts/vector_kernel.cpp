// Chapter 09's kernel for f16 operands that lie along K, alone: one instruction, a tile of TEST_BLK_M x 128 x 32 shared
// by 2 x TEST_WARPS_N warps, vectors of 8 elements, arranged in shared memory as TEST_ARRANGED says. Tests compile it
// for a GPU and count the instructions of its loop.

#include "kernel.hpp"  // SwizzledGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // launch_gemm

namespace tilestep {

using Tested = GemmConfig<TEST_OP, BlockTile<TEST_BLK_M, 128, 32, 2, TEST_WARPS_N, TEST_RESIDENT>, half_t,
                          Contiguous::k, Contiguous::k, 8, Arrangement::TEST_ARRANGED>;

void run_vector_kernel(GemmCall const& call);
void run_vector_kernel(GemmCall const& call) {
  launch_gemm<bank_conflicts::SwizzledGemm<Tested, float, float>, half_t, half_t, float, float>(call);
}

}  // namespace tilestep
