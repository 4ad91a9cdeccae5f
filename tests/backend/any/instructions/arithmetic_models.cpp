#include "arithmetic_models.hpp"  // what is defined here

#include <algorithm>  // std::max, std::min
#include <bit>        // std::bit_width
#include <cstddef>    // std::size_t

namespace instruction_check {

namespace {

__extension__ typedef __int128 Wide;

/// Fields of a floating-point format of `fraction` bits.
Number decode_fields(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  std::uint32_t const fraction = bits & ((1u << fraction_bits) - 1);
  int const largest = (1 << exponent_bits) - 1, bias = largest / 2;
  int const field = int(bits >> fraction_bits) & largest;
  Number number;
  number.negative = (bits >> (fraction_bits + exponent_bits) & 1) != 0;
  if (field == largest) {
    number.kind = fraction == 0 ? Number::Kind::infinite : Number::Kind::nan;
    return number;
  }
  number.significand = field == 0 ? fraction : fraction | 1u << fraction_bits;
  number.nominal = std::max(field, 1) - bias;
  number.exponent = number.nominal - fraction_bits;
  number.subnormal = field == 0 && fraction != 0;
  return number;
}

/// A sum of products of any exponents, without rounding: 640 bits in two's complement, the lowest of weight 2^-320.
class ExactSum {
 public:
  void add(bool negative, std::uint64_t significand, int exponent) {
    auto const at = std::size_t(exponent + 320);
    std::uint64_t const low = significand << at % 64, high = at % 64 == 0 ? 0 : significand >> (64 - at % 64);
    std::uint64_t carry = 0;
    for (std::size_t i = at / 64; i < words; ++i) {
      std::uint64_t const part = i == at / 64 ? low : i == at / 64 + 1 ? high : 0;
      Wide const sum = negative ? Wide(words_[i]) - part - carry : Wide(words_[i]) + part + carry;
      words_[i] = std::uint64_t(sum);
      carry = std::uint64_t(sum >> 64) & 1;
    }
  }

  /// The f32 bits of the sum, cut or to the nearest, ties to even.
  [[nodiscard]] std::uint32_t to_f32(bool cut) const {
    bool const negative = words_[words - 1] >> 63 != 0;
    ExactSum magnitude;
    if (negative) magnitude.subtract(*this);
    else magnitude = *this;
    std::size_t last = words;
    while (last > 0 && magnitude.words_[last - 1] == 0) --last;
    if (last == 0) return 0;
    int const top = int(64 * (last - 1)) + int(std::bit_width(magnitude.words_[last - 1])) - 1;
    std::uint32_t const sign = negative ? 0x80000000u : 0;
    int const unit = std::max(top - 23, 320 - 149);  // weight of the last bit that f32 keeps
    auto digits = std::uint32_t(top < unit ? 0 : magnitude.from(unit));
    bool const half = (magnitude.from(unit - 1) & 1) != 0;
    if (!cut && half && (digits % 2 == 1 || magnitude.any_below(unit - 1))) ++digits;
    if (digits < 0x800000u) return sign | digits;                   // subnormal: unit has the weight 2^-149
    // the leading bit adds one to the exponent; a carry, too
    return sign + (std::uint32_t(unit - 320 + 149) << 23) + digits;
  }

 private:
  static constexpr std::size_t words = 10;
  /// The bits from bit i on, as far as they fit.
  [[nodiscard]] std::uint64_t from(int i) const {
    auto const word = std::size_t(i) / 64;
    std::uint64_t const above = word + 1 < words && i % 64 != 0 ? words_[word + 1] << (64 - i % 64) : 0;
    return words_[word] >> (i % 64) | above;
  }
  [[nodiscard]] bool any_below(int i) const {
    auto const word = std::size_t(i) / 64;
    return std::any_of(words_, words_ + word, [](std::uint64_t each) { return each != 0; }) ||
           (words_[word] & ((std::uint64_t(1) << (i % 64)) - 1)) != 0;
  }
  void subtract(ExactSum const& other) {
    for (std::size_t i = 0; i < words; ++i) {
      add(true, other.words_[i] & 0xffffffffu, int(64 * i) - 320);
      add(true, other.words_[i] >> 32, int(64 * i) + 32 - 320);
    }
  }
  std::uint64_t words_[words] = {};
};

/// The sum of some numbers as f32 bits.
std::uint32_t add_up(Model const& model, std::vector<Number> const& terms) {
  int top = -1000;
  for (Number const& term : terms) {
    if (!term.is_zero()) top = std::max(top, term.nominal);
  }
  ExactSum sum;
  for (Number const& term : terms) {
    if (term.is_zero()) continue;
    int const drop = model.fraction == Model::exact ? 0 : std::max(top - model.fraction - term.exponent, 0);
    sum.add(term.negative, drop < 64 ? term.significand >> drop : 0, term.exponent + std::min(drop, 63));
  }
  return sum.to_f32(model.cut);
}

}  // namespace

Number decode(MatrixType type, std::uint32_t bits) {
  switch (type) {
    case MatrixType::f16: return decode_fields(bits & 0xffffu, 5, 10);
    case MatrixType::bf16: return decode_fields(bits & 0xffffu, 8, 7);
    case MatrixType::tf32: return decode_fields(bits & 0xffffe000u, 8, 23);
    case MatrixType::f32: return decode_fields(bits, 8, 23);
    default: break;
  }
  std::int64_t const value = type == MatrixType::i8 ? std::int8_t(bits & 0xffu) : std::int32_t(bits);
  Number number;
  number.negative = value < 0;
  number.significand = std::uint64_t(value < 0 ? -value : value);
  number.nominal = int(std::bit_width(number.significand)) - 1;
  return number;
}

Number product(Number const& a, Number const& b) {
  Number result;
  result.negative = a.negative != b.negative;
  result.significand = a.significand * b.significand;
  result.exponent = a.exponent + b.exponent;
  result.nominal = a.nominal + b.nominal;
  return result;
}

std::string Model::text() const {
  std::string text = width == 1 ? "one product after the other" : std::to_string(width) + " products at once";
  if (fraction != exact) text += ", " + std::to_string(fraction) + " bits below the largest";
  text += cut ? ", each sum cut" : ", each sum to nearest";
  if (c_last) text += ", C last";
  if (by_lane) text += ", lane by lane";
  if (round_products) text += ", products rounded first";
  text += flush_operands ? ", subnormal operands flushed" : ", subnormal operands kept";
  return text + (flush_sums ? ", subnormal sums flushed" : ", subnormal sums kept");
}

std::vector<Model> models(MatrixType type, int K, bool two_orders) {
  std::vector<Model> all;
  for (int width = 1; width <= K; width *= 2) {
    for (int fraction : {Model::exact, 23, 24, 25, 26, 27, 28}) {
      if (width == 1 && fraction != Model::exact) continue;
      for (int flags = 0; flags < 64; ++flags) {
        auto const flag = [&](int bit) { return (flags >> bit & 1) != 0; };
        if (flag(4) && type == MatrixType::f16) continue;  // the product of two f16 is exact in f32
        if (flag(5) && (!two_orders || width == K)) continue;
        all.push_back({width, fraction, flag(0), flag(1), flag(4), flag(2), flag(3), flag(5)});
      }
    }
  }
  return all;
}

std::uint32_t evaluate(Model const& model, Number const& c, std::vector<Number> const& a,
                       std::vector<Number> const& b) {
  auto const flushed = [](Number number, bool flush) {
    if (flush && number.subnormal) number.significand = 0;
    return number;
  };
  Number const first = flushed(c, model.flush_sums);
  Number sum = model.c_last ? Number{} : first;
  std::uint32_t bits = 0;
  std::vector<Number> terms;
  for (std::size_t k = 0; k < a.size(); k += std::size_t(model.width)) {
    terms.assign(1, sum);
    for (std::size_t i = k; i < k + std::size_t(model.width) && i < a.size(); ++i) {
      Number const term = product(flushed(a[i], model.flush_operands), flushed(b[i], model.flush_operands));
      terms.push_back(model.round_products ? decode(MatrixType::f32, add_up(Model{}, {term})) : term);
    }
    bits = add_up(model, terms);
    sum = decode(MatrixType::f32, bits);
  }
  if (model.c_last) bits = add_up(model, {sum, first});
  return model.flush_sums && decode(MatrixType::f32, bits).subnormal ? bits & 0x80000000u : bits;
}

std::uint32_t nearest_f16(std::uint32_t f32) {
  Number const number = decode(MatrixType::f32, f32);
  std::uint32_t const sign = number.negative ? 0x8000u : 0;
  if (number.kind == Number::Kind::nan) return sign | 0x7e00u;
  if (number.kind == Number::Kind::infinite) return sign | 0x7c00u;
  if (number.is_zero()) return sign;
  int const unit = std::max(number.exponent + int(std::bit_width(number.significand)) - 11, -24);
  int const drop = std::min(unit - number.exponent, 40);  // at least 13
  std::uint64_t const units = number.significand >> drop, twice = 2 * number.significand,
                      half = (2 * units + 1) << drop;
  std::uint64_t const digits = units + (twice > half || (twice == half && units % 2 == 1) ? 1 : 0);
  std::uint64_t const bits = digits < 0x400u ? digits : (std::uint64_t(unit + 24) << 10) + digits;
  return sign | std::uint32_t(std::min<std::uint64_t>(bits, 0x7c00u));
}

}  // namespace instruction_check
