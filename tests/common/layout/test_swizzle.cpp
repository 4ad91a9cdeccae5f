#include <tilestep/core/print.hpp>       // to_string
#include <tilestep/layout/swizzle.hpp>   // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <set>                           // set

using namespace tilestep;

TEST_CASE("a swizzle xors higher bits into lower ones", "[layout][swizzle]") {
  constexpr Swizzle<2, 1, 3> swizzle{};
  for (int x = 0; x < 512; ++x) CHECK(swizzle(x) == (x ^ (((x >> 4) & 3) << 1)));
  constexpr Swizzle<2, 1, -3> upward{};
  for (int x = 0; x < 512; ++x) CHECK(upward(x) == (x ^ (((x >> 1) & 3) << 4)));
}

TEST_CASE("a swizzle is its own inverse and a permutation", "[layout][swizzle]") {
  constexpr Swizzle<3, 3, 3> swizzle{};
  std::set<int> seen;
  for (int x = 0; x < 512; ++x) {
    CHECK(swizzle(swizzle(x)) == x);
    seen.insert(swizzle(x));
  }
  CHECK(seen.size() == 512);
  CHECK(*seen.rbegin() == 511);
}

TEST_CASE("a swizzle of a static offset is static", "[layout][swizzle]") {
  STATIC_REQUIRE(std::is_same_v<decltype(Swizzle<3, 3, 3>{}(_64{})), Int<72>>);
  STATIC_REQUIRE(Swizzle<3, 3, 3>{} == Swizzle<3, 3>{});
}
