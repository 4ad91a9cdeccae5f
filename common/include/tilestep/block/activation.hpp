#pragma once
// What a GEMM may apply to each of its sums before it stores them: nothing, ReLU or GELU. One definition for kernels,
// and for the reference on the host that says how far a kernel's may be from the mathematical one.

#include <tilestep/backend/kernel.hpp>  // fma
#include <tilestep/backend/math.hpp>    // exp2_approx, reciprocal_approx
#include <tilestep/tensor/loop.hpp>     // unroll

#include <cstdint>      // std::uint64_t
#include <type_traits>  // std::is_floating_point_v, std::is_arithmetic_v

namespace tilestep {

enum class Activation { none, relu, gelu };

/// GELU's tanh form, x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), is x / (1 + 2^-(x (a + b x^2))) with these a
/// and b.
/// @par Source  Hendrycks, Gimpel: "Gaussian Error Linear Units", section 2; (1 + tanh(y)) / 2 = 1 / (1 + exp(-2 y))
inline constexpr double gelu_a = 2.3022081981443249;    // 2 sqrt(2 / pi) log2(e)
inline constexpr double gelu_b = 0.10294323958002349;   // 0.044715 of it

/// GELU by one power of two and one reciprocal. Where x^3 overflows, the power is 0 or infinity, and the result x or 0.
/// @post |result - GELU(x)| <= |x| s ((1 - s) (4 |t| 2^-24 + 2^-22) + 2^-22) + |x| 2^-126, with t = x (a + b x^2) and s
///     = 1 / (1 + 2^-t)
/// @par Source  derived: t has four roundings, each of 2^-24; s (1 - s) |t| is what they make of s; then the error of
///     2^-t, and of the rest
TS_HOST_DEVICE TS_INLINE float gelu(float x) {
  float const t = x * fma(x * x, float(-gelu_b), float(-gelu_a));
  return x * reciprocal_approx(1 + exp2_approx(t));
}

/// 2^x in f64, which no GPU has an instruction for: 2^n, made in the exponent's bits, times 2^r with |r| <= 1/2, whose
/// series is 1 + y (1 + y / 2 (1 + y / 3 (..))) with y = r ln 2.
/// @post |result / 2^x - 1| <= 2^-51 for -1022 <= x <= 1023.49; infinity above, 0 below
/// @par Source  derived: what follows y^13 / 13! is below 2^-57; a step has three roundings of 2^-53 at most, and those
///     of the k-th reach the sum times y^(k-1) / (k-1)!, y <= 0.35
TS_HOST_DEVICE TS_INLINE double exp2_f64(double x) {
  constexpr double no_fraction = 0x1.8p52;  // what is added to it is rounded to a whole number, in its lowest bits
  double const kept = x < -1022 ? -1022 : x > 1023.49 ? 1023.49 : x, shifted = kept + no_fraction;
  double const y = (kept - (shifted - no_fraction)) * 0.6931471805599453;  // ln 2
  double sum = 1, power;
  unroll<13>([&](auto i) TS_INLINE_LAMBDA { sum = fma(sum, y * (1.0 / (13 - i)), 1.0); });
  std::uint64_t bits;
  __builtin_memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits + 1023) << 52;
  __builtin_memcpy(&power, &bits, sizeof(power));
  return x < -1022 ? 0 : x > 1023.49 ? 1.0 / 0.0 : sum * power;
}

/// GELU of an f64, by the same formula.
/// @post |result - GELU(x)| <= |x| s ((1 - s) (4 |t| 2^-53 + 2^-51) + 2^-51) + |x| 2^-1022, with t and s as above
TS_HOST_DEVICE TS_INLINE double gelu(double x) {
  double const t = x * fma(x * x, -gelu_b, -gelu_a);
  return x / (1 + exp2_f64(t));
}

/// @return x, or what the activation makes of it. NaN stays NaN.
/// @tparam T  float or double; or a narrower type, computed in float; or an integer, for which there is no GELU
template <class T>
TS_HOST_DEVICE TS_INLINE T activate(Activation activation, T x) {
  if constexpr (!std::is_arithmetic_v<T>) {
    return static_cast<T>(activate(activation, static_cast<float>(x)));
  } else {
    if (activation == Activation::relu) return x < T(0) ? T(0) : x;
    if constexpr (std::is_floating_point_v<T>) {
      if (activation == Activation::gelu) return gelu(x);
    }
    return x;
  }
}

}  // namespace tilestep
