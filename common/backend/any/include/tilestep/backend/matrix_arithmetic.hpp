#pragma once
// The arithmetic of matrix instructions. Manuals leave much of it open, so for floating point this is a model:
//   NVIDIA  products are exact, they and C are added in more than single precision, and the sum is cut to f32, as
//           tensor cores cut (M. Fasi, N. Higham, M. Mikaitis, S. Pranesh, "Numerical behavior of NVIDIA tensor cores",
//           2021); an f16 accumulator is then rounded to nearest. That the shapes with half of K do the same, all their
//           products at once, is assumed, and that m8n8k4 of sm80 does
//   sm90    f16, bf16 and tf32 add all products of an instruction and C at once, without what lies 25 bits and more
//           below the leading bit of the largest, and cut the sum to f32; m16n8k8 in f16 rounds it to nearest, once,
//           and so does wgmma, which cuts FP8 13 bits below the leading bit. That gives every bit of an H200
//           (tests/backend/any/results, tests/backend/any/test_wgmma_types.cpp); m16n8k16 in f16 follows no model that
//           was tried, and is computed as above. mma.sync of FP8 is two instructions of f16 and an addition of C there,
//           by the machine code that nvcc of CUDA 13.0 makes: multiply_add_as_f16(). sm_89 and sm_120 have an
//           instruction of FP8; the virtual GPU has neither target. m8n8k4 with f32 sums adds one product after the
//           other, each sum rounded to nearest, and C last: every bit of an H200. With f16 sums it follows no model
//           that was tried, and is computed as on sm80
//   AMD     C takes one product after the other, in the order of k, each sum rounded to nearest; that FP8 does so, too,
//           is assumed
//   f64     on both, C takes one product after the other, in the order of k, each by a fused multiply-add that rounds
//           to nearest. NVIDIA documents the precision of an f64 FMA and this rounding (PTX ISA 9.0, mma, "Precision
//           and rounding"), AMD names the instructions fused multiply-adds. An H200 gives the same bits in this order
//           of k (tests/backend/any/results); of AMD the order is assumed
//   gfx90a  reads and writes subnormal f16 and bf16 operands, and sums of their products, as zero (AMD's notes on
//           MI200's numerics)
// Where every sum is exactly representable, as with small integers, the order and the rounding do not matter. NaN and
// infinity spread as in IEEE arithmetic. Integers wrap around; with .satfinite the sum of all products and C, taken as
// one, becomes the nearest number of 32 bits; no sum in between is limited. An H200 gives these bits.

#include <tilestep/backend/instruction.hpp>     // DType
#include <tilestep/backend/matrix_numbers.hpp>  // value_of, cut_to_f32, f16_of_f64

#include <algorithm>    // std::clamp, std::max, std::transform
#include <array>        // std::array
#include <bit>          // std::bit_cast
#include <cmath>        // std::fma, std::isnan
#include <cstdint>      // std::uint32_t
#include <string_view>  // names of targets
#include <type_traits>  // std::conditional_t, std::integral_constant

namespace tilestep::virtual_gpu {

/// A matrix with its rows one after the other.
template <class T, int Rows, int Columns>
using Dense = std::array<std::array<T, std::size_t(Columns)>, std::size_t(Rows)>;

/// The matrices of one instruction, in types that hold what the arithmetic needs. An f16 accumulator is widened to f32.
template <class Op>
struct Matrices {
  static constexpr bool is_integer = Op::c == DType::i32;
  static constexpr bool is_nvidia = Op::targets.starts_with("sm");
  using Sum = std::conditional_t<is_integer, std::int32_t, std::conditional_t<Op::c == DType::f64, double, float>>;
  using Operand = std::conditional_t<!is_integer && is_nvidia, double, Sum>;
  using A = Dense<Operand, Op::blocks * Op::M, Op::K>;  // blocks one under the other
  using B = Dense<Operand, Op::blocks * Op::K, Op::N>;
  using C = Dense<Sum, Op::blocks * Op::M, Op::N>;
};

/// Takes subnormal numbers of this type for zero.
template <DType Type, class Matrix>
void flush_subnormals(Matrix& matrix) {
  constexpr float smallest = Type == DType::f16 ? 0x1p-14f : 0x1p-126f;
  for (auto& row : matrix) {
    for (auto& value : row) value = without_subnormal(float(value), smallest);
  }
}

/// Are subnormal operands and sums zero for this instruction?
template <class Op>
constexpr bool flushes_subnormals(std::string_view target) {
  return target == "gfx90a" && (Op::a == DType::f16 || Op::a == DType::bf16);
}

// [at_once]
/// 2 to the exponent of a number of this type; subnormal numbers have that of the smallest normal one. Zero is below
/// every product; infinity and NaN are infinite.
template <DType Type>
double power_of(double value) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000u;
  constexpr bool is_half = Type == DType::f16 || Type == DType::e5m2;
  constexpr double smallest = Type == DType::e4m3 ? 0x1p-6 : is_half ? 0x1p-14 : 0x1p-126;
  if (value == 0) return 0x1p-400;
  return std::max(std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & exponent), smallest);
}

/// A row of C += A B as tensor cores of compute capability 9.0 add: all products and C at once, without what lies more
/// than BITS bits below the leading bit of the largest, as the operands' exponents say it. Then the sum is cut to f32,
/// or rounded to f16.
/// @tparam Type, C  of A and of C   @param N  at most 256
/// @param a (K)   @param b (K,N), contiguous along N   @param power_b (K,N), power_of() each   @param c (N)
template <DType Type, DType C, int BITS = 25, class Columns>
void add_row_at_once(double const* a, std::size_t K, double const* b, double const* power_b, float* c, Columns N) {
  std::array<double, 256> largest, units, sums;
  for (std::size_t n = 0; n < N; ++n) largest[n] = power_of<C>(double(c[n]));
  for (std::size_t k = 0; k < K; ++k) {
    double const power_a = power_of<Type>(a[k]);
    for (std::size_t n = 0; n < N; ++n) largest[n] = std::max(largest[n], power_a * power_b[k * N + n]);
  }
  bool all_finite = true;
  for (std::size_t n = 0; n < N; ++n) {
    units[n] = double(1 << BITS) / largest[n];
    all_finite = all_finite && units[n] > 0;
  }
  // A term has at most BITS + 2 bits before the point: a conversion to an integer cuts it.
  auto const cut = [](double term) { return double(std::int32_t(term)); };
  if (all_finite) {
    for (std::size_t n = 0; n < N; ++n) sums[n] = cut(double(c[n]) * units[n]);
    for (std::size_t k = 0; k < K; ++k)
      for (std::size_t n = 0; n < N; ++n) sums[n] += cut(a[k] * b[k * N + n] * units[n]);
  } else {  // infinities and NaN are added as they are
    for (std::size_t n = 0; n < N; ++n) {
      bool const is_finite = units[n] > 0;
      if (!is_finite) units[n] = 1;
      auto const term = [&](double value) { return is_finite ? cut(value * units[n]) : value; };
      sums[n] = term(double(c[n]));
      for (std::size_t k = 0; k < K; ++k) sums[n] += term(a[k] * b[k * N + n]);
    }
  }
  for (std::size_t n = 0; n < N; ++n) {
    double const sum = sums[n] / units[n];
    if (C == DType::f16) c[n] = f32_of_f16(f16_of_f64(sum));
    else c[n] = cut_to_f32(sum, BITS);
  }
}

/// Does an H200 add as add_row_at_once() does?
template <class Op>
constexpr bool adds_at_once(std::string_view target) {
  bool const is_known = Op::a == DType::f16 || Op::a == DType::bf16 || Op::a == DType::tf32;
  bool const sums_too = Op::c == DType::f32 || (Op::c == DType::f16 && Op::K == 8);
  return Matrices<Op>::is_nvidia && target == "sm90" && is_known && sums_too && Op::blocks == 1;
}
// [at_once]

/// @param add  (sum, a, b) -> the sum with one more product
template <class Op, class Sums, class Add>
void accumulate(typename Matrices<Op>::A const& a, typename Matrices<Op>::B const& b, Sums& sums, Add&& add) {
  for (std::size_t m = 0; m < Op::blocks * Op::M; ++m) {
    auto row = sums[m];
    std::size_t const first = m / Op::M * Op::K;  // row of this block of B
    for (std::size_t k = 0; k < Op::K; ++k) {
      for (std::size_t n = 0; n < Op::N; ++n) row[n] = add(row[n], a[m][k], b[first + k][n]);
    }
    sums[m] = row;
  }
}

template <class Op>
void multiply_add(typename Matrices<Op>::A const& a, typename Matrices<Op>::B const& b, typename Matrices<Op>::C& c,
                  std::string_view target);

/// Has mma.sync of FP8 no instruction of its own on this target, so that nvcc makes it of those of f16?
template <class Op>
constexpr bool is_made_of_f16(std::string_view target) {
  return Matrices<Op>::is_nvidia && target == "sm90" && (Op::a == DType::e4m3 || Op::a == DType::e5m2);
}

/// C += A B of FP8: a product of f16 of bytes 0 and 1 of every register, which hold the k with k % 4 = 0 or 1; one of
/// bytes 2 and 3 on top of it; then C is added, to nearest. With f16 sums each of the three is rounded to f16.
/// @par Source the machine code for f16 sums: F2FP.F16.E4M3.UNPACK_B of either half of each register, two HMMA.16816,
///             HADD2. For f32 sums two HMMA and four FADD were seen; that they take the bytes in the same order is a
///             conclusion. test_instruction_check compares both with an H200
template <class Op>
void multiply_add_as_f16(typename Matrices<Op>::A const& a, typename Matrices<Op>::B const& b,
                         typename Matrices<Op>::C& c, std::string_view target) {
  using Half =
      std::conditional_t<Op::c == DType::f16, SM80_16x8x16_F16F16F16F16_TN, SM80_16x8x16_F32F16F16F32_TN>;
  static_assert(Op::M == Half::M && Op::N == Half::N && Op::K == 2 * Half::K, "FP8 has twice the K of f16");
  typename Matrices<Half>::C sums{};
  for (std::size_t const byte : {0u, 2u}) {
    typename Matrices<Half>::A half_a;
    typename Matrices<Half>::B half_b;
    for (std::size_t k = 0; k < Half::K; ++k) {
      std::size_t const from = k / 2 * 4 + byte + k % 2;
      for (std::size_t m = 0; m < Op::M; ++m) half_a[m][k] = a[m][from];
      half_b[k] = b[from];
    }
    multiply_add<Half>(half_a, half_b, sums, target);
  }
  for (std::size_t m = 0; m < Op::M; ++m) {
    for (std::size_t n = 0; n < Op::N; ++n) {
      float const sum = sums[m][n] + c[m][n];  // of two f16: rounded twice, it is as if rounded once
      c[m][n] = Op::c == DType::f16 ? f32_of_f16(f16_of_f32(sum)) : sum;
    }
  }
}

/// C += A B of Volta's shape on an H200: one product after the other, each sum rounded to nearest, C last.
template <class Op>
void add_one_by_one(typename Matrices<Op>::A const& a, typename Matrices<Op>::B const& b,
                    typename Matrices<Op>::C& c) {
  typename Matrices<Op>::C sums{};
  // the product of two f16 is exact
  accumulate<Op>(a, b, sums, [](float sum, double x, double y) { return sum + float(x * y); });
  for (std::size_t m = 0; m < Op::blocks * Op::M; ++m) {
    for (std::size_t n = 0; n < Op::N; ++n) c[m][n] += sums[m][n];
  }
}

template <class Op>
void multiply_add(typename Matrices<Op>::A const& a, typename Matrices<Op>::B const& b, typename Matrices<Op>::C& c,
                  std::string_view target) {
  if constexpr (IsQuadpairMma<Op> && Op::c == DType::f32) {
    if (target == "sm90") return add_one_by_one<Op>(a, b, c);
  }
  if constexpr (is_made_of_f16<Op>("sm90")) {
    if (is_made_of_f16<Op>(target)) return multiply_add_as_f16<Op>(a, b, c, target);
  }
  if constexpr (adds_at_once<Op>("sm90")) {
    if (adds_at_once<Op>(target)) {
      typename Matrices<Op>::B power_b;
      for (std::size_t k = 0; k < Op::K; ++k)
        std::transform(b[k].begin(), b[k].end(), power_b[k].begin(), power_of<Op::b>);
      for (std::size_t m = 0; m < Op::M; ++m) {
        add_row_at_once<Op::a, Op::c>(a[m].data(), Op::K, b[0].data(), power_b[0].data(), c[m].data(),
                                      std::integral_constant<std::size_t, Op::N>{});
      }
      return;
    }
  }
  if constexpr (Op::saturates) {
    Dense<std::int64_t, Op::M, Op::N> sums{};
    accumulate<Op>(a, b, sums, [](std::int64_t sum, std::int32_t x, std::int32_t y) { return sum + x * y; });
    for (std::size_t m = 0; m < Op::M; ++m) {
      for (std::size_t n = 0; n < Op::N; ++n)
        c[m][n] = std::int32_t(std::clamp<std::int64_t>(sums[m][n] + c[m][n], INT32_MIN, INT32_MAX));
    }
  } else if constexpr (Op::exclusive) {
    accumulate<Op>(a, b, c, [](std::int32_t sum, std::int32_t x, std::int32_t y) {
      return std::int32_t(std::uint32_t(sum) + std::uint32_t(x ^ y));
    });
  } else if constexpr (Matrices<Op>::is_integer) {
    accumulate<Op>(a, b, c, [](std::int32_t sum, std::int32_t x, std::int32_t y) {
      return std::int32_t(std::uint32_t(sum) + std::uint32_t(x) * std::uint32_t(y));
    });
  } else if constexpr (Op::c == DType::f64) {
    accumulate<Op>(a, b, c, [](double sum, double x, double y) { return std::fma(x, y, sum); });
  } else if constexpr (Matrices<Op>::is_nvidia) {
    Dense<double, Op::blocks * Op::M, Op::N> sums{};
    accumulate<Op>(a, b, sums, [](double sum, double x, double y) { return sum + x * y; });
    for (std::size_t m = 0; m < Op::blocks * Op::M; ++m) {
      for (std::size_t n = 0; n < Op::N; ++n) c[m][n] = cut_to_f32(sums[m][n] + double(c[m][n]));
    }
  } else if constexpr (Op::a == DType::f32) {
    accumulate<Op>(a, b, c, [](float sum, float x, float y) { return std::fma(x, y, sum); });
  } else if constexpr (Op::a == DType::bf16) {
    // A product may be smaller than any f32. A double holds it, and with it every sum whose rounding to f32 is in
    // doubt.
    accumulate<Op>(a, b, c,
                   [](float sum, float x, float y) { return static_cast<float>(double(sum) + double(x) * double(y)); });
  } else {
    // the product of two f16 is exact, and of two FP8
    accumulate<Op>(a, b, c, [](float sum, float x, float y) { return sum + x * y; });
  }
  if constexpr (Op::c == DType::f16) {
    for (auto& row : c) {
      for (float& value : row) value = f32_of_f16(f16_of_f32(value));
    }
  }
}

}  // namespace tilestep::virtual_gpu
