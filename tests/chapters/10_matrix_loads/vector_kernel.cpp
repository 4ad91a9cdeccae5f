// Chapter 10's kernel for f16, alone: one instruction, a tile of 128 x 128 x 32 shared by 2 x 2 warps, swizzled,
// operands along TEST_ALONG. Tests compile it for a GPU and count the instructions of its loop.

#include "kernel.hpp"  // MatrixLoadGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // launch_gemm

namespace tilestep {

using Tested = GemmConfig<TEST_OP, BlockTile<128, 128, 32, 2, 2, 2>, half_t, Contiguous::TEST_ALONG,
                          Contiguous::TEST_ALONG, 8, Arrangement::swizzled>;

void run_vector_kernel(GemmCall const& call);
void run_vector_kernel(GemmCall const& call) {
  launch_gemm<matrix_loads::MatrixLoadGemm<Tested, float, float>, half_t, half_t, float, float>(call);
}

}  // namespace tilestep
