#include "kernel.hpp"   // WarpGemm
#include "by_type.hpp"  // launch_on

namespace tilestep {

namespace {
// [f16]
template <class TOut>
void run_with_f32_sums(GemmCall const& call) {
  launch_on<half_t, TOut, float, SM80_16x8x16_F32F16F16F32_TN, CDNA4_32x32x16_F32F16F16F32, CDNA_32x32x8_F32F16F16F32,
            RDNA3_16x16x16_F32F16F16F32, RDNA4_16x16x16_F32F16F16F32>(call);
}
// [f16]
}  // namespace

void run_f16(GemmCall const& call) {
  if (call.acc == DType::f16) launch_on<half_t, half_t, float, SM80_16x8x16_F16F16F16F16_TN>(call);
  else if (call.out == DType::f16) run_with_f32_sums<half_t>(call);
  else run_with_f32_sums<float>(call);
}

}  // namespace tilestep
