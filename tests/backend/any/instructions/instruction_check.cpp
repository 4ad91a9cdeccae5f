#include "instruction_check.hpp"  // what is defined here

#include <tilestep/harness/build_info.hpp>  // backend, commit

#include <nlohmann/json.hpp>  // the record

#include <algorithm>  // std::find, std::is_sorted, std::max
#include <bit>        // std::bit_cast
#include <cmath>      // std::ldexp, std::fabs
#include <cstdio>     // std::snprintf
#include <set>        // std::set

namespace instruction_check {

namespace {

using Kind = Number::Kind;

// ---- Numbers to feed ----

/// The same numbers everywhere (splitmix64).
class Random {
 public:
  explicit Random(std::string const& seed) {
    for (char const c : seed) state_ = state_ * 1099511628211u + std::uint64_t(c);
  }
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int between(int low, int high) { return low + int(bits() % std::uint64_t(high - low + 1)); }
  bool one_in(int n) { return between(1, n) == 1; }

 private:
  std::uint64_t state_ = 1469598103934665603u;
};

constexpr std::uint64_t one = 1;

struct Format { int exponent_bits, fraction_bits; };
Format format_of(DType type) {
  if (type == DType::f64) return {11, 52};
  if (type == DType::f16) return {5, 10};
  if (type == DType::e4m3) return {4, 3};
  if (type == DType::e5m2) return {5, 2};
  if (type == DType::bf16) return {8, 7};
  return {8, 23};
}
std::uint64_t sign_bit(DType type) {
  return one << (format_of(type).exponent_bits + format_of(type).fraction_bits);
}
/// e4m3 has none: its NaN instead.
std::uint64_t infinity(DType type) {
  return type == DType::e4m3 ? 0x7fu : sign_bit(type) - (one << format_of(type).fraction_bits);
}
std::uint64_t quiet_nan(DType type) { return infinity(type) | one << (format_of(type).fraction_bits - 1); }
std::uint64_t largest(DType type) { return type == DType::tf32 ? 0x7f7fe000u : infinity(type) - 1; }

/// A random normal number with this exponent of its leading bit.
std::uint64_t normal(Random& random, DType type, int exponent) {
  auto const [exponent_bits, fraction_bits] = format_of(type);
  auto const field = std::uint64_t(exponent + (1 << (exponent_bits - 1)) - 1);
  auto const fraction = random.bits() & ((one << fraction_bits) - 1);
  return (random.one_in(2) ? sign_bit(type) : 0) | field << fraction_bits | fraction;
}
std::uint64_t subnormal(Random& random, DType type) {
  int const width = format_of(type).fraction_bits;
  std::uint64_t const fraction = random.bits() & ((one << random.between(1, width)) - 1);
  std::uint64_t const lowest = type == DType::tf32 ? one << 13 : one;  // of what the instruction looks at
  return (random.one_in(2) ? sign_bit(type) : 0) | std::max(fraction, lowest);
}
/// A whole number. @pre it is exact in this type
std::uint64_t whole(DType type, int value) {
  if (type == DType::f64) return std::bit_cast<std::uint64_t>(double(value));
  if (type == DType::i32) return std::uint32_t(value);
  if (is_integer(type)) return std::uint32_t(value) & ((1u << bits_of(type)) - 1);
  std::uint32_t const f32 = std::bit_cast<std::uint32_t>(float(value));
  if (auto const [exponent_bits, fraction_bits] = format_of(type); bits_of(type) == 8) {  // the exponent's new bias
    std::uint32_t const bias = 127u - (1u << (exponent_bits - 1)) + 1u;
    return value == 0 ? 0 : (f32 >> 24 & 0x80u) | ((f32 & 0x7fffffffu) - (bias << 23)) >> (23 - fraction_bits);
  }
  return type == DType::f16 ? nearest_f16(f32) : type == DType::bf16 ? f32 >> 16 : f32;
}

/// One of FP8, whose range is narrow?
bool is_float8(DType type) { return type == DType::e4m3 || type == DType::e5m2; }

/// Largest whole operand: K products and C stay exact in the sums, in every order.
int largest_whole(Instruction const& i) {
  if (i.integers()) return 127;
  if (i.c.type == DType::f64) return 1 << 20;  // 16 x 2^40 + 4,000,000 < 2^53
  if (i.c.type == DType::f16) return is_float8(i.a.type) ? 5 : 8;  // 32 x 25 or 16 x 64, + 1000, < 2048
  if (is_float8(i.a.type)) return 8;
  return i.a.type == DType::bf16 ? 255 : i.a.type == DType::f16 ? 511 : 1023;
}

using Fill = std::function<std::uint64_t(DType type, int row, int column)>;
Bits filled(Operand const& operand, Fill const& fill) {
  Bits bits;
  for (int row = 0; row < operand.rows; ++row) {
    for (int column = 0; column < operand.columns; ++column) bits.push_back(fill(operand.type, row, column));
  }
  return bits;
}

// ---- Kinds of cases ----

/// The elements of one case. `number` counts the cases of a kind.
struct KindOfCase {
  char const* name;
  enum { every_bit, zero_signs, bound } compared;
  int cases;
  std::function<Triple(Instruction const&, Random&, int number)> make;
};

Triple one_k(Instruction const& i, Random& random, int number) {
  auto const some = [&](DType type, int low) { return whole(type, random.between(low, 7)); };
  return {filled(i.a, [&](DType t, int, int k) { return k == number ? some(t, 1) : whole(t, 0); }),
          filled(i.b, [&](DType t, int k, int) { return k == number ? some(t, -7) : whole(t, 0); }),
          filled(i.c, [&](DType t, int, int) { return whole(t, random.between(-900, 900)); })};
}

Triple integers(Instruction const& i, Random& random, int) {
  int const most = largest_whole(i), most_c = i.c.type == DType::f16 ? 1000 : 4000000;
  auto const any = [&](DType type, int, int) {
    bool const small = i.integers() && bits_of(type) <= 8;  // all values; without a sign 0 to 255, of 4 bits their 16
    return whole(type, small ? random.between(-128, 127) : random.between(-most, most));
  };
  return {filled(i.a, any), filled(i.b, any),
          filled(i.c, [&](DType t, int, int) { return whole(t, random.between(-most_c, most_c)); })};
}

Triple wrap_around(Instruction const& i, Random& random, int) {
  Triple triple = integers(i, random, 0);
  // About as far from the end as a sum reaches.
  int const reach = !is_subbyte(i.a.type) ? 100000 : i.a.type == DType::u1 ? i.K() : 32 * i.K();
  for (auto& c : triple.c)
    c = (random.one_in(2) ? 0x7fffffffu : 0x80000000u) + std::uint32_t(random.between(-reach, reach));
  return triple;
}

Triple zeros(Instruction const& i, Random& random, int) {
  auto const any = [&](DType type, int, int) {
    std::uint64_t const sign = random.one_in(2) ? sign_bit(type) : 0;
    return random.one_in(8) ? sign | whole(type, 1) : sign;
  };
  return {filled(i.a, any), filled(i.b, any), filled(i.c, any)};
}

/// Exponents of the operands and of C between these.
Triple by_exponents(Instruction const& i, Random& random, int low, int high, int low_c, int high_c) {
  auto const any = [&](DType type, int, int) { return normal(random, type, random.between(low, high)); };
  return {filled(i.a, any), filled(i.b, any),
          filled(i.c, [&](DType type, int, int) { return normal(random, type, random.between(low_c, high_c)); })};
}

Triple random_numbers(Instruction const& i, Random& random, int) { return by_exponents(i, random, -3, 0, -3, 2); }

Triple mixed_magnitudes(Instruction const& i, Random& random, int) {
  if (is_float8(i.a.type)) return by_exponents(i, random, -6, 7, -12, i.c.type == DType::f16 ? 10 : 14);
  if (i.c.type == DType::f16) return by_exponents(i, random, -12, 4, -14, 10);
  if (i.a.type == DType::f16) return by_exponents(i, random, -14, 12, -28, 24);
  if (i.a.type == DType::f64) return by_exponents(i, random, -300, 300, -600, 600);
  return by_exponents(i, random, -40, 40, -80, 80);
}

/// C is nearly the negative of the product.
Triple cancellation(Instruction const& i, Random& random, int) {
  Triple triple = random_numbers(i, random, 0);
  std::vector<Number> a, b;
  for (int m = 0; m < i.M(); ++m) {
    for (int n = 0; n < i.N(); ++n) {
      a.clear();
      b.clear();
      for (int k = 0; k < i.K(); ++k) {
        a.push_back(decode(i.a.type, triple.a[std::size_t(m * i.K() + k)]));
        b.push_back(decode(i.b.type, triple.b[i.of_b(m, k, n)]));
      }
      std::uint64_t const sum = evaluate({.width = i.K()}, Number{}, a, b, i.sums());
      triple.c[std::size_t(m * i.N() + n)] =
          sign_bit(i.c.type) ^ (i.c.type == DType::f16 ? nearest_f16(std::uint32_t(sum)) : sum);
    }
  }
  return triple;
}

/// Subnormal operands; in the wide types those of A, those of B, or none and products that are. Sometimes C alone is
/// not zero.
Triple subnormals(Instruction const& i, Random& random, int number) {
  bool const half = i.a.type == DType::f16 || is_float8(i.a.type), wide = i.a.type == DType::f64;
  bool const small_products = !half && number % 3 == 2;
  auto const operand = [&](DType type, bool small) {
    int const lowest = type == DType::e4m3 ? -6 : -14;
    if (half) return random.one_in(2) ? subnormal(random, type) : normal(random, type, random.between(lowest, 4));
    if (small_products) return normal(random, type, wide ? random.between(-530, -515) : random.between(-72, -60));
    if (small) return subnormal(random, type);
    return normal(random, type, wide ? random.between(980, 1010) : random.between(90, 110));
  };
  auto const sum = [&](DType type, int, int) {
    if (random.one_in(2)) return whole(type, 0);
    if (small_products || type == DType::f16 || random.one_in(4)) return subnormal(random, type);
    return normal(random, type, random.between(-40, -20));
  };
  bool const only_c = number % 8 == 7;
  return {
      filled(i.a, [&](DType type, int, int) { return only_c ? whole(type, 0) : operand(type, number % 3 == 0); }),
      filled(i.b, [&](DType type, int, int) { return operand(type, number % 3 == 1); }), filled(i.c, sum)};
}

Triple specials(Instruction const& i, Random& random, int) {
  Triple triple = random_numbers(i, random, 0);
  auto const spread = [&](Bits& bits, DType type, int one_in) {
    for (auto& element : bits) {
      if (!random.one_in(one_in)) continue;
      std::uint64_t const sign = random.one_in(2) ? sign_bit(type) : 0;
      std::uint64_t const values[] = {
          infinity(type), infinity(type), quiet_nan(type), largest(type), 0, one << format_of(type).fraction_bits};
      element = sign | values[random.between(0, 5)];
    }
  };
  spread(triple.a, i.a.type, 2 * i.K());
  spread(triple.b, i.b.type, 2 * i.K());
  spread(triple.c, i.c.type, 12);
  return triple;
}

std::vector<KindOfCase> kinds_of(Instruction const& i) {
  if (i.integers()) {
    return {{"one k", KindOfCase::every_bit, i.K(), one_k},
            {"integers", KindOfCase::every_bit, 64, integers},
            {"wrap around", KindOfCase::every_bit, 64, wrap_around}};
  }
  return {{"one k", KindOfCase::every_bit, i.K(), one_k},
          {"integers", KindOfCase::every_bit, 64, integers},
          {"zeros", KindOfCase::zero_signs, 32, zeros},
          {"random", KindOfCase::bound, 32, random_numbers},
          {"mixed magnitudes", KindOfCase::bound, 32, mixed_magnitudes},
          {"cancellation", KindOfCase::bound, 32, cancellation},
          {"subnormals", KindOfCase::bound, 32, subnormals},
          {"specials", KindOfCase::bound, 32, specials}};
}

// ---- Judgement ----

/// As long double, which holds the product of two f64, nearly.
long double value(Number const& number) {
  long double const magnitude = std::ldexp(static_cast<long double>(number.significand), number.exponent);
  return number.negative ? -magnitude : magnitude;
}

/// What any order of addition may give for one element of C.
struct Expected {
  Kind kind = Kind::finite;
  bool negative = false;       ///< of an infinity
  bool may_overflow = false;
  long double sum = 0, bound = 0;  ///< of a finite result; exact enough for both
};

Expected expected(Instruction const& i, Number const& c, std::vector<Number> const& a, std::vector<Number> const& b) {
  bool const half = i.c.type == DType::f16, wide = i.c.type == DType::f64;
  bool plus = false, minus = false, nan = c.kind == Kind::nan;
  (c.negative ? minus : plus) |= c.kind == Kind::infinite;
  long double sum = c.kind == Kind::finite ? value(c) : 0, magnitude = std::fabs(sum), flushed = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    bool const infinite = a[k].kind == Kind::infinite || b[k].kind == Kind::infinite;
    nan = nan || a[k].kind == Kind::nan || b[k].kind == Kind::nan || (infinite && (a[k].is_zero() || b[k].is_zero()));
    if (infinite) (a[k].negative != b[k].negative ? minus : plus) = true;
    if (a[k].kind != Kind::finite || b[k].kind != Kind::finite) continue;
    long double const term = value(a[k]) * value(b[k]);
    sum += term;
    magnitude += std::fabs(term);
    if (a[k].subnormal || b[k].subnormal) flushed += std::fabs(term);
  }
  Expected want;
  want.kind = nan || (plus && minus) ? Kind::nan : plus || minus ? Kind::infinite : Kind::finite;
  want.negative = minus;
  want.may_overflow = magnitude >= (half ? 65000.0L : wide ? 1.79e308L : 3.4e38L);
  want.sum = sum;
  int const K = i.K();
  // A unit that takes subnormal numbers for zero is within the bound, too.
  long double const unit = wide ? 0x1p-52L : 0x1p-23L, smallest = wide ? 0x1p-1022L : 0x1p-126L;
  want.bound = (K + 2) * magnitude * unit + flushed + (K + 2) * smallest;
  // Of an FP8 product with f16 sums, sm_90 makes p1 and p2, of half of K each, and rounds to f16 three times: p1, then
  // p1 + p2, then their sum with C. None is larger than `magnitude`, so each rounding is off by 2^-11 of it, or 2^-25
  // where the result is subnormal. What a rounding adds to the size of the next is less than K + 2 units above leave.
  int const rounded = half ? (is_float8(i.a.type) ? 3 : 1) : 0;
  want.bound += rounded * (magnitude * 0x1p-11L + 0x1p-25L);
  return want;
}

/// One row of A and one column of B.
struct Terms { std::vector<Number> a, b; };
Terms terms_of(Instruction const& i, Triple const& matrices, int m, int n) {
  Terms terms;
  for (int k = 0; k < i.K(); ++k) {
    terms.a.push_back(decode(i.a.type, matrices.a[std::size_t(m * i.K() + k)]));
    terms.b.push_back(decode(i.b.type, matrices.b[i.of_b(m, k, n)]));
  }
  return terms;
}

/// @param type  an f64 has 16 digits, every other type 8
std::string hexadecimal(std::uint64_t bits, DType type = DType::f32) {
  char text[24];
  int const digits = type == DType::f64 ? 16 : 8;
  std::snprintf(text, sizeof(text), "0x%0*llx", digits, static_cast<unsigned long long>(bits));
  return text;
}

std::vector<int> order_of_lanes(Instruction const& i) {
  std::vector<int> order;
  for (int at = 0; at < i.lanes * i.a.values; ++at) {
    Place const place = i.a.place(at / i.a.values, at % i.a.values);
    if (place.row == 0 && std::find(order.begin(), order.end(), place.column) == order.end())
      order.push_back(place.column);
  }
  return order;
}

class Judge {
 public:
  Judge(Instruction const& instruction, Result& result) : i_(instruction), result_(result) {
    if (i_.integers()) return;
    by_lane_ = order_of_lanes(i_);
    models_ = models(i_.a.type, i_.K(), !std::is_sorted(by_lane_.begin(), by_lane_.end()));
  }

  void judge(KindOfCase const& kind, KindResult& row, Triple const& given, Bits const& got, Bits const& model) {
    for (int m = 0; m < i_.M(); ++m) {
      for (int n = 0; n < i_.N(); ++n) {
        std::size_t const at = std::size_t(m * i_.N() + n);
        std::string const fault = element(kind, row, given, got[at], model[at], m, n);
        if (fault.empty()) continue;
        if (row.wrong++ == 0) {
          auto const text = [&](Bits const& bits) { return hexadecimal(bits[at], i_.c.type); };
          row.first_wrong = "case " + std::to_string(row.cases) + ", (" + std::to_string(m) + "," + std::to_string(n) +
                            "): " + text(got) + " where the model gives " + text(model) + ", " + fault;
        }
      }
    }
  }

  void finish() {
    for (Model const& model : models_) result_.reproduced_by.push_back(model.text());
    for (std::uint64_t const nan : nans_) result_.nans.push_back(hexadecimal(nan, i_.c.type));
  }

 private:
  /// @return what is wrong with one element, empty if it is right
  std::string element(KindOfCase const& kind, KindResult& row, Triple const& given, std::uint64_t got,
                      std::uint64_t model, int m, int n) {
    ++row.elements;
    bool const same = got == model;
    if (i_.integers()) {
      row.as_model += same;
      return same ? "" : "another integer";
    }
    Number const number = decode(i_.c.type, got), of_model = decode(i_.c.type, model);
    bool const nans = number.kind == Kind::nan && of_model.kind == Kind::nan;
    row.as_model += same || nans;
    if (number.kind == Kind::nan && nans_.size() < 4) nans_.insert(got);
    bool const zero_signs = number.is_zero() && of_model.is_zero() && !same;
    row.zero_signs += zero_signs;
    if (kind.compared == KindOfCase::every_bit) return same ? "" : "an exact sum";
    if (kind.compared == KindOfCase::zero_signs) return same || zero_signs ? "" : "an exact sum";

    Terms const terms = terms_of(i_, given, m, n);
    Number const c = decode(i_.c.type, given.c[std::size_t(m * i_.N() + n)]);
    Expected const want = expected(i_, c, terms.a, terms.b);
    if (want.kind == Kind::nan) return number.kind == Kind::nan ? "" : "NaN was expected";
    if (want.kind == Kind::infinite) {
      if (want.may_overflow) {
        ++row.may_overflow;
        return "";
      }
      return number.kind == Kind::infinite && number.negative == want.negative ? "" : "an infinity was expected";
    }
    if (want.may_overflow) {
      ++row.may_overflow;
      return "";
    }
    if (number.kind != Kind::finite) return "a finite number was expected";
    long double const error = std::fabs(value(number) - want.sum);
    row.worst = std::max(row.worst, double(error / want.bound));
    keep_models(c, terms, got);
    return error <= want.bound ? "" : "error " + std::to_string(error / want.bound) + " of the bound";
  }

  void keep_models(Number const& c, Terms const& terms, std::uint64_t got) {
    Terms permuted;
    for (int const k : by_lane_) {
      permuted.a.push_back(terms.a[std::size_t(k)]);
      permuted.b.push_back(terms.b[std::size_t(k)]);
    }
    std::erase_if(models_, [&](Model const& model) {
      Terms const& ordered = model.by_lane ? permuted : terms;
      std::uint64_t bits = evaluate(model, c, ordered.a, ordered.b, i_.sums());
      if (i_.c.type == DType::f16) bits = nearest_f16(std::uint32_t(bits));
      std::uint64_t const sign = sign_bit(i_.c.type);
      return bits != got && ((bits | got) & ~sign) != 0;  // the sign of a zero is another matter
    });
  }

  Instruction const& i_;
  Result& result_;
  std::vector<Model> models_;
  std::vector<int> by_lane_;  // every k, in the order in which the lanes hold the elements of a row of A
  std::set<std::uint64_t> nans_;
};

nlohmann::ordered_json json_of(KindResult const& row) {
  nlohmann::ordered_json json{
      {"kind", row.kind}, {"compared", row.compared}, {"cases", row.cases}, {"results", row.elements}};
  if (row.compared != "registers") json["as_model"] = row.as_model;
  if (row.zero_signs != 0) json["zero_signs_differ"] = row.zero_signs;
  if (row.may_overflow != 0) json["may_overflow"] = row.may_overflow;
  if (row.compared == "bound") json["worst_of_bound"] = double(std::llround(row.worst * 1e4)) / 1e4;
  json["wrong"] = row.wrong;
  if (row.wrong != 0) json["first_wrong"] = row.first_wrong;
  return json;
}

}  // namespace

Bits to_registers(Operand const& operand, int lanes, Bits const& elements) {
  int const bits = bits_of(operand.type);
  Bits registers(std::size_t(lanes * operand.values * bits / 32));
  for (int at = 0; at < lanes * operand.values; ++at) {
    Place const place = operand.place(at / operand.values, at % operand.values);
    std::uint64_t const element = elements[std::size_t(place.row * operand.columns + place.column)];
    registers[std::size_t(at * bits / 32)] |= (element << at * bits % 32) & 0xffffffffu;
    if (bits == 64) registers[std::size_t(at * 2 + 1)] = element >> 32;
  }
  return registers;
}

Bits from_registers(Operand const& operand, int lanes, Bits const& registers) {
  int const bits = bits_of(operand.type);
  std::uint64_t const mask = bits == 64 ? ~std::uint64_t(0) : (one << bits) - 1;
  Bits elements(std::size_t(operand.rows * operand.columns));
  for (int at = 0; at < lanes * operand.values; ++at) {
    Place const place = operand.place(at / operand.values, at % operand.values);
    std::uint64_t const high = bits == 64 ? registers[std::size_t(at * 2 + 1)] << 32 : 0;
    elements[std::size_t(place.row * operand.columns + place.column)] =
        (high | registers[std::size_t(at * bits / 32)] >> at * bits % 32) & mask;
  }
  return elements;
}

std::int64_t Result::cases() const {
  std::int64_t sum = 0;
  for (KindResult const& row : kinds) sum += row.cases;
  return sum;
}
std::int64_t Result::wrong() const {
  std::int64_t sum = 0;
  for (KindResult const& row : kinds) sum += row.wrong;
  return sum;
}
bool Result::as_model() const {
  return std::all_of(kinds.begin(), kinds.end(), [](KindResult const& row) { return row.as_model == row.elements; });
}

Result check(Instruction const& instruction) {
  Result result{instruction.name, instruction.target, {}, {}, {}};
  Judge judge(instruction, result);
  for (KindOfCase const& kind : kinds_of(instruction)) {
    char const* const compared[] = {"bits", "bits but the signs of zeros", "bound"};
    KindResult row{.kind = kind.name, .compared = compared[kind.compared]};
    Random random(instruction.name + kind.name);
    std::vector<Triple> given, registers;
    for (int number = 0; number < kind.cases; ++number) {
      Triple const& made = given.emplace_back(kind.make(instruction, random, number));
      registers.push_back({to_registers(instruction.a, instruction.lanes, made.a),
                           to_registers(instruction.b, instruction.lanes, made.b),
                           to_registers(instruction.c, instruction.lanes, made.c)});
    }
    instruction.run(registers);
    for (int number = 0; number < kind.cases; ++number) {
      Triple model = given[std::size_t(number)];
      instruction.model(model);
      judge.judge(kind, row, given[std::size_t(number)],
                  from_registers(instruction.c, instruction.lanes, registers[std::size_t(number)].c), model.c);
      ++row.cases;
    }
    result.kinds.push_back(row);
  }
  judge.finish();
  return result;
}

KindResult check_load(int matrices, bool transposed, std::function<void(LoadCase&)> const& run) {
  KindResult row{.kind = "ldmatrix .x" + std::to_string(matrices) + (transposed ? " .trans" : ""),
                 .compared = "registers"};
  Random random(row.kind);
  for (; row.cases < 64; ++row.cases) {
    LoadCase load{matrices, transposed, std::vector<std::uint16_t>(64 * 8), std::vector<std::int32_t>(32), {}};
    for (auto& element : load.rows) element = std::uint16_t(random.bits());
    for (auto& r : load.row_of) r = random.between(0, 63);
    run(load);
    for (int lane = 0; lane < 32; ++lane) {
      for (int matrix = 0; matrix < matrices; ++matrix) {
        // PTX ISA, ldmatrix: lane l receives elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4; of the transposed
        // matrix with .trans
        std::uint32_t want = 0;
        for (int half = 0; half < 2; ++half) {
          int const i = lane / 4, j = 2 * (lane % 4) + half;
          int const r = transposed ? j : i, column = transposed ? i : j;
          want |= std::uint32_t(load.rows[std::size_t(load.row_of[std::size_t(8 * matrix + r)] * 8 + column)])
                  << (16 * half);
        }
        std::uint32_t const got = load.registers[std::size_t(lane * matrices + matrix)];
        ++row.elements;
        if (got != want && row.wrong++ == 0) {
          row.first_wrong = "case " + std::to_string(row.cases) + ", lane " + std::to_string(lane) + ", matrix " +
                            std::to_string(matrix) + ": " + hexadecimal(got) + " instead of " + hexadecimal(want);
        }
      }
    }
  }
  return row;
}

std::string to_json(Record const& record) {
  using Json = nlohmann::ordered_json;
  Json json{{"backend", tilestep::build_info::backend},
            {"target", record.target},
            {"device", record.device},
            {"commit", tilestep::build_info::commit()}};
  json["instructions"] = Json::array();
  for (Result const& result : record.instructions) {
    Json row{{"instruction", result.name},
             {"target", result.target},
             {"cases", result.cases()},
             {"verdict", result.wrong() == 0 ? "right" : "wrong"},
             {"every_bit_as_model", result.as_model()},
             {"reproduced_by", result.reproduced_by},
             {"nans", result.nans},
             {"kinds", Json::array()}};
    for (KindResult const& kind : result.kinds) row["kinds"].push_back(json_of(kind));
    json["instructions"].push_back(row);
  }
  json["loads"] = Json::array();
  for (KindResult const& load : record.loads) json["loads"].push_back(json_of(load));
  return json.dump(2) + "\n";
}

}  // namespace instruction_check
