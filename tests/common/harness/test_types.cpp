#include <tilestep/atom/float8.hpp>
#include <tilestep/atom/half.hpp>
#include <tilestep/harness/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>  // std::max
#include <cmath>      // std::isinf
#include <limits>     // 64-bit limits

using namespace tilestep;

TEST_CASE("every type is found by its name", "[harness][types]") {
  for (DType type : {DType::f32, DType::f16, DType::bf16, DType::tf32, DType::i8, DType::i32, DType::f64, DType::u8,
                     DType::e4m3, DType::e5m2}) {
    CHECK(dtype_from(to_string(type)) == type);
  }
  CHECK_FALSE(dtype_from("f128"));
  CHECK_FALSE(dtype_from(""));
  // Atoms alone have these.
  for (DType const type : {DType::i4, DType::u4, DType::u1}) CHECK_FALSE(dtype_from(to_string(type)));
}

TEST_CASE("rounding a double agrees with the 8- and 16-bit types for every float between them", "[harness][types]") {
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << 32); i += 40009) {
    float const value = detail::float_from_bits(static_cast<std::uint32_t>(i));
    if (std::isnan(value)) continue;
    REQUIRE(rounded(DType::f16, value) == float(half_t(value)));
    REQUIRE(rounded(DType::bf16, value) == float(bfloat16_t(value)));
    REQUIRE(rounded(DType::f32, value) == value);
    REQUIRE(rounded(DType::e4m3, value) == float(float_e4m3_t(value)));
    REQUIRE(rounded(DType::e5m2, value) == float(float_e5m2_t(value)));
  }
}

TEST_CASE("rounding happens once", "[harness][types]") {
  // Just above the middle of two halves: by way of float it would be a tie and go down.
  double const above = 1 + 0x1p-11 + 0x1p-40;
  CHECK(rounded(DType::f16, above) == 1 + 0x1p-10);
  CHECK(rounded(DType::f16, 1 + 0x1p-11) == 1);
  CHECK(rounded(DType::tf32, 1 + 0x1p-11) == 1);
  CHECK(rounded(DType::tf32, 1 + 3 * 0x1p-11) == 1 + 4 * 0x1p-11);
  CHECK(std::isinf(rounded(DType::f16, 65520)));
  CHECK(rounded(DType::f16, 65519.99) == 65504);
  CHECK(rounded(DType::f64, 1 + 0x1p-52) == 1 + 0x1p-52);
  CHECK(rounded(DType::i8, 300) == 127);
  CHECK(rounded(DType::i8, -2.5) == -2);
  CHECK(rounded(DType::i32, -3e9) == -2147483648.0);
}

TEST_CASE("what is known of FP8 is what its 256 numbers are", "[harness][types]") {
  auto const check = []<class T>(DType type, T one) {
    float most = 0, least = 1;
    for (int i = 0; i < 256; ++i) {
      T each;
      each.bits = static_cast<std::uint8_t>(i);
      float const value = float(each);
      if (!std::isfinite(value)) continue;
      CHECK(rounded(type, value) == value);
      most = std::max(most, value);
      if (value > 0) least = std::min(least, value);
    }
    T next = one;
    ++next.bits;
    CHECK(bytes_of(type) == sizeof(T));
    CHECK(unit_roundoff(type) == (float(next) - 1) / 2);
    CHECK(largest(type) == most);
    CHECK(smallest_subnormal(type) == least);
    CHECK(rounded(type, 1e9) == most);
    CHECK(std::isnan(rounded(type, std::nan(""))));
  };
  check(DType::e4m3, float_e4m3_t(1.0f));
  check(DType::e5m2, float_e5m2_t(1.0f));
  CHECK(rounded(DType::u8, -3) == 0);
  CHECK(rounded(DType::u8, 300) == 255);
}

TEST_CASE("what is known of f64 is what the compiler knows of double", "[harness][types]") {
  using Limits = std::numeric_limits<double>;
  CHECK(bytes_of(DType::f64) == sizeof(double));
  CHECK(unit_roundoff(DType::f64) == Limits::epsilon() / 2);
  CHECK(smallest_subnormal(DType::f64) == Limits::denorm_min());
  CHECK(largest(DType::f64) == Limits::max());
}

TEST_CASE("a product that does not fit in 64 bits is no number", "[harness][types]") {
  std::int64_t const most = std::numeric_limits<std::int64_t>::max();
  CHECK(checked_product(most, 1) == most);
  CHECK_FALSE(checked_product(most, 2));
  CHECK(checked_product(0, most) == 0);
  CHECK_FALSE(checked_product(-1, 2));
}
