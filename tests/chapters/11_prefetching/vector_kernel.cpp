// Chapter 11's kernel for f16 operands that lie along K, alone: one instruction, a tile of TEST_BLK_M x TEST_BLK_N x 32
// shared by 2 x TEST_WARPS_N warps; TEST_AHEAD is loaded before it is needed. Tests compile it for a GPU and read its
// loop.

#include "kernel.hpp"  // PrefetchingGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // launch_gemm

namespace tilestep {

using namespace prefetching;

struct Tested : GemmConfig<TEST_OP, BlockTile<TEST_BLK_M, TEST_BLK_N, 32, 2, TEST_WARPS_N, TEST_RESIDENT>, half_t,
                           Contiguous::k, Contiguous::k, 8, Arrangement::swizzled> {
  static constexpr Ahead ahead = Ahead::TEST_AHEAD;
};

void run_vector_kernel(GemmCall const& call);
void run_vector_kernel(GemmCall const& call) {
  launch_gemm<PrefetchingGemm<Tested, float, float>, half_t, half_t, float, float>(call);
}

}  // namespace tilestep
