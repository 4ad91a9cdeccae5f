#pragma once
// What every matrix instruction says about itself: its shape, the types of its operands, and how many registers of a
// lane hold them.

#include <tilestep/backend/dtype.hpp>  // DType

#include <cstdint>  // std::int32_t, std::uint32_t

namespace tilestep {

namespace detail {
template <DType> struct OperandRegister { using type = std::uint32_t; };      // one to 32 elements
template <> struct OperandRegister<DType::f64> { using type = double; };      // a pair of 32 bits
template <DType> struct AccumulatorRegister { using type = std::uint32_t; };  // two 16-bit elements
template <> struct AccumulatorRegister<DType::f32> { using type = float; };
template <> struct AccumulatorRegister<DType::i32> { using type = std::int32_t; };
template <> struct AccumulatorRegister<DType::f64> { using type = double; };
}  // namespace detail

/// What every instruction says about itself. C += A B with A (M,K), B (N,K), C (M,N).
/// @tparam Copies  how many lanes hold each element of A and B: RDNA3 wants them twice
/// @tparam Blocks  how many products of this shape it computes at once, each of its own A, B and C
template <int Lanes, int M_, int N_, int K_, DType TA, DType TB, DType TC, int Copies = 1,
          int Blocks = 1>
struct MatrixInstruction {
  static constexpr int lanes = Lanes;                                                ///< of a warp
  static constexpr int M = M_, N = N_, K = K_;
  static constexpr DType a = TA, b = TB, c = TC;
  static constexpr int copies = Copies;
  static constexpr int blocks = Blocks;
  static constexpr bool saturates = false;                                           ///< or integers wrap around
  static constexpr bool exclusive = false;                                           ///< bits: a xor b, not a and b
  static constexpr int a_values = M * K * Blocks * Copies / Lanes;                   ///< elements that one lane holds
  static constexpr int b_values = N * K * Blocks * Copies / Lanes;
  static constexpr int c_values = M * N * Blocks / Lanes;
  using Register = typename detail::OperandRegister<TA>::type;                       ///< of A and B: 32 bits; f64: 64
  using CRegister = typename detail::AccumulatorRegister<TC>::type;
  static constexpr int a_registers = a_values * bits_of(TA) / int(8 * sizeof(Register));  ///< in one lane
  static constexpr int b_registers = b_values * bits_of(TB) / int(8 * sizeof(Register));
  static constexpr int c_registers = c_values * bits_of(TC) / int(8 * sizeof(CRegister));
};

}  // namespace tilestep
