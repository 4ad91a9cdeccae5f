#pragma once
// How a matrix unit may add up its products. Manuals do not say it, so a check of real hardware tries a family of
// models and keeps those that give every bit. Written apart from the virtual GPU's arithmetic: integers alone, no
// floating-point operation.

#include <tilestep/backend/instruction.hpp>  // DType

#include <cstdint>  // std::uint64_t, std::uint32_t
#include <string>   // std::string
#include <vector>   // std::vector

namespace instruction_check {

using tilestep::DType;

/// The product of two significands of f64 has 106 bits.
__extension__ typedef unsigned __int128 Significand;

/// A number as its bits say it: (-1)^negative significand 2^exponent.
struct Number {
  enum class Kind { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  Significand significand = 0;  ///< 0: a zero
  int exponent = 0;
  int nominal = 0;         ///< exponent of the leading bit as hardware sees it: of a subnormal the smallest exponent
  bool subnormal = false;  ///< nonzero, below the smallest normal number of its type

  [[nodiscard]] bool is_zero() const { return kind == Kind::finite && significand == 0; }
};

/// What the bits of one element mean. Of tf32 the low 13 bits are not looked at.
Number decode(DType type, std::uint64_t bits);

/// The exact product of two finite numbers. Hardware does not normalise it before it is aligned with others.
Number product(Number const& a, Number const& b);

/// How C + a[0] b[0] + a[1] b[1] + ... is computed.
struct Model {
  int width = 1;                ///< so many products are added at once, with the sum so far
  int fraction = exact;         ///< bits kept below the largest term's leading bit; the others are cut off. exact: all
  bool cut = false;             ///< each sum is then brought to f32, or f64, towards zero, otherwise to nearest
  bool c_last = false;          ///< the products are added up first, C at the end
  bool round_products = false;  ///< each product is first brought to the type of the sums, to nearest
  bool flush_operands = false;  ///< subnormal operands count as zero
  bool flush_sums = false;      ///< C and the result are zero where they are subnormal
  /// the products come lane after lane, not in the order of k. evaluate() takes them as they come
  bool by_lane = false;
  static constexpr int exact = 1000;

  [[nodiscard]] std::string text() const;
  friend bool operator==(Model const&, Model const&) = default;
};

/// The family: every combination for sums of K products of this type, the plainest first.
/// @param two_orders  the lanes do not hold their values in the order of k
std::vector<Model> models(DType type, int K, bool two_orders);

/// The bits of C + a b. @param sums  f32 or f64  @pre all are finite and the sum of their magnitudes does not overflow
std::uint64_t evaluate(Model const& model, Number const& c, std::vector<Number> const& a, std::vector<Number> const& b,
                       DType sums = DType::f32);

/// f32 bits -> the nearest f16, ties to even.
std::uint32_t nearest_f16(std::uint32_t f32);

}  // namespace instruction_check
