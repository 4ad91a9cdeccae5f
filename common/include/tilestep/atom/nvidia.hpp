#pragma once
// NVIDIA's matrix instructions as atoms: mma.sync on a warp of 32. In all of them lane l stands in group g = l / 4,
// with number t = l % 4 there: g chooses a row of A, a column of B, a row of C; t chooses neighbours along K, or along
// N in C.

#include <tilestep/atom/matrix_fragment.hpp>  // MatrixTraits

namespace tilestep {

namespace detail {

/// C of every 16 x 8 instruction: (t,g),(2 neighbours along N, rows g and g + 8).
/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k16", accumulators
using AccumulatorsM16N8 = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>;

// [m16n8k16]
/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k16 with floating point type"
template <class Op>
struct M16N8K16 : MatrixTraits<Op> {
  // (t,g),(k, m + 8, k + 8)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8, _128>>>;
  // (t,g),(k, k + 8)
  using BLayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_16, _1>, Stride<_8, _64>>>;
  using CLayout = AccumulatorsM16N8;
};
// [m16n8k16]

}  // namespace detail

/// By CuTe's names of the machines that had these instructions first.
using SM75_16x8x8_F32F16F16F32_TN = SM80_16x8x8_F32F16F16F32_TN;
using SM75_8x8x16_S32S8S8S32_TN = SM80_8x8x16_S32S8S8S32_TN;

template <> struct MmaTraits<SM80_16x8x16_F32F16F16F32_TN> : detail::M16N8K16<SM80_16x8x16_F32F16F16F32_TN> {};
template <> struct MmaTraits<SM80_16x8x16_F16F16F16F16_TN> : detail::M16N8K16<SM80_16x8x16_F16F16F16F16_TN> {};
template <> struct MmaTraits<SM80_16x8x16_F32BF16BF16F32_TN> : detail::M16N8K16<SM80_16x8x16_F32BF16BF16F32_TN> {};

namespace detail {

/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k8", .f16 and .bf16
template <class Op>
struct M16N8K8 : MatrixTraits<Op> {
  using ALayout = AccumulatorsM16N8;                                                      // (t,g),(k, m + 8)
  using BLayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;          // (t,g),(k)
  using CLayout = AccumulatorsM16N8;
};

}  // namespace detail

template <> struct MmaTraits<SM80_16x8x8_F32F16F16F32_TN> : detail::M16N8K8<SM80_16x8x8_F32F16F16F32_TN> {};
template <> struct MmaTraits<SM80_16x8x8_F16F16F16F16_TN> : detail::M16N8K8<SM80_16x8x8_F16F16F16F16_TN> {};
template <> struct MmaTraits<SM80_16x8x8_F32BF16BF16F32_TN> : detail::M16N8K8<SM80_16x8x8_F32BF16BF16F32_TN> {};

/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k4", .tf32
template <>
struct MmaTraits<SM80_16x8x4_F32TF32TF32F32_TN> : MatrixTraits<SM80_16x8x4_F32TF32TF32F32_TN> {
  using ALayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;  // (t,g),(m + 8)
  using BLayout = Layout<Shape<Shape<_4, _8>, _1>, Stride<Stride<_8, _1>, _0>>;   // (t,g),(one k)
  using CLayout = detail::AccumulatorsM16N8;
};

namespace detail {

/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k16 with integer type"
template <class Op>
struct M16N8K16Bytes : MatrixTraits<Op> {
  // (t,g),(k, m + 8)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_4, _2>>, Stride<Stride<_64, _1>, Stride<_16, _8>>>;
  using BLayout = Layout<Shape<Shape<_4, _8>, _4>, Stride<Stride<_32, _1>, _8>>;  // (t,g),(k)
  using CLayout = AccumulatorsM16N8;
};

/// @par Source PTX ISA, "Matrix fragments for mma.m8n8k16", .s8 and .u8
template <class Op>
struct M8N8K16 : MatrixTraits<Op> {
  using ALayout = Layout<Shape<Shape<_4, _8>, _4>, Stride<Stride<_32, _1>, _8>>;  // (t,g),(k)
  using BLayout = ALayout;
  using CLayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;  // (t,g),(2 neighbours along N)
};

/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k32", .s8, .u8, .e4m3 and .e5m2
template <class Op>
struct M16N8K32 : MatrixTraits<Op> {
  // (t,g),(k, m + 8, k + 16)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_4, _2, _2>>, Stride<Stride<_64, _1>, Stride<_16, _8, _256>>>;
  // (t,g),(k, k + 16)
  using BLayout = Layout<Shape<Shape<_4, _8>, Shape<_4, _2>>, Stride<Stride<_32, _1>, Stride<_8, _128>>>;
  using CLayout = AccumulatorsM16N8;
};

}  // namespace detail

template <> struct MmaTraits<SM80_16x8x16_S32S8S8S32_TN> : detail::M16N8K16Bytes<SM80_16x8x16_S32S8S8S32_TN> {};
template <> struct MmaTraits<SM80_8x8x16_S32S8S8S32_TN> : detail::M8N8K16<SM80_8x8x16_S32S8S8S32_TN> {};
template <> struct MmaTraits<SM80_16x8x32_S32S8S8S32_TN> : detail::M16N8K32<SM80_16x8x32_S32S8S8S32_TN> {};
template <ByteMmaOf<16, 32> Op> struct MmaTraits<Op> : detail::M16N8K32<Op> {};
template <ByteMmaOf<16, 16> Op> struct MmaTraits<Op> : detail::M16N8K16Bytes<Op> {};
template <ByteMmaOf<8, 16> Op> struct MmaTraits<Op> : detail::M8N8K16<Op> {};

namespace detail {

/// Volta's shape: an atom is one of the warp's four products, of lanes 0 to 3 and 16 to 19. Four atoms make a warp:
/// make_tiled_mma(op, Layout<Shape<_2, _2>>{}).
/// @par Source PTX ISA, "Matrix fragments for mma.m8n8k4 with .f16 floating point type"
template <class Op>
struct M8N8K4 : MatrixTraits<Op> {
  using AlongK = Layout<Shape<_8, _4>>;                                        // (lane),(k)
  using Across = Layout<Shape<Shape<_4, _2>, _4>, Stride<Stride<_8, _4>, _1>>;  // (k,half),(m or n)
  using ThrID = Layout<Shape<_4, _2>, Stride<_1, _16>>;
  using ALayout = std::conditional_t<Op::a_along_k, AlongK, Across>;
  using BLayout = std::conditional_t<Op::b_along_k, AlongK, Across>;
  using CLayout = std::conditional_t<
      Op::c == DType::f16, Layout<Shape<_8, _8>>,
      Layout<Shape<Shape<_2, _2, _2>, Shape<_2, _2, _2>>, Stride<Stride<_1, _16, _4>, Stride<_8, _2, _32>>>>;
};

}  // namespace detail

template <IsQuadpairMma Op> struct MmaTraits<Op> : detail::M8N8K4<Op> {};

// Of 4 bits and of one an operand's register holds 8 neighbours along K, or 32.
namespace detail {

/// @par Source PTX ISA, "Matrix fragments for mma.m8n8k32", .s4 and .u4
template <class Op>
struct M8N8K32 : MatrixTraits<Op> {
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_8>>, Stride<Stride<_64, _1>, Stride<_8>>>;  // (t,g),(k)
  using BLayout = ALayout;
  using CLayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;  // (t,g),(2 neighbours along N)
};
/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k32", .s4 and .u4
template <class Op>
struct M16N8K32Nibbles : MatrixTraits<Op> {
  // (t,g),(k, m + 8)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_8, _2>>, Stride<Stride<_128, _1>, Stride<_16, _8>>>;
  using BLayout = Layout<Shape<Shape<_4, _8>, Shape<_8>>, Stride<Stride<_64, _1>, Stride<_8>>>;  // (t,g),(k)
  using CLayout = AccumulatorsM16N8;
};
/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k64", .s4 and .u4
template <class Op>
struct M16N8K64 : MatrixTraits<Op> {
  // (t,g),(k, m + 8, k + 32)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_8, _2, _2>>, Stride<Stride<_128, _1>, Stride<_16, _8, _512>>>;
  // (t,g),(k, k + 32)
  using BLayout = Layout<Shape<Shape<_4, _8>, Shape<_8, _2>>, Stride<Stride<_64, _1>, Stride<_8, _256>>>;
  using CLayout = AccumulatorsM16N8;
};
/// @par Source PTX ISA, "Matrix fragments for mma.m8n8k128", .b1
template <class Op>
struct M8N8K128 : MatrixTraits<Op> {
  using ALayout = Layout<Shape<Shape<_4, _8>, _32>, Stride<Stride<_256, _1>, _8>>;  // (t,g),(k)
  using BLayout = ALayout;
  using CLayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;    // (t,g),(2 neighbours along N)
};
/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k128", .b1
template <class Op>
struct M16N8K128 : MatrixTraits<Op> {
  // (t,g),(k, m + 8)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_32, _2>>, Stride<Stride<_512, _1>, Stride<_16, _8>>>;
  using BLayout = Layout<Shape<Shape<_4, _8>, _32>, Stride<Stride<_256, _1>, _8>>;  // (t,g),(k)
  using CLayout = AccumulatorsM16N8;
};
/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k256", .b1
template <class Op>
struct M16N8K256 : MatrixTraits<Op> {
  // (t,g),(k, m + 8, k + 128)
  using ALayout =
      Layout<Shape<Shape<_4, _8>, Shape<_32, _2, _2>>, Stride<Stride<_512, _1>, Stride<_16, _8, Int<2048>>>>;
  // (t,g),(k, k + 128)
  using BLayout = Layout<Shape<Shape<_4, _8>, Shape<_32, _2>>, Stride<Stride<_256, _1>, Stride<_8, Int<1024>>>>;
  using CLayout = AccumulatorsM16N8;
};

}  // namespace detail

template <SubbyteMmaOf<8, 32> Op> struct MmaTraits<Op> : detail::M8N8K32<Op> {};
template <SubbyteMmaOf<16, 32> Op> struct MmaTraits<Op> : detail::M16N8K32Nibbles<Op> {};
template <SubbyteMmaOf<16, 64> Op> struct MmaTraits<Op> : detail::M16N8K64<Op> {};
template <SubbyteMmaOf<8, 128> Op> struct MmaTraits<Op> : detail::M8N8K128<Op> {};
template <SubbyteMmaOf<16, 128> Op> struct MmaTraits<Op> : detail::M16N8K128<Op> {};
template <SubbyteMmaOf<16, 256> Op> struct MmaTraits<Op> : detail::M16N8K256<Op> {};

/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k8", .tf32
template <>
struct MmaTraits<SM80_16x8x8_F32TF32TF32F32_TN> : MatrixTraits<SM80_16x8x8_F32TF32TF32F32_TN> {
  // (t,g),(m + 8, k + 4)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_16, _1>, Stride<_8, _64>>>;
  using BLayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_8, _1>, _32>>;  // (t,g),(k + 4)
  using CLayout = detail::AccumulatorsM16N8;
};

/// @par Source PTX ISA, "Matrix fragments for mma.m8n8k4 with .f64 floating point type"
template <>
struct MmaTraits<SM80_8x8x4_F64F64F64F64_TN> : MatrixTraits<SM80_8x8x4_F64F64F64F64_TN> {
  using ALayout = Layout<Shape<Shape<_4, _8>, _1>, Stride<Stride<_8, _1>, _0>>;   // (t,g),(one k)
  using BLayout = ALayout;
  using CLayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;  // (t,g),(2 neighbours along N)
};

/// @par Source PTX ISA, "Matrix fragments for mma.m16n8k4 with .f64 floating point type"; m16n8k8 and m16n8k16 alike
template <>
struct MmaTraits<SM90_16x8x4_F64F64F64F64_TN> : MatrixTraits<SM90_16x8x4_F64F64F64F64_TN> {
  using ALayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;  // (t,g),(m + 8)
  using BLayout = Layout<Shape<Shape<_4, _8>, _1>, Stride<Stride<_8, _1>, _0>>;   // (t,g),(one k)
  using CLayout = detail::AccumulatorsM16N8;
};
template <>
struct MmaTraits<SM90_16x8x8_F64F64F64F64_TN> : MatrixTraits<SM90_16x8x8_F64F64F64F64_TN> {
  // (t,g),(m + 8, k + 4)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_16, _1>, Stride<_8, _64>>>;
  using BLayout = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_8, _1>, _32>>;  // (t,g),(k + 4)
  using CLayout = detail::AccumulatorsM16N8;
};
template <>
struct MmaTraits<SM90_16x8x16_F64F64F64F64_TN> : MatrixTraits<SM90_16x8x16_F64F64F64F64_TN> {
  // (t,g),(m + 8, k 4 apart)
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _4>>, Stride<Stride<_16, _1>, Stride<_8, _64>>>;
  using BLayout = Layout<Shape<Shape<_4, _8>, _4>, Stride<Stride<_8, _1>, _32>>;  // (t,g),(k 4 apart)
  using CLayout = detail::AccumulatorsM16N8;
};

}  // namespace tilestep
