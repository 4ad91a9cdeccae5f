// The matrix instructions of floating-point numbers.

#include "run_matrix.hpp"  // matrix_collective

namespace tilestep::virtual_gpu {

template Collective const& matrix_collective<SM80_16x8x16_F32F16F16F32_TN>();
template Collective const& matrix_collective<SM80_16x8x16_F16F16F16F16_TN>();
template Collective const& matrix_collective<SM80_16x8x16_F32BF16BF16F32_TN>();
template Collective const& matrix_collective<SM80_16x8x8_F32TF32TF32F32_TN>();
template Collective const& matrix_collective<SM80_16x8x8_F32F16F16F32_TN>();
template Collective const& matrix_collective<SM80_16x8x8_F16F16F16F16_TN>();
template Collective const& matrix_collective<SM80_16x8x8_F32BF16BF16F32_TN>();
template Collective const& matrix_collective<SM80_16x8x4_F32TF32TF32F32_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F32E4M3E4M3F32_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F32E4M3E5M2F32_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F32E5M2E4M3F32_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F32E5M2E5M2F32_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F16E4M3E4M3F16_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F16E4M3E5M2F16_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F16E5M2E4M3F16_TN>();
template Collective const& matrix_collective<SM89_16x8x32_F16E5M2E5M2F16_TN>();
template Collective const& matrix_collective<SM70_8x8x4_F16F16F16F16_TN>();
template Collective const& matrix_collective<SM70_8x8x4_F16F16F16F16_NT>();
template Collective const& matrix_collective<SM70_8x8x4_F16F16F16F16_NN>();
template Collective const& matrix_collective<SM70_8x8x4_F16F16F16F16_TT>();
template Collective const& matrix_collective<SM70_8x8x4_F32F16F16F32_TN>();
template Collective const& matrix_collective<SM70_8x8x4_F32F16F16F32_NT>();
template Collective const& matrix_collective<SM70_8x8x4_F32F16F16F32_NN>();
template Collective const& matrix_collective<SM70_8x8x4_F32F16F16F32_TT>();
template Collective const& matrix_collective<SM80_8x8x4_F64F64F64F64_TN>();
template Collective const& matrix_collective<SM90_16x8x4_F64F64F64F64_TN>();
template Collective const& matrix_collective<SM90_16x8x8_F64F64F64F64_TN>();
template Collective const& matrix_collective<SM90_16x8x16_F64F64F64F64_TN>();
template Collective const& matrix_collective<CDNA_16x16x4_F64F64F64F64>();
template Collective const& matrix_collective<CDNA_4x4x4_F64F64F64F64>();
template Collective const& matrix_collective<CDNA_32x32x8_F32F16F16F32>();
template Collective const& matrix_collective<CDNA_16x16x16_F32F16F16F32>();
template Collective const& matrix_collective<CDNA_32x32x8_F32BF16BF16F32>();
template Collective const& matrix_collective<CDNA_16x16x16_F32BF16BF16F32>();
template Collective const& matrix_collective<CDNA_32x32x2_F32F32F32F32>();
template Collective const& matrix_collective<CDNA_16x16x4_F32F32F32F32>();
template Collective const& matrix_collective<CDNA4_32x32x16_F32F16F16F32>();
template Collective const& matrix_collective<CDNA4_16x16x32_F32F16F16F32>();
template Collective const& matrix_collective<CDNA4_32x32x16_F32BF16BF16F32>();
template Collective const& matrix_collective<CDNA4_16x16x32_F32BF16BF16F32>();
template Collective const& matrix_collective<RDNA3_16x16x16_F32F16F16F32>();
template Collective const& matrix_collective<RDNA3_16x16x16_F32BF16BF16F32>();
template Collective const& matrix_collective<RDNA4_16x16x16_F32F16F16F32>();
template Collective const& matrix_collective<RDNA4_16x16x16_F32BF16BF16F32>();
template Collective const& matrix_collective<RDNA4_16x16x16_F32E4M3E4M3F32>();
template Collective const& matrix_collective<RDNA4_16x16x16_F32E5M2E5M2F32>();

}  // namespace tilestep::virtual_gpu
