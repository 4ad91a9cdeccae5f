// Chapter 17's kernel for operands of TEST_TYPE that lie along K, alone, on its tile of 128 x 256: the stages are
// TEST_STAGES, 4 in the chapter. Tests compile it for NVIDIA's consumer GPUs, and read its instructions and the size of
// its shared memory.

#include "kernel.hpp"  // OptimizedGemm

#include <tilestep/block/gemm_config.hpp>      // GemmConfig, BlockTile
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>    // launch

namespace tilestep {

template <class Op, class Narrow>
struct ConsumerKernel {
  using In = typename MmaTraits<Op>::ValA;
  static constexpr int bytes = int(sizeof(In));
  using Config = Pipeline<GemmConfig<Op, BlockTile<128, 256, 64 / bytes, 2, 4>, In, Contiguous::k, Contiguous::k,
                                     16 / bytes, Arrangement::swizzled>,
                          Route::async, TEST_STAGES>;
  using Kernel = optimized_gemm::OptimizedGemm<Config, Narrow>;

  static void run(GemmJob const& job) {
    GemmCall const& call = job.call;
    launch(Kernel{}, job.schedule.blocks,
           typename Kernel::Params{static_cast<In const*>(call.a), static_cast<In const*>(call.b),
                                   detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
                                   detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
                                   epilogue_of<ScaleOf<typename MmaTraits<Op>::ValC>, Narrow>(job), job.schedule});
  }
};
using f16 = ConsumerKernel<SM80_16x8x16_F32F16F16F32_TN, half_t>;
using bf16 = ConsumerKernel<SM80_16x8x16_F32BF16BF16F32_TN, bfloat16_t>;
using tf32 = ConsumerKernel<SM80_16x8x8_F32TF32TF32F32_TN, float>;
using i8 = ConsumerKernel<SM80_16x8x32_S32S8S8S32_TN, std::int32_t>;

/// A launch gives a block this much, which PTX does not say.
extern "C" TS_DEVICE int const shared_bytes_of_block = int(detail::shared_bytes<TEST_TYPE::Kernel>);

void run_consumer_kernel(GemmJob const& job);
void run_consumer_kernel(GemmJob const& job) { TEST_TYPE::run(job); }

}  // namespace tilestep
