// The number formats of matrix instructions: tf32, and the virtual GPU's own conversions of f16 against the library's.

#include <tilestep/atom.hpp>                    // tfloat32_t, half_t
#include <tilestep/backend/matrix_numbers.hpp>  // f32_of_f16, f16_of_f32, f16_of_f64, cut_to_f32

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <bit>     // std::bit_cast
#include <cmath>   // std::isnan
#include <limits>  // std::numeric_limits

using namespace tilestep;

TEST_CASE("tf32 keeps 10 fraction bits, rounded to nearest and ties to even", "[atom]") {
  CHECK(float(tfloat32_t(1.0f)) == 1.0f);
  CHECK(float(tfloat32_t(-3.5f)) == -3.5f);
  CHECK(float(tfloat32_t(1.0f + 0x1p-10f)) == 1.0f + 0x1p-10f);
  CHECK(float(tfloat32_t(1.0f + 0x1p-11f)) == 1.0f);                          // a tie, to the even one
  CHECK(float(tfloat32_t(1.0f + 3 * 0x1p-11f)) == 1.0f + 0x1p-9f);            // a tie, to the even one
  CHECK(float(tfloat32_t(1.0f + 0x1p-11f + 0x1p-20f)) == 1.0f + 0x1p-10f);
  CHECK(float(tfloat32_t(0x1p-136f)) == 0x1p-136f);
  float const infinity = std::numeric_limits<float>::infinity();
  CHECK(float(tfloat32_t(infinity)) == infinity);
  CHECK(float(tfloat32_t(-std::numeric_limits<float>::max())) == -infinity);
  CHECK(std::isnan(float(tfloat32_t(std::numeric_limits<float>::quiet_NaN()))));
  // its payload lies in the bits that are dropped
  CHECK(std::isnan(float(tfloat32_t(detail::float_from_bits(0x7f800001u)))));
}

TEST_CASE("integers of 4 bits and of one keep the lowest bits of what they are made of", "[atom]") {
  for (int value = -40; value < 40; ++value) {
    int const low = value & 15;
    CHECK(int(int4b_t(value)) == (low < 8 ? low : low - 16));
    CHECK(int(uint4b_t(value)) == low);
    CHECK(int(uint1b_t(value)) == (value & 1));
    CHECK(int4b_t(value).bits == low);
  }
}

TEST_CASE("the first element of less than a byte stands in the lowest bits of a register", "[atom]") {
  uint4b_t nibbles[8];
  for (int i = 0; i < 8; ++i) nibbles[i] = uint4b_t(i + 1);
  CHECK(detail::packed(nibbles) == 0x87654321u);
  uint1b_t bits[32];
  for (int i = 0; i < 32; ++i) bits[i] = uint1b_t(int(0xA5000F01u >> i & 1u));
  CHECK(detail::packed(bits) == 0xA5000F01u);
}

TEST_CASE("complex numbers are added and multiplied by their parts", "[atom]") {
  complex<double> const a(3, -4), b(0.5, 2);
  CHECK(a + b == complex<double>(3.5, -2));
  CHECK(a - b == complex<double>(2.5, -6));
  CHECK(a * b == complex<double>(9.5, 4));
  CHECK(-a == complex<double>(-3, 4));
  CHECK(complex<double>(2) == complex<double>(2, 0));
  CHECK(complex<double>(SM80_8x8x4_GC64C64C64GC64_TN::GaussComplex{1.5, -8, -2.5}) == a * b);
}

TEST_CASE("the virtual GPU's f16 is the library's", "[atom]") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    float const want = float(half_t::from_bits(std::uint16_t(bits)));
    float const got = virtual_gpu::f32_of_f16(bits);
    wrong += std::isnan(want) ? !std::isnan(got)
                              : __builtin_bit_cast(std::uint32_t, got) != __builtin_bit_cast(std::uint32_t, want);
  }
  CHECK(wrong == 0);
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 4093) {
    float const value = __builtin_bit_cast(float, std::uint32_t(bits));
    if (std::isnan(value)) continue;
    wrong += virtual_gpu::f16_of_f32(value) != half_t(value).bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a NaN of f16 is as quiet as an f32, and keeps its fraction", "[atom]") {
  CHECK(std::bit_cast<std::uint32_t>(float(half_t::from_bits(0xfe01))) == 0xffc02000u);
}

TEST_CASE("the virtual GPU rounds an f64 to f16 once", "[atom]") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7bffu; ++bits) {  // all of one sign but the largest, and the one above each
    double const below = virtual_gpu::f32_of_f16(bits), above = virtual_gpu::f32_of_f16(bits + 1);
    double const tie = (below + above) / 2, close = (above - below) * 0x1p-30;
    for (double const sign : {1.0, -1.0}) {
      std::uint32_t const sign_bit = sign < 0 ? 0x8000u : 0;
      wrong += virtual_gpu::f16_of_f64(sign * (tie - close)) != (sign_bit | bits);
      wrong += virtual_gpu::f16_of_f64(sign * tie) != (sign_bit | (bits + bits % 2));
      wrong += virtual_gpu::f16_of_f64(sign * (tie + close)) != (sign_bit | (bits + 1));
      wrong += virtual_gpu::f16_of_f64(sign * below) != (sign_bit | bits);
    }
  }
  CHECK(wrong == 0);
  CHECK(virtual_gpu::f16_of_f64(1e300) == 0x7c00u);
  CHECK(virtual_gpu::f16_of_f64(-std::numeric_limits<double>::infinity()) == 0xfc00u);
  double const not_a_number = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(virtual_gpu::f32_of_f16(virtual_gpu::f16_of_f64(not_a_number))));
}

namespace {

/// The nearest number by search, the even one of two; what is too large: the largest.
template <class Float8>
std::uint8_t nearest_by_search(float value, std::uint8_t largest) {
  bool const too_large = std::fabs(value) > float(std::bit_cast<Float8>(largest));
  int best = too_large ? largest : 0;
  for (int bits = 1; bits <= largest && !too_large; ++bits) {
    double const there = std::fabs(double(float(std::bit_cast<Float8>(std::uint8_t(bits)))) - std::fabs(double(value)));
    double const here = std::fabs(double(float(std::bit_cast<Float8>(std::uint8_t(best)))) - std::fabs(double(value)));
    if (there < here || (there == here && bits % 2 == 0)) best = bits;
  }
  return std::uint8_t(best | (std::signbit(value) ? 0x80 : 0));
}
template <class Float8>
int wrong_roundings(std::uint8_t largest) {
  int wrong = 0;
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 524287) {
    float const value = std::bit_cast<float>(std::uint32_t(bits));
    if (!std::isnan(value)) wrong += Float8(value).bits != nearest_by_search<Float8>(value, largest);
  }
  for (int i = 0; i < 2 * largest; ++i) {  // the numbers, and halfway between two of them
    float const value = (float(std::bit_cast<Float8>(std::uint8_t(i / 2))) +
                         float(std::bit_cast<Float8>(std::uint8_t((i + 1) / 2)))) / 2;
    wrong += Float8(value).bits != nearest_by_search<Float8>(value, largest);
  }
  return wrong;
}

}  // namespace

TEST_CASE("FP8 is rounded to nearest, and what is too large to the largest", "[atom]") {
  CHECK(float(float_e4m3_t(448.0f)) == 448.0f);
  CHECK(float(float_e4m3_t(-1e9f)) == -448.0f);
  CHECK(float(float_e4m3_t(0x1p-9f)) == 0x1p-9f);
  CHECK(float(float_e4m3_t(1.0625f)) == 1.0f);  // a tie
  CHECK(float(float_e5m2_t(57344.0f)) == 57344.0f);
  CHECK(float(float_e5m2_t(-1e9f)) == -57344.0f);
  CHECK(float(float_e5m2_t(0x1p-16f)) == 0x1p-16f);
  CHECK(float(float_e5m2_t(1.375f)) == 1.5f);  // a tie
  float const nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(float(float_e4m3_t(nan))));
  CHECK(std::isnan(float(float_e5m2_t(nan))));
  CHECK(float(float_e4m3_t(std::numeric_limits<float>::infinity())) == 448.0f);
  CHECK(wrong_roundings<float_e4m3_t>(0x7e) == 0);
  CHECK(wrong_roundings<float_e5m2_t>(0x7b) == 0);
}

TEST_CASE("the virtual GPU's FP8 is the library's", "[atom]") {
  int wrong = 0;
  auto const same = [](float x, float y) {
    return std::isnan(x) ? std::isnan(y) : std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  };
  for (int i = 0; i < 256; ++i) {
    auto const bits = std::uint8_t(i);
    wrong += !same(float(std::bit_cast<float_e4m3_t>(bits)), virtual_gpu::f32_of_e4m3(bits));
    wrong += !same(float(std::bit_cast<float_e5m2_t>(bits)), virtual_gpu::f32_of_e5m2(bits));
  }
  CHECK(wrong == 0);
  CHECK(std::isnan(virtual_gpu::f32_of_e4m3(0xff)));
  CHECK(virtual_gpu::f32_of_e4m3(0x7e) == 448.0f);
  CHECK(virtual_gpu::f32_of_e5m2(0x7c) == std::numeric_limits<float>::infinity());
}

TEST_CASE("a sum is cut towards zero", "[atom]") {
  CHECK(virtual_gpu::cut_to_f32(1.0 + 0x1.8p-24) == 1.0f);
  CHECK(virtual_gpu::cut_to_f32(-1.0 - 0x1.8p-24) == -1.0f);
  CHECK(virtual_gpu::cut_to_f32(0x1p-150) == 0.0f);
  CHECK(virtual_gpu::cut_to_f32(0x1.ffffffp127) == std::numeric_limits<float>::max());
  CHECK(virtual_gpu::cut_to_f32(-std::numeric_limits<double>::infinity()) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(virtual_gpu::cut_to_f32(std::numeric_limits<double>::quiet_NaN())));
}
