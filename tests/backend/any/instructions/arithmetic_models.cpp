#include "arithmetic_models.hpp"  // what is defined here

#include <algorithm>  // std::max, std::min
#include <bit>        // std::bit_width
#include <cstddef>    // std::size_t

namespace instruction_check {

namespace {

__extension__ typedef __int128 Wide;

int width_of(Significand bits) {
  auto const high = std::uint64_t(bits >> 64);
  return high != 0 ? 64 + int(std::bit_width(high)) : int(std::bit_width(std::uint64_t(bits)));
}

/// Fields of a floating-point format of `fraction` bits. That of 4 exponent bits, e4m3, has no infinity.
Number decode_fields(std::uint64_t bits, int exponent_bits, int fraction_bits) {
  std::uint64_t const one = 1, fraction = bits & ((one << fraction_bits) - 1);
  int const largest = (1 << exponent_bits) - 1, bias = largest / 2;
  int const field = int(bits >> fraction_bits) & largest;
  Number number;
  number.negative = (bits >> (fraction_bits + exponent_bits) & 1) != 0;
  if (field == largest && exponent_bits != 4) {
    number.kind = fraction == 0 ? Number::Kind::infinite : Number::Kind::nan;
    return number;
  }
  number.significand = field == 0 ? fraction : fraction | one << fraction_bits;
  number.nominal = std::max(field, 1) - bias;
  number.exponent = number.nominal - fraction_bits;
  number.subnormal = field == 0 && fraction != 0;
  return number;
}

/// What a sum is brought to.
struct Format { int exponent_bits, fraction_bits; };
Format format_of_sums(DType type) { return type == DType::f64 ? Format{11, 52} : Format{8, 23}; }

/// A sum of products of any exponents, without rounding, in two's complement.
/// @tparam words   of 64 bits   @tparam lowest  the first bit has the weight 2^-lowest
template <std::size_t words, int lowest>
class ExactSum {
 public:
  void add(bool negative, Significand significand, int exponent) {
    auto const at = std::size_t(exponent + lowest);
    Significand const shifted = significand << at % 64, rest = at % 64 == 0 ? 0 : significand >> (128 - at % 64);
    std::uint64_t const parts[] = {std::uint64_t(shifted), std::uint64_t(shifted >> 64), std::uint64_t(rest)};
    std::uint64_t carry = 0;
    for (std::size_t i = at / 64; i < words; ++i) {
      if (i - at / 64 >= 3 && carry == 0) break;
      std::uint64_t const part = i - at / 64 < 3 ? parts[i - at / 64] : 0;
      Wide const sum = negative ? Wide(words_[i]) - part - carry : Wide(words_[i]) + part + carry;
      words_[i] = std::uint64_t(sum);
      carry = std::uint64_t(sum >> 64) & 1;
    }
  }

  /// The bits of the sum in this format, cut or to the nearest, ties to even.
  [[nodiscard]] std::uint64_t to(Format format, bool cut) const {
    auto const [exponent_bits, fraction_bits] = format;
    bool const negative = words_[words - 1] >> 63 != 0;
    ExactSum magnitude = *this;
    if (negative) magnitude.negate();
    std::size_t last = words;
    while (last > 0 && magnitude.words_[last - 1] == 0) --last;
    if (last == 0) return 0;
    int const top = int(64 * (last - 1)) + int(std::bit_width(magnitude.words_[last - 1])) - 1;
    std::uint64_t const one = 1, sign = negative ? one << (exponent_bits + fraction_bits) : 0;
    int const smallest = (1 << (exponent_bits - 1)) - 2 + fraction_bits;       // of weight 2^-smallest: 149 in f32
    int const unit = std::max(top - fraction_bits, lowest - smallest);         // the last bit that the format keeps
    std::uint64_t digits = top < unit ? 0 : magnitude.from(unit);
    bool const half = (magnitude.from(unit - 1) & 1) != 0;
    if (!cut && half && (digits % 2 == 1 || magnitude.any_below(unit - 1))) ++digits;
    if (digits < one << fraction_bits) return sign | digits;  // subnormal: unit has the weight 2^-smallest
    // the leading bit adds one to the exponent; a carry, too
    return sign + (std::uint64_t(unit - lowest + smallest) << fraction_bits) + digits;
  }

 private:
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
  void negate() {
    bool carry = true;
    for (std::uint64_t& word : words_) {
      word = ~word + (carry ? 1 : 0);
      carry = carry && word == 0;
    }
  }
  std::uint64_t words_[words] = {};
};

/// The sum of some numbers as bits of f32 or f64.
template <class Sum>
std::uint64_t add_up_in(Model const& model, std::vector<Number> const& terms, DType type) {
  int top = -5000;
  for (Number const& term : terms) {
    if (!term.is_zero()) top = std::max(top, term.nominal);
  }
  Sum sum;
  for (Number const& term : terms) {
    if (term.is_zero()) continue;
    int const drop = model.fraction == Model::exact ? 0 : std::max(top - model.fraction - term.exponent, 0);
    if (drop < 128) sum.add(term.negative, term.significand >> drop, term.exponent + drop);
  }
  return sum.to(format_of_sums(type), model.cut);
}
std::uint64_t add_up(Model const& model, std::vector<Number> const& terms, DType type) {
  return type == DType::f64 ? add_up_in<ExactSum<70, 2176>>(model, terms, type)
                                 : add_up_in<ExactSum<10, 320>>(model, terms, type);
}

}  // namespace

Number decode(DType type, std::uint64_t bits) {
  switch (type) {
    case DType::f64: return decode_fields(bits, 11, 52);
    case DType::f16: return decode_fields(bits & 0xffffu, 5, 10);
    case DType::e5m2: return decode_fields(bits & 0xffu, 5, 2);
    case DType::e4m3: {
      Number number = decode_fields(bits & 0xffu, 4, 3);
      if ((bits & 0x7fu) == 0x7fu) number.kind = Number::Kind::nan;
      return number;
    }
    case DType::bf16: return decode_fields(bits & 0xffffu, 8, 7);
    case DType::tf32: return decode_fields(bits & 0xffffe000u, 8, 23);
    case DType::f32: return decode_fields(bits & 0xffffffffu, 8, 23);
    default: break;
  }
  std::int64_t const low = std::int64_t(bits & ((1u << (bits_of(type) % 32)) - 1));  // of fewer bits than 32
  std::int64_t const value = type == DType::i32  ? std::int32_t(bits)
                             : type == DType::i8 ? std::int8_t(low)
                             : type == DType::i4 ? (low ^ 8) - 8
                                                 : low;
  Number number;
  number.negative = value < 0;
  number.significand = std::uint64_t(value < 0 ? -value : value);
  number.nominal = width_of(number.significand) - 1;
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

std::vector<Model> models(DType type, int K, bool two_orders) {
  std::vector<Model> all;
  for (int width = 1; width <= K; width *= 2) {
    int const of_type = format_of_sums(type).fraction_bits;
    for (int fraction : {Model::exact, of_type, of_type + 1, of_type + 2, of_type + 3, of_type + 4, of_type + 5}) {
      if (width == 1 && fraction != Model::exact) continue;
      for (int flags = 0; flags < 64; ++flags) {
        auto const flag = [&](int bit) { return (flags >> bit & 1) != 0; };
        bool const exact_products = type == DType::f16 || tilestep::bits_of(type) == 8;  // in f32
        if (flag(4) && exact_products) continue;
        if (flag(5) && (!two_orders || width == K)) continue;
        all.push_back({width, fraction, flag(0), flag(1), flag(4), flag(2), flag(3), flag(5)});
      }
    }
  }
  return all;
}

std::uint64_t evaluate(Model const& model, Number const& c, std::vector<Number> const& a, std::vector<Number> const& b,
                       DType sums) {
  auto const flushed = [](Number number, bool flush) {
    if (flush && number.subnormal) number.significand = 0;
    return number;
  };
  Number const first = flushed(c, model.flush_sums);
  Number sum = model.c_last ? Number{} : first;
  std::uint64_t bits = 0;
  std::vector<Number> terms;
  for (std::size_t k = 0; k < a.size(); k += std::size_t(model.width)) {
    terms.assign(1, sum);
    for (std::size_t i = k; i < k + std::size_t(model.width) && i < a.size(); ++i) {
      Number const term = product(flushed(a[i], model.flush_operands), flushed(b[i], model.flush_operands));
      terms.push_back(model.round_products ? decode(sums, add_up(Model{}, {term}, sums)) : term);
    }
    bits = add_up(model, terms, sums);
    sum = decode(sums, bits);
  }
  if (model.c_last) bits = add_up(model, {sum, first}, sums);
  std::uint64_t const sign = sums == DType::f64 ? std::uint64_t(1) << 63 : 0x80000000u;
  return model.flush_sums && decode(sums, bits).subnormal ? bits & sign : bits;
}

std::uint32_t nearest_f16(std::uint32_t f32) {
  Number const number = decode(DType::f32, f32);
  std::uint32_t const sign = number.negative ? 0x8000u : 0;
  if (number.kind == Number::Kind::nan) return sign | 0x7e00u;
  if (number.kind == Number::Kind::infinite) return sign | 0x7c00u;
  if (number.is_zero()) return sign;
  int const unit = std::max(number.exponent + width_of(number.significand) - 11, -24);
  int const drop = std::min(unit - number.exponent, 40);  // at least 13
  auto const significand = std::uint64_t(number.significand);
  std::uint64_t const units = significand >> drop, twice = 2 * significand,
                      half = (2 * units + 1) << drop;
  std::uint64_t const digits = units + (twice > half || (twice == half && units % 2 == 1) ? 1 : 0);
  std::uint64_t const bits = digits < 0x400u ? digits : (std::uint64_t(unit + 24) << 10) + digits;
  return sign | std::uint32_t(std::min<std::uint64_t>(bits, 0x7c00u));
}

}  // namespace instruction_check
