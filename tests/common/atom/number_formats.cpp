// The number formats of matrix instructions: tf32, and the virtual GPU's own conversions of f16 against the library's.

#include <tilestep/atom.hpp>                       // tfloat32_t, half_t
#include <tilestep/backend/matrix_arithmetic.hpp>  // f32_of_f16, f16_of_f32, cut_to_f32

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

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

TEST_CASE("a sum is cut towards zero", "[atom]") {
  CHECK(virtual_gpu::cut_to_f32(1.0 + 0x1.8p-24) == 1.0f);
  CHECK(virtual_gpu::cut_to_f32(-1.0 - 0x1.8p-24) == -1.0f);
  CHECK(virtual_gpu::cut_to_f32(0x1p-150) == 0.0f);
  CHECK(virtual_gpu::cut_to_f32(0x1.ffffffp127) == std::numeric_limits<float>::max());
  CHECK(virtual_gpu::cut_to_f32(-std::numeric_limits<double>::infinity()) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(virtual_gpu::cut_to_f32(std::numeric_limits<double>::quiet_NaN())));
}
