#pragma once
// AMD CDNA's matrix instructions as atoms: MFMA on a warp of 64. A lane holds one row of A, one column of B and one
// column of C. The lanes of one row follow each other along K, each with a run of neighbours.

#include <tilestep/atom/matrix_fragment.hpp>  // MatrixTraits

namespace tilestep {

namespace detail {

/// A and B of an instruction with `Rows` rows (or columns of B): (row, run),(k in the run).
template <int Rows, int Run>
using MfmaOperand =
    Layout<Shape<Shape<Int<Rows>, Int<64 / Rows>>, Int<Run>>, Stride<Stride<_1, Int<Rows * Run>>, Int<Rows>>>;

/// C of 32 x 32: (n, group of 4 rows),(row in the group, groups 8 rows apart). C of 16 x 16: (n, group of 4 rows),(row
/// in the group).
template <int Rows>
using MfmaAccumulators =
    std::conditional_t<Rows == 32,
                       Layout<Shape<Shape<_32, _2>, Shape<_4, _4>>, Stride<Stride<_32, _4>, Stride<_1, _8>>>,
                       Layout<Shape<Shape<_16, _4>, _4>, Stride<Stride<_16, _4>, _1>>>;

/// @par Source AMD matrix instruction calculator, register layouts of gfx90a and gfx942; gfx950's 16x16x32 and 32x32x16
///     follow the 8-bit instructions of that shape, its 32x32x32 has twice the run
template <class Op>
struct Mfma : MatrixTraits<Op> {
  using ALayout = MfmaOperand<Op::M, Op::a_values>;
  using BLayout = MfmaOperand<Op::N, Op::b_values>;
  using CLayout = MfmaAccumulators<Op::M>;
};

}  // namespace detail

template <> struct MmaTraits<CDNA_32x32x8_F32F16F16F32> : detail::Mfma<CDNA_32x32x8_F32F16F16F32> {};
template <> struct MmaTraits<CDNA_16x16x16_F32F16F16F32> : detail::Mfma<CDNA_16x16x16_F32F16F16F32> {};
template <> struct MmaTraits<CDNA_32x32x8_F32BF16BF16F32> : detail::Mfma<CDNA_32x32x8_F32BF16BF16F32> {};
template <> struct MmaTraits<CDNA_16x16x16_F32BF16BF16F32> : detail::Mfma<CDNA_16x16x16_F32BF16BF16F32> {};
template <> struct MmaTraits<CDNA_32x32x2_F32F32F32F32> : detail::Mfma<CDNA_32x32x2_F32F32F32F32> {};
template <> struct MmaTraits<CDNA_16x16x4_F32F32F32F32> : detail::Mfma<CDNA_16x16x4_F32F32F32F32> {};

/// @par Source AMD matrix instruction calculator, register layout of v_mfma_f64_16x16x4f64: rows of C are 4 apart
template <>
struct MmaTraits<CDNA_16x16x4_F64F64F64F64> : detail::Mfma<CDNA_16x16x4_F64F64F64F64> {
  using CLayout = Layout<Shape<Shape<_16, _4>, _4>, Stride<Stride<_16, _1>, _4>>;  // (n, row),(rows 4 apart)
};

/// Four blocks of 4 x 4 x 4, as one product of 16 x 4 x 4: each block has 4 rows of A and C, and all of B.
/// @par Source AMD matrix instruction calculator, register layout of v_mfma_f64_4x4x4f64
template <>
struct MmaTraits<CDNA_4x4x4_F64F64F64F64> : MatrixTraits<CDNA_4x4x4_F64F64F64F64> {
  using Shape_MNK = Shape<_16, _4, _4>;
  using ALayout = Layout<Shape<Shape<_16, _4>, _1>, Stride<Stride<_1, _16>, _0>>;          // (m in all blocks, k)
  using BLayout = Layout<Shape<Shape<_4, _4, _4>, _1>, Stride<Stride<_1, _0, _4>, _0>>;    // (n, block, k)
  using CLayout = Layout<Shape<Shape<_4, _4, _4>, _1>, Stride<Stride<_16, _4, _1>, _0>>;   // (n, block, m in the block)
};

template <> struct MmaTraits<CDNA2_32x32x8_I32I8I8I32> : detail::Mfma<CDNA2_32x32x8_I32I8I8I32> {};
template <> struct MmaTraits<CDNA2_16x16x16_I32I8I8I32> : detail::Mfma<CDNA2_16x16x16_I32I8I8I32> {};
template <> struct MmaTraits<CDNA3_32x32x16_I32I8I8I32> : detail::Mfma<CDNA3_32x32x16_I32I8I8I32> {};
template <> struct MmaTraits<CDNA3_16x16x32_I32I8I8I32> : detail::Mfma<CDNA3_16x16x32_I32I8I8I32> {};
template <> struct MmaTraits<CDNA4_32x32x16_F32F16F16F32> : detail::Mfma<CDNA4_32x32x16_F32F16F16F32> {};
template <> struct MmaTraits<CDNA4_16x16x32_F32F16F16F32> : detail::Mfma<CDNA4_16x16x32_F32F16F16F32> {};
template <> struct MmaTraits<CDNA4_32x32x16_F32BF16BF16F32> : detail::Mfma<CDNA4_32x32x16_F32BF16BF16F32> {};
template <> struct MmaTraits<CDNA4_16x16x32_F32BF16BF16F32> : detail::Mfma<CDNA4_16x16x32_F32BF16BF16F32> {};
template <> struct MmaTraits<CDNA4_32x32x32_I32I8I8I32> : detail::Mfma<CDNA4_32x32x32_I32I8I8I32> {};

}  // namespace tilestep
