#pragma once
// From the types of a problem to the matrix instruction that the target has for them.

#include "kernel.hpp"  // WarpGemm

#include <tilestep/harness/gemm_choices.hpp>  // GemmChoice
#include <tilestep/harness/gemm_launch.hpp>   // launch_gemm
#include <tilestep/harness/gemm_types.hpp>    // detail::dtype_stored

namespace tilestep {

// [choose]
/// The warp's kernel on the first of `Ops` that the target has: A and B of these types, C as the problem wants it.
/// @tparam TIn stored type of A and B   @tparam TOut stored type of C   @tparam TScale type of alpha and beta
template <class TIn, class TOut, class TScale, class... Ops>
struct OnFirstOf {
  template <class Op>
  static void add(GemmCall const& call, GemmChoices& found) {
    using Kernel = WarpGemm<MmaAtom<Op>, OneAtom, TIn, TOut, TScale>;
    if constexpr (backend_has<Op>) {
      bool const computes = call.dtype == Op::a && call.acc == Op::c &&
                            call.out == detail::dtype_stored<TOut>;
      if (found.empty() && computes && has_instruction<Op>(call.target))
        found.push_back({Op::name, {}, 0, [](GemmJob const& job) {
                           launch_gemm<Kernel, TIn, TIn, TOut, TScale>(job.call);
                         }});
    }
  }
  static GemmChoices choices(GemmCall const& call) {
    GemmChoices found;
    (add<Ops>(call, found), ...);
    return found;
  }
};
// [choose]

namespace kinds {

// [f16]
template <class TOut>
using f16_with_f32_sums =
    OnFirstOf<half_t, TOut, float, SM80_16x8x16_F32F16F16F32_TN, CDNA4_32x32x16_F32F16F16F32, CDNA_32x32x8_F32F16F16F32,
              RDNA3_16x16x16_F32F16F16F32, RDNA4_16x16x16_F32F16F16F32>;
// [f16]
/// f16 operands: sums in f32 or f16.
using f16 = Together<f16_with_f32_sums<float>, f16_with_f32_sums<half_t>,
                     OnFirstOf<half_t, half_t, float, SM80_16x8x16_F16F16F16F16_TN>>;

template <class TOut>
using bf16_with_f32_sums =
    OnFirstOf<bfloat16_t, TOut, float, SM80_16x8x16_F32BF16BF16F32_TN, CDNA4_32x32x16_F32BF16BF16F32,
              CDNA_32x32x8_F32BF16BF16F32, RDNA3_16x16x16_F32BF16BF16F32, RDNA4_16x16x16_F32BF16BF16F32>;
/// bf16 operands: sums in f32.
using bf16 = Together<bf16_with_f32_sums<float>, bf16_with_f32_sums<bfloat16_t>>;

/// On the first of `Ops` that the target has, else by FMAs, 32 of them side by side.
template <class T, class... Ops>
struct OnFirstOfOrFma {
  using ThirtyTwoFmas = WarpGemm<MmaAtom<UniversalFMA<T>>, Layout<Shape<_4, _8, _1>>, T, T, T>;
  static GemmChoices choices(GemmCall const& call) {
    GemmChoices found = OnFirstOf<T, T, T, Ops...>::choices(call);
    if (found.empty() && call.dtype == detail::dtype_stored<T>)
      found.push_back({"FMA", {}, 0, [](GemmJob const& job) { launch_gemm<ThirtyTwoFmas, T>(job.call); }});
    return found;
  }
};
/// f32 operands: as they are, or rounded to tf32.
using f32 = OnFirstOfOrFma<float, SM80_16x8x8_F32TF32TF32F32_TN, CDNA_32x32x2_F32F32F32F32>;

/// i8 operands: sums in i32.
using i8 = OnFirstOf<std::int8_t, std::int32_t, std::int32_t, SM80_16x8x32_S32S8S8S32_TN, CDNA2_32x32x8_I32I8I8I32,
                     CDNA3_32x32x16_I32I8I8I32, RDNA3_16x16x16_I32I8I8I32, RDNA4_16x16x16_I32I8I8I32>;

template <class TIn, class... Ops>
using fp8_with_f32_sums = Together<OnFirstOf<TIn, float, float, Ops...>, OnFirstOf<TIn, bfloat16_t, float, Ops...>>;
/// FP8 operands, A and B of one of the two types: sums in f32.
using f8 = Together<fp8_with_f32_sums<float_e4m3_t, SM89_16x8x32_F32E4M3E4M3F32_TN, RDNA4_16x16x16_F32E4M3E4M3F32>,
                    fp8_with_f32_sums<float_e5m2_t, SM89_16x8x32_F32E5M2E5M2F32_TN, RDNA4_16x16x16_F32E5M2E5M2F32>>;

/// f64 operands: sums in f64.
using f64 = OnFirstOfOrFma<double, SM90_16x8x16_F64F64F64F64_TN, SM80_8x8x4_F64F64F64F64_TN, CDNA_16x16x4_F64F64F64F64>;

}  // namespace kinds

/// The kernels for operands of one type: none where the problem has others, or the target no instruction for them.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return Kind::choices(call);
}

}  // namespace tilestep
