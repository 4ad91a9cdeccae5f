#pragma once
// The two 8-bit floating-point types of tensor cores as plain bits: e4m3 for values, e5m2 for a wider range. Arithmetic
// happens in float. Conversion rounds to nearest, ties to even; what is too large becomes the largest finite number, as
// the conversion of GPUs does it for these types.

#include <tilestep/atom/half.hpp>  // float_bits, float_from_bits, drop_bits, float_from_half

#include <cstdint>  // std::uint8_t

namespace tilestep {

namespace detail {

/// @tparam Fraction  bits of the fraction  @tparam Bias  of the exponent  @tparam Largest  bits of the largest number
/// @par Source PTX ISA, "cvt": .rn.satfinite to .e4m3x2 and .e5m2x2; "Alternate floating-point data formats"
template <int Fraction, int Bias, std::uint32_t Largest>
TS_HOST_DEVICE constexpr std::uint8_t float8_bits(float value) {
  std::uint32_t const bits = float_bits(value), magnitude = bits & 0x7fffffffu;
  constexpr std::uint32_t smallest_normal = std::uint32_t(128 - Bias) << 23;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000u) return 0x7f;  // NaN, as cvt gives it
  if (magnitude >= smallest_normal) {
    result = drop_bits(magnitude - smallest_normal + (1u << 23), 23 - Fraction);
  } else {
    int const drop = 23 - Fraction + 128 - Bias - int(magnitude >> 23);  // down to units of the smallest subnormal
    if (drop < 25) result = drop_bits((magnitude & 0x7fffffu) | 0x800000u, drop);
  }
  return static_cast<std::uint8_t>((bits >> 31) << 7 | (result < Largest ? result : Largest));
}

TS_HOST_DEVICE constexpr float float_from_e4m3(std::uint8_t bits) {
  std::uint32_t const sign = std::uint32_t(bits & 0x80) << 24, magnitude = bits & 0x7fu;
  if (magnitude == 0x7fu) return float_from_bits(sign | 0x7fc00000u);
  if (magnitude < 8) return (sign != 0 ? -1.0f : 1.0f) * static_cast<float>(magnitude) * 0x1p-9f;
  return float_from_bits(sign | ((magnitude << 20) + (120u << 23)));
}

}  // namespace detail

/// 1 sign, 4 exponent, 3 fraction bits; up to 448, no infinity, NaN where all bits but the sign are set.
struct float_e4m3_t {
  std::uint8_t bits;

  float_e4m3_t() = default;
  TS_HOST_DEVICE constexpr explicit float_e4m3_t(float value) : bits(detail::float8_bits<3, 7, 0x7e>(value)) {}
  TS_HOST_DEVICE constexpr explicit operator float() const { return detail::float_from_e4m3(bits); }
};

/// 1 sign, 5 exponent, 2 fraction bits: the upper half of an f16; up to 57344.
struct float_e5m2_t {
  std::uint8_t bits;

  float_e5m2_t() = default;
  TS_HOST_DEVICE constexpr explicit float_e5m2_t(float value) : bits(detail::float8_bits<2, 15, 0x7b>(value)) {}
  TS_HOST_DEVICE constexpr explicit operator float() const {
    return detail::float_from_half(static_cast<std::uint16_t>(bits << 8));
  }
};

/// Equal as numbers: 0 == -0, and NaN equals nothing.
TS_HOST_DEVICE constexpr bool operator==(float_e4m3_t a, float_e4m3_t b) { return float(a) == float(b); }
TS_HOST_DEVICE constexpr bool operator==(float_e5m2_t a, float_e5m2_t b) { return float(a) == float(b); }

}  // namespace tilestep
