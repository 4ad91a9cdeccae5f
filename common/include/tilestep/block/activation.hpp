#pragma once
// What a GEMM may apply to each of its sums before it stores them: nothing, ReLU or GELU. One definition for kernels,
// and for the reference on the host that says how far a kernel's may be from the mathematical one.

#include <tilestep/backend/kernel.hpp>  // fma
#include <tilestep/backend/math.hpp>    // exp2_approx, reciprocal_approx

#include <type_traits>  // std::is_same_v, std::is_arithmetic_v

namespace tilestep {

enum class Activation { none, relu, gelu };

/// GELU's tanh form, x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), is x / (1 + 2^-(x (a + b x^2))) with these a
/// and b.
/// @par Source  Hendrycks, Gimpel: "Gaussian Error Linear Units", section 2; (1 + tanh(y)) / 2 = 1 / (1 + exp(-2 y))
inline constexpr double gelu_a = 2.302208198144325;    // 2 sqrt(2 / pi) log2(e)
inline constexpr double gelu_b = 0.1029432395800235;   // 0.044715 of it

/// GELU by one power of two and one reciprocal. Where x^3 overflows, the power is 0 or infinity, and the result x or 0.
/// @post |result - GELU(x)| <= |x| s ((1 - s) (4 |t| 2^-24 + 2^-22) + 2^-22) + |x| 2^-126, with t = x (a + b x^2) and s
///     = 1 / (1 + 2^-t)
/// @par Source  derived: t has four roundings, each of 2^-24; s (1 - s) |t| is what they make of s; then the error of
///     2^-t, and of the rest
TS_HOST_DEVICE TS_INLINE float gelu(float x) {
  float const t = x * fma(x * x, float(-gelu_b), float(-gelu_a));
  return x * reciprocal_approx(1 + exp2_approx(t));
}

/// @return x, or what the activation makes of it. NaN stays NaN.
/// @tparam T  float; or a narrower type, computed in float; or an integer, for which there is no GELU
template <class T>
TS_HOST_DEVICE TS_INLINE T activate(Activation activation, T x) {
  if constexpr (!std::is_arithmetic_v<T>) {
    return static_cast<T>(activate(activation, static_cast<float>(x)));
  } else {
    if (activation == Activation::relu) return x < T(0) ? T(0) : x;
    if constexpr (std::is_same_v<T, float>) {
      if (activation == Activation::gelu) return gelu(x);
    }
    return x;
  }
}

}  // namespace tilestep
