#pragma once
// The two 16-bit floating-point types as plain bits: IEEE binary16 and bfloat16. Compilers disagree about `_Float16`
// and `__bf16` in device code, so these are structs that every compiler lays out alike; arithmetic happens in float.
// Conversion from float rounds to nearest, ties to even, keeps infinities and turns every NaN into a quiet NaN. A GPU
// has an instruction for it; what it does is written out for everyone else.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

#include <cstdint>  // std::uint16_t, std::uint32_t

namespace tilestep {

namespace detail {

TS_INLINE TS_HOST_DEVICE constexpr std::uint32_t float_bits(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
TS_INLINE TS_HOST_DEVICE constexpr float float_from_bits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// Drops the low `count` bits of `value`, rounding to nearest and ties to even.
TS_INLINE TS_HOST_DEVICE constexpr std::uint32_t drop_bits(std::uint32_t value, int count) {
  std::uint32_t const half = std::uint32_t{1} << (count - 1);
  std::uint32_t const odd = (value >> count) & 1u;  // the last bit that stays
  return (value + half - 1u + odd) >> count;
}

TS_INLINE TS_HOST_DEVICE constexpr std::uint16_t half_bits(float value) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    std::uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  if (!__builtin_is_constant_evaluated()) return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value));
#endif
  std::uint32_t const bits = float_bits(value);
  std::uint32_t const sign = (bits >> 16) & 0x8000u;
  std::uint32_t const magnitude = bits & 0x7fffffffu;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000u) {
    result = 0x7e00u | ((magnitude >> 13) & 0x1ffu);  // NaN, made quiet, high payload bits kept
  } else if (magnitude >= 0x47800000u) {
    result = 0x7c00u;  // 65536 and above
  } else if (magnitude >= 0x38800000u) {
    result = drop_bits(magnitude - 0x38000000u, 13);  // normal: rebias the exponent; 65520 carries to infinity
  } else if (magnitude >= 0x33000000u) {
    int const exponent = static_cast<int>(magnitude >> 23);  // subnormal: shift the significand to units of 2^-24
    result = drop_bits((magnitude & 0x7fffffu) | 0x800000u, 126 - exponent);
  }
  return static_cast<std::uint16_t>(sign | result);
}

TS_INLINE TS_HOST_DEVICE constexpr float float_from_half(std::uint16_t half) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  if (!__builtin_is_constant_evaluated()) return static_cast<float>(__builtin_bit_cast(_Float16, half));
#endif
  std::uint32_t const sign = (half & 0x8000u) << 16;
  std::uint32_t const exponent = (half >> 10) & 0x1fu;
  std::uint32_t const fraction = half & 0x3ffu;
  if (exponent == 0x1fu) {
    return float_from_bits(sign | 0x7f800000u | (fraction << 13));
  }
  if (exponent == 0) {
    float const value = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // fraction * 2^-24, exactly
    return sign ? -value : value;
  }
  return float_from_bits(sign | ((exponent + 112u) << 23) | (fraction << 13));
}

TS_INLINE TS_HOST_DEVICE constexpr std::uint16_t bfloat16_bits(float value) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    std::uint16_t bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
  }
#endif
  std::uint32_t const bits = float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  }
  return static_cast<std::uint16_t>(drop_bits(bits, 16));
}

TS_INLINE TS_HOST_DEVICE constexpr float float_from_bfloat16(std::uint16_t bits) {
  return float_from_bits(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace detail

/// IEEE binary16: 1 sign, 5 exponent, 10 fraction bits.
struct half_t {
  std::uint16_t bits;

  half_t() = default;
  TS_INLINE TS_HOST_DEVICE constexpr explicit half_t(float value) : bits(detail::half_bits(value)) {}
  TS_INLINE TS_HOST_DEVICE constexpr explicit operator float() const { return detail::float_from_half(bits); }
  TS_HOST_DEVICE static constexpr half_t from_bits(std::uint16_t bits) {
    half_t result;
    result.bits = bits;
    return result;
  }
};

/// bfloat16: the upper half of a binary32: 1 sign, 8 exponent, 7 fraction bits.
struct bfloat16_t {
  std::uint16_t bits;

  bfloat16_t() = default;
  TS_INLINE TS_HOST_DEVICE constexpr explicit bfloat16_t(float value) : bits(detail::bfloat16_bits(value)) {}
  TS_INLINE TS_HOST_DEVICE constexpr explicit operator float() const { return detail::float_from_bfloat16(bits); }
  TS_HOST_DEVICE static constexpr bfloat16_t from_bits(std::uint16_t bits) {
    bfloat16_t result;
    result.bits = bits;
    return result;
  }
};

/// Equal as numbers: 0 == -0, and NaN equals nothing.
TS_HOST_DEVICE constexpr bool operator==(half_t a, half_t b) { return float(a) == float(b); }
TS_HOST_DEVICE constexpr bool operator==(bfloat16_t a, bfloat16_t b) { return float(a) == float(b); }

}  // namespace tilestep
