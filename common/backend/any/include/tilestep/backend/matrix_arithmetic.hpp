#pragma once
// The arithmetic of matrix instructions. Manuals leave much of it open, so for floating point this is a model:
//   NVIDIA  products are exact, they and C are added in more than single precision, and the sum is cut to f32, as tensor cores cut
//           (M. Fasi, N. Higham, M. Mikaitis, S. Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021); an f16 accumulator is then
//           rounded to nearest
//   AMD     C takes one product after the other, in the order of k, each sum rounded to nearest
//   gfx90a  reads and writes subnormal f16 and bf16 operands, and sums of their products, as zero (AMD's notes on MI200's numerics)
// Where every sum is exactly representable, as with small integers, the order and the rounding do not matter. NaN and infinity
// spread as in IEEE arithmetic. Integers wrap around.

#include <tilestep/backend/instruction.hpp>  // MatrixType

#include <algorithm>    // std::max
#include <array>        // std::array
#include <bit>          // std::bit_cast
#include <cmath>        // std::fma, std::isnan
#include <cstdint>      // std::uint32_t
#include <type_traits>  // std::conditional_t

namespace tilestep::virtual_gpu {

// ---- From bits and back ----

inline float f32_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// f16: the fields move to their places in an f32; the scale also turns subnormals into what they are.
inline float f32_of_f16(std::uint32_t bits) {
  std::uint32_t const special = (bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;  // infinity and NaN
  float const magnitude = f32_of((bits & 0x7fffu) << 13) * 0x1p112f;
  return f32_of(std::bit_cast<std::uint32_t>(magnitude) | special | ((bits & 0x8000u) << 16));
}

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
template <MatrixType Type>
auto value_of(std::uint32_t bits) {
  if constexpr (Type == MatrixType::i8) return std::int32_t(std::int8_t(bits & 0xffu));
  else if constexpr (Type == MatrixType::i32) return std::int32_t(bits);
  else if constexpr (Type == MatrixType::f16) return f32_of_f16(bits & 0xffffu);
  else if constexpr (Type == MatrixType::bf16) return f32_of(bits << 16);
  else if constexpr (Type == MatrixType::tf32) return f32_of(bits & 0xffffe000u);  // the low 13 bits are not looked at
  else return f32_of(bits);
}

/// Towards zero.
inline float cut_to_f32(double value) {
  float const nearest = static_cast<float>(value);
  if (!(std::fabs(static_cast<double>(nearest)) > std::fabs(value))) return nearest;  // not too large; or NaN
  return f32_of(std::bit_cast<std::uint32_t>(nearest) - 1);
}

inline float without_subnormal(float value, float smallest_normal) {
  return std::fabs(value) < smallest_normal ? std::copysign(0.0f, value) : value;
}

// ---- C += A B ----

/// A matrix with its rows one after the other.
template <class T, int Rows, int Columns>
using Dense = std::array<std::array<T, std::size_t(Columns)>, std::size_t(Rows)>;

/// The matrices of one instruction. C is f32 or i32; an f16 accumulator widened.
template <class Op>
struct Matrices {
  static constexpr bool is_integer = Op::c == MatrixType::i32;
  using Element = std::conditional_t<is_integer, std::int32_t, float>;
  Dense<Element, Op::M, Op::K> a;
  Dense<Element, Op::K, Op::N> b;
  Dense<Element, Op::M, Op::N> c;
};

/// @param sum  (sum, a, b) -> the sum with one more product
template <class Sum, class Op, class Add>
void accumulate(Matrices<Op> const& x, Dense<Sum, Op::M, Op::N>& sums, Add&& add) {
  for (std::size_t m = 0; m < Op::M; ++m) {
    for (std::size_t k = 0; k < Op::K; ++k) {
      for (std::size_t n = 0; n < Op::N; ++n) sums[m][n] = add(sums[m][n], Sum(x.a[m][k]), Sum(x.b[k][n]));
    }
  }
}

template <class Op>
void multiply_add_integers(Matrices<Op>& x) {
  auto const wrapping = [](std::int32_t sum, std::int32_t a, std::int32_t b) {
    return std::int32_t(std::uint32_t(sum) + std::uint32_t(a) * std::uint32_t(b));
  };
  accumulate(x, x.c, wrapping);
}

template <class Op>
void multiply_add_nvidia(Matrices<Op>& x) {
  Dense<double, Op::M, Op::N> sums{};
  accumulate(x, sums, [](double sum, double a, double b) { return sum + a * b; });
  for (std::size_t m = 0; m < Op::M; ++m) {
    for (std::size_t n = 0; n < Op::N; ++n) x.c[m][n] = cut_to_f32(sums[m][n] + double(x.c[m][n]));
  }
}

template <class Op>
void multiply_add_amd(Matrices<Op>& x, bool flushes) {
  constexpr bool wide = Op::a == MatrixType::f32;
  if constexpr (wide) {
    accumulate(x, x.c, [](float sum, float a, float b) { return std::fma(a, b, sum); });
  } else if (!flushes) {
    accumulate(x, x.c, [](float sum, float a, float b) { return sum + a * b; });  // the product is exact
  } else {
    constexpr float smallest = Op::a == MatrixType::f16 ? 0x1p-14f : 0x1p-126f;
    for (auto& row : x.a) for (float& value : row) value = without_subnormal(value, smallest);
    for (auto& row : x.b) for (float& value : row) value = without_subnormal(value, smallest);
    for (auto& row : x.c) for (float& value : row) value = without_subnormal(value, 0x1p-126f);
    accumulate(x, x.c, [](float sum, float a, float b) { return sum + a * b; });
    for (auto& row : x.c) for (float& value : row) value = without_subnormal(value, 0x1p-126f);
  }
}

}  // namespace tilestep::virtual_gpu
