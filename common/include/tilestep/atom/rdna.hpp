#pragma once
// AMD RDNA's matrix instructions as atoms: WMMA, 16 x 16 x 16 on a warp of 32. A lane holds one row of A, one column of
// B and eight elements of a column of C. On RDNA3 each row of A and column of B is held by two lanes: their layouts
// have a thread mode of stride 0. On RDNA4 the two lanes share it.

#include <tilestep/atom/matrix_fragment.hpp>  // MatrixTraits

namespace tilestep {

namespace detail {

/// @par Source AMD matrix instruction calculator, register layouts of gfx1100, wave32
template <class Op>
struct WmmaRdna3 : MatrixTraits<Op> {
  using ALayout = Layout<Shape<Shape<_16, _2>, _16>, Stride<Stride<_1, _0>, _16>>;                  // (m, again),(k)
  using BLayout = ALayout;                                                                          // (n, again),(k)
  using CLayout = Layout<Shape<Shape<_16, _2>, _8>, Stride<Stride<_16, _1>, _2>>;  // (n, odd row),(m / 2)
};

/// @par Source AMD matrix instruction calculator, register layouts of gfx1201, wave32
template <class Op>
struct WmmaRdna4 : MatrixTraits<Op> {
  // (m, k + 4),(k, k + 8)
  using ALayout = Layout<Shape<Shape<_16, _2>, Shape<_4, _2>>, Stride<Stride<_1, _64>, Stride<_16, _128>>>;
  using BLayout = ALayout;  // (n, k + 4),(k, k + 8)
  using CLayout = Layout<Shape<Shape<_16, _2>, _8>, Stride<Stride<_16, _8>, _1>>;                   // (n, m + 8),(m)
};

}  // namespace detail

template <> struct MmaTraits<RDNA3_16x16x16_F32F16F16F32> : detail::WmmaRdna3<RDNA3_16x16x16_F32F16F16F32> {};
template <> struct MmaTraits<RDNA3_16x16x16_F32BF16BF16F32> : detail::WmmaRdna3<RDNA3_16x16x16_F32BF16BF16F32> {};
template <> struct MmaTraits<RDNA3_16x16x16_I32I8I8I32> : detail::WmmaRdna3<RDNA3_16x16x16_I32I8I8I32> {};
template <> struct MmaTraits<RDNA4_16x16x16_F32F16F16F32> : detail::WmmaRdna4<RDNA4_16x16x16_F32F16F16F32> {};
template <> struct MmaTraits<RDNA4_16x16x16_F32BF16BF16F32> : detail::WmmaRdna4<RDNA4_16x16x16_F32BF16BF16F32> {};

namespace detail {

/// With 8-bit operands a lane holds 8 neighbours along K.
template <class Op>
struct WmmaRdna4Bytes : WmmaRdna4<Op> {
  using ALayout = Layout<Shape<Shape<_16, _2>, _8>, Stride<Stride<_1, _128>, _16>>;                 // (m, k + 8),(k)
  using BLayout = ALayout;                                                                          // (n, k + 8),(k)
};

}  // namespace detail

template <> struct MmaTraits<RDNA4_16x16x16_I32I8I8I32> : detail::WmmaRdna4Bytes<RDNA4_16x16x16_I32I8I8I32> {};
template <> struct MmaTraits<RDNA4_16x16x16_F32E4M3E4M3F32> : detail::WmmaRdna4Bytes<RDNA4_16x16x16_F32E4M3E4M3F32> {};
template <> struct MmaTraits<RDNA4_16x16x16_F32E5M2E5M2F32> : detail::WmmaRdna4Bytes<RDNA4_16x16x16_F32E5M2E5M2F32> {};

}  // namespace tilestep
