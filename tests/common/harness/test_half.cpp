#include <tilestep/atom/half.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>    // std::isnan
#include <cstring>  // std::memcpy
#include <limits>   // infinity

using namespace tilestep;

namespace {

// The compiler's own binary16, an independent implementation.
float compilers_float(std::uint16_t bits) {
  _Float16 value;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<float>(value);
}

std::uint16_t compilers_half(float value) {
  auto const half = static_cast<_Float16>(value);
  std::uint16_t bits = 0;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

static_assert(half_t(1.5f).bits == 0x3e00 && float(half_t(1.5f)) == 1.5f);
static_assert(bfloat16_t(1.5f).bits == 0x3fc0 && float(bfloat16_t(1.5f)) == 1.5f);
static_assert(sizeof(half_t) == 2 && sizeof(bfloat16_t) == 2);

}  // namespace

TEST_CASE("every half has the compiler's value and comes back as the same bits", "[harness][half]") {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    auto const bits = static_cast<std::uint16_t>(i);
    float const value = float(half_t::from_bits(bits));
    if (std::isnan(compilers_float(bits))) {
      REQUIRE(std::isnan(value));
      REQUIRE(half_t(value).bits == (bits | 0x200));  // quiet
    } else {
      REQUIRE(value == compilers_float(bits));
      REQUIRE(half_t(value).bits == bits);
    }
  }
}

TEST_CASE("floats round to half as the compiler rounds them", "[harness][half]") {
  // Each half, the midpoint to the next one, and the floats on both sides of both.
  for (std::uint32_t i = 0; i < 0x7c00; ++i) {
    float const low = compilers_float(static_cast<std::uint16_t>(i));
    float const high = i + 1 < 0x7c00 ? compilers_float(static_cast<std::uint16_t>(i + 1)) : 65536.0f;
    float const middle = low + (high - low) / 2;
    for (float at : {low, middle}) {
      for (float value : {std::nextafter(at, -1.0f), at, std::nextafter(at, 1e6f)}) {
        REQUIRE(half_t(value).bits == compilers_half(value));
        REQUIRE(half_t(-value).bits == compilers_half(-value));
      }
    }
  }
}

TEST_CASE("every 211th float rounds to half as the compiler rounds it", "[harness][half]") {
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << 32); i += 211) {
    float const value = detail::float_from_bits(static_cast<std::uint32_t>(i));
    if (!std::isnan(value) && half_t(value).bits != compilers_half(value))
      REQUIRE(half_t(value).bits == compilers_half(value));
  }
}

TEST_CASE("floats round to bfloat16 to nearest, ties to even", "[harness][half]") {
  struct Row {
    std::uint32_t from;
    std::uint16_t to;
  };
  // Worked out by hand: keep the upper 16 bits, look at the lower.
  Row const rows[] = {{0x3f800000, 0x3f80}, {0x3f807fff, 0x3f80}, {0x3f808000, 0x3f80}, {0x3f808001, 0x3f81},
                      {0x3f818000, 0x3f82}, {0x3f817fff, 0x3f81}, {0xbf818000, 0xbf82}, {0x7f7f7fff, 0x7f7f},
                      {0x7f7f8000, 0x7f80}, {0x7f7fffff, 0x7f80}, {0x7f800000, 0x7f80}, {0xff800000, 0xff80},
                      {0x00000000, 0x0000}, {0x80000000, 0x8000}, {0x00007fff, 0x0000}, {0x00008000, 0x0000},
                      {0x00008001, 0x0001}, {0x00018000, 0x0002}, {0x007fffff, 0x0080}, {0x7f800001, 0x7fc0},
                      {0x7fc00000, 0x7fc0}, {0xffc12345, 0xffc1}};
  for (Row const& row : rows) {
    INFO("float bits " << std::hex << row.from);
    CHECK(bfloat16_t(detail::float_from_bits(row.from)).bits == row.to);
  }
  for (std::uint32_t i = 0; i < 65536; ++i) {
    float const value = float(bfloat16_t::from_bits(static_cast<std::uint16_t>(i)));
    if (!std::isnan(value)) REQUIRE(bfloat16_t(value).bits == i);
  }
}

TEST_CASE("halves compare as numbers", "[harness][half]") {
  CHECK(half_t::from_bits(0x8000) == half_t(0.0f));
  CHECK_FALSE(half_t::from_bits(0x7e00) == half_t::from_bits(0x7e00));
  CHECK(bfloat16_t::from_bits(0x8000) == bfloat16_t(0.0f));
}
