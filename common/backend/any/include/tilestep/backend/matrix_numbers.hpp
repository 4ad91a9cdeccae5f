#pragma once
// The numbers that matrix instructions multiply and add: from bits and back, on the host.

#include <tilestep/backend/instruction.hpp>  // DType

#include <algorithm>  // std::max
#include <bit>        // std::bit_cast
#include <cmath>      // std::fabs, std::isnan
#include <cstdint>    // std::uint32_t

namespace tilestep::virtual_gpu {

inline float f32_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// f16: the fields move to their places in an f32; the scale also turns subnormals into what they are.
inline float f32_of_f16(std::uint32_t bits) {
  std::uint32_t const special = (bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;  // infinity and NaN
  float const magnitude = f32_of((bits & 0x7fffu) << 13) * 0x1p112f;
  return f32_of(std::bit_cast<std::uint32_t>(magnitude) | special | ((bits & 0x8000u) << 16));
}

/// e4m3 has no infinity, and one NaN of each sign; e5m2 is the upper half of an f16.
inline float f32_of_e4m3(std::uint32_t bits) {
  if ((bits & 0x7fu) == 0x7fu) return f32_of(((bits & 0x80u) << 24) | 0x7fc00000u);
  float const magnitude = f32_of((bits & 0x7fu) << 20) * 0x1p120f;
  return f32_of(std::bit_cast<std::uint32_t>(magnitude) | ((bits & 0x80u) << 24));
}
inline float f32_of_e5m2(std::uint32_t bits) { return f32_of_f16((bits & 0xffu) << 8); }

/// To the nearest f16, ties to even.
inline std::uint32_t f16_of_f32(float value) {
  std::uint32_t const bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t const sign = (bits >> 16) & 0x8000u;
  if (std::isnan(value)) return sign | 0x7e00u;
  float const magnitude = std::fabs(value);
  if (magnitude >= 65520.0f) return sign | 0x7c00u;
  // Added to a number whose last bit has the weight of the result's, the value is rounded by the addition.
  int const exponent = std::max(int(std::bit_cast<std::uint32_t>(magnitude) >> 23), 113);
  float const anchor = f32_of(std::uint32_t(exponent + 13) << 23);
  std::uint32_t const units = std::bit_cast<std::uint32_t>(anchor + magnitude) - std::bit_cast<std::uint32_t>(anchor);
  return sign | (std::uint32_t(exponent - 113) * 1024 + units);
}

/// One element as it takes part in a product.
template <DType Type>
auto value_of(std::uint64_t wide) {
  [[maybe_unused]] auto const bits = std::uint32_t(wide);
  if constexpr (Type == DType::f64) return std::bit_cast<double>(wide);
  else if constexpr (Type == DType::i8) return std::int32_t(std::int8_t(bits & 0xffu));
  else if constexpr (Type == DType::u8) return std::int32_t(bits & 0xffu);
  else if constexpr (Type == DType::i4) return std::int32_t((bits & 0xfu) ^ 8u) - 8;
  else if constexpr (Type == DType::u4) return std::int32_t(bits & 0xfu);
  else if constexpr (Type == DType::u1) return std::int32_t(bits & 1u);
  else if constexpr (Type == DType::i32) return std::int32_t(bits);
  else if constexpr (Type == DType::e4m3) return f32_of_e4m3(bits & 0xffu);
  else if constexpr (Type == DType::e5m2) return f32_of_e5m2(bits & 0xffu);
  else if constexpr (Type == DType::f16) return f32_of_f16(bits & 0xffffu);
  else if constexpr (Type == DType::bf16) return f32_of(bits << 16);
  else if constexpr (Type == DType::tf32) return f32_of(bits & 0xffffe000u);  // the low 13 bits are not looked at
  else return f32_of(bits);
}

/// Towards zero. @param bits  that are left behind the leading one
inline float cut_to_f32(double value, int bits = 23) {
  float cut = static_cast<float>(value);  // the nearest, which may be too large
  if (std::fabs(static_cast<double>(cut)) > std::fabs(value)) cut = f32_of(std::bit_cast<std::uint32_t>(cut) - 1);
  if (bits >= 23 || !std::isfinite(cut)) return cut;
  return f32_of(std::bit_cast<std::uint32_t>(cut) >> (23 - bits) << (23 - bits));
}

/// To the nearest f16, ties to even, and rounded once: to f32 first would make a tie of what is close to one. Cut to
/// f32, the last bit says whether anything was cut.
inline std::uint32_t f16_of_f64(double value) {
  float const cut = cut_to_f32(value);
  return f16_of_f32(double(cut) == value ? cut : f32_of(std::bit_cast<std::uint32_t>(cut) | 1));
}

inline float without_subnormal(float value, float smallest_normal) {
  return std::fabs(value) < smallest_normal ? std::copysign(0.0f, value) : value;
}

}  // namespace tilestep::virtual_gpu
