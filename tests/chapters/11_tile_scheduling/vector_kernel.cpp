// Chapter 11's kernel for f16 operands that lie along K, alone: one instruction, a BlockTile of TEST_TILE, and a Pipeline of TEST_WAY. Tests compile
// it for a GPU and count the instructions of its loop.

#include "kernel.hpp"  // ScheduledGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // gemm_params, launch

namespace tilestep {

using Tested = Pipeline<GemmConfig<TEST_OP, BlockTile<TEST_TILE>, half_t, Contiguous::k, Contiguous::k, 8, Arrangement::swizzled>, TEST_WAY>;

void run_vector_kernel(GemmCall const& call, TileSchedule const& schedule);
void run_vector_kernel(GemmCall const& call, TileSchedule const& schedule) {
  using Kernel = ScheduledGemm<Tested, float, float>;
  launch(Kernel{}, schedule.blocks, Kernel::Params{gemm_params<half_t, half_t, float, float>(call), schedule});
}

}  // namespace tilestep
