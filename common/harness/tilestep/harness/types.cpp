#include <tilestep/harness/types.hpp>

#include <tilestep/atom/half.hpp>  // half_t, bfloat16_t

#include <algorithm>  // std::clamp
#include <cmath>      // std::nearbyint, std::nextafter
#include <limits>     // std::numeric_limits

namespace tilestep {

namespace {

struct TypeFacts {
  DType type;
  char const* name;
  std::int64_t bytes;
  double unit_roundoff;
  double smallest_subnormal;
  double largest;
};

constexpr TypeFacts type_facts[] = {
    {DType::f32, "f32", 4, 0x1p-24, 0x1p-149, 0x1.fffffep127},
    {DType::f16, "f16", 2, 0x1p-11, 0x1p-24, 65504.0},
    {DType::bf16, "bf16", 2, 0x1p-8, 0x1p-133, 0x1.fep127},
    {DType::tf32, "tf32", 4, 0x1p-11, 0x1p-136, 0x1.ffcp127},
    {DType::i8, "i8", 1, 0, 0, 127},
    {DType::i32, "i32", 4, 0, 0, 2147483647.0},
    {DType::f64, "f64", 8, 0x1p-53, 0x1p-1074, std::numeric_limits<double>::max()},
    {DType::u8, "u8", 1, 0, 0, 255},
    {DType::e4m3, "e4m3", 1, 0x1p-4, 0x1p-9, 448},
    {DType::e5m2, "e5m2", 1, 0x1p-3, 0x1p-16, 57344},
    {DType::i4, "i4", 1, 0, 0, 7},  // as the next two, an operand of atoms alone
    {DType::u4, "u4", 1, 0, 0, 15},
    {DType::u1, "u1", 1, 0, 0, 1},
};

TypeFacts const& facts(DType type) { return type_facts[static_cast<int>(type)]; }

// Rounds to the format with this roundoff and smallest subnormal; both are powers of two.
double rounded_to_format(double value, TypeFacts const& format) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);  // value = f 2^exponent, 1/2 <= |f| < 1
  double const spacing = std::max(std::ldexp(format.unit_roundoff, exponent), format.smallest_subnormal);
  double const result = std::nearbyint(value / spacing) * spacing;
  return std::abs(result) > format.largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : result;
}

}  // namespace

std::string to_string(DType type) { return facts(type).name; }

std::optional<DType> dtype_from(std::string const& name) {
  for (TypeFacts const& each : type_facts) {
    if (name == each.name && !is_subbyte(each.type)) return each.type;
  }
  return std::nullopt;
}

std::int64_t bytes_of(DType type) { return facts(type).bytes; }
double unit_roundoff(DType type) { return facts(type).unit_roundoff; }
double smallest_subnormal(DType type) { return facts(type).smallest_subnormal; }
double largest(DType type) { return facts(type).largest; }

double rounded(DType type, double value) {
  if (type == DType::f64) return value;
  if (type == DType::f32) return static_cast<float>(value);
  double const most = facts(type).largest;
  if (is_fp8(type) && std::abs(value) > most) return std::copysign(most, value);  // NaN is no larger
  if (!is_integer(type)) return rounded_to_format(value, facts(type));
  if (type == DType::u8) return std::clamp(std::nearbyint(value), 0.0, most);
  return std::clamp(std::nearbyint(value), -most - 1, most);
}

std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::string to_string(Extent2 extent) { return std::to_string(extent.rows) + "x" + std::to_string(extent.cols); }

}  // namespace tilestep
