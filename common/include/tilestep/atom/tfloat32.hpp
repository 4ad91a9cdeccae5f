#pragma once
// tf32: what tensor cores read of an f32 operand. It has the range of f32 and 10 fraction bits; it lives in 32 bits of
// which the low 13 are not looked at. Rounding to it once, when an operand is read, is better than letting the hardware
// cut.

#include <tilestep/atom/half.hpp>  // float_bits, drop_bits

namespace tilestep {

/// 1 sign, 8 exponent, 10 fraction bits, the highest of 32.
struct tfloat32_t {
  std::uint32_t bits;

  tfloat32_t() = default;
  /// To the nearest, ties to even; infinities stay, and so do NaNs.
  TS_HOST_DEVICE constexpr explicit tfloat32_t(float value) : bits(rounded(detail::float_bits(value))) {}
  TS_HOST_DEVICE constexpr explicit operator float() const { return detail::float_from_bits(bits & 0xffffe000u); }

 private:
  TS_HOST_DEVICE static constexpr std::uint32_t rounded(std::uint32_t f32) {
    if ((f32 & 0x7fffffffu) > 0x7f800000u) return f32 | 0x400000u;
    return detail::drop_bits(f32, 13) << 13;
  }
};

/// Equal as numbers: 0 == -0, and NaN equals nothing.
TS_HOST_DEVICE constexpr bool operator==(tfloat32_t a, tfloat32_t b) { return float(a) == float(b); }

/// The f32 with these bits, rounded as the constructor does.
/// @par Source PTX ISA, "cvt": .rn to .tf32, from sm_90 on
TS_INLINE TS_HOST_DEVICE tfloat32_t round_tf32(std::uint32_t f32) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  tfloat32_t result;
  asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(result.bits) : "f"(detail::float_from_bits(f32)));
  return result;
#else
  return tfloat32_t(detail::float_from_bits(f32));
#endif
}

}  // namespace tilestep
