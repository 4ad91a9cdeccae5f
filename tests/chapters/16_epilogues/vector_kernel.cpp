// Chapter 16's kernel for f16 operands that lie along K, alone: one instruction, a tile of TEST_BLK_M x TEST_BLK_N x
// TEST_BLK_K shared by TEST_WARPS_M x TEST_WARPS_N warps. Its tiles travel by TEST_ROUTE; shared memory has TEST_STAGES
// of them. Tests compile it for a GPU and read its loop.

#include "kernel.hpp"  // EpilogueGemm

#include <tilestep/block/gemm_config.hpp>  // GemmConfig, BlockTile
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>  // launch

namespace tilestep {

using Tested = Pipeline<
    GemmConfig<TEST_OP, BlockTile<TEST_BLK_M, TEST_BLK_N, TEST_BLK_K, TEST_WARPS_M, TEST_WARPS_N, TEST_RESIDENT>,
               half_t, Contiguous::k, Contiguous::k, 8, Arrangement::swizzled>,
    Route::TEST_ROUTE, TEST_STAGES, TEST_FRAGMENTS>;

void run_vector_kernel(GemmJob const& job);
void run_vector_kernel(GemmJob const& job) {
  using Kernel = epilogues::EpilogueGemm<Tested, half_t>;
  GemmCall const& call = job.call;
  launch(Kernel{}, job.schedule.blocks,
         Kernel::Params{static_cast<half_t const*>(call.a), static_cast<half_t const*>(call.b),
                        detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
                        detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
                        epilogue_of<float, half_t>(job), job.schedule});
}

}  // namespace tilestep
