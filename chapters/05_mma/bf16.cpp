#include "kernel.hpp"   // WarpGemm
#include "by_type.hpp"  // launch_on

namespace tilestep {

namespace {
template <class TOut>
void run_with_f32_sums(GemmCall const& call) {
  launch_on<bfloat16_t, TOut, float, SM80_16x8x16_F32BF16BF16F32_TN, CDNA4_32x32x16_F32BF16BF16F32,
            CDNA_32x32x8_F32BF16BF16F32, RDNA3_16x16x16_F32BF16BF16F32, RDNA4_16x16x16_F32BF16BF16F32>(call);
}
}  // namespace

void run_bf16(GemmCall const& call) {
  if (call.out == DType::bf16) run_with_f32_sums<bfloat16_t>(call);
  else run_with_f32_sums<float>(call);
}

}  // namespace tilestep
