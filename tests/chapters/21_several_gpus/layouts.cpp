// Chapter 21's layouts: a division is what logical_divide gives, every element is in one part, every tile has a holder,
// and every rank as many tiles as the others.

#include "kernel.hpp"  // division, holders

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <vector>  // counts

using namespace tilestep;

static_assert(logical_divide(Layout<Int<96>, _1>{}, Layout<Int<32>, _1>{})(5, 2) == division(96, 3)(5, 2));

TEST_CASE("a division is what logical_divide gives, and each element is in one part", "[chapter][21]") {
  auto const divided = logical_divide(Layout<Int<96>, _1>{}, Layout<Int<32>, _1>{});
  auto const parts = division(96, 3);
  REQUIRE(size(parts) == size(divided));
  for (int i = 0; i < 32; ++i) {
    for (int part = 0; part < 3; ++part) CHECK(parts(i, part) == divided(i, part));
  }
  for (std::int64_t extent = 0; extent <= 200; ++extent) {
    for (std::int64_t count = 1; count <= 6; ++count) {
      std::int64_t elements = 0;
      for (std::int64_t part = 0; part < count; ++part) {
        std::int64_t const here = elements_of_part(extent, count, part);
        CHECK((here == 0 || division(extent, count)(0, part) == elements));
        elements += here;
      }
      CHECK(elements == extent);
      CHECK(part_size(extent, count) % 16 == 0);
    }
  }
}

TEST_CASE("every tile of A, B and C has one holder, and every rank as many tiles as the others", "[chapter][21]") {
  for (std::int64_t p = 1; p <= 6; ++p) {
    for (std::int64_t q = 1; q <= 6; ++q) {
      for (Scheme const scheme : {Scheme::gather, Scheme::scatter, Scheme::grid}) {
        if (scheme != Scheme::grid && q != 1) continue;
        Holders const who = holders(scheme, p, q);
        for (Holder const& each : {who.a, who.b, who.c}) {
          std::vector<std::int64_t> tiles(std::size_t(p * q));
          for (std::int64_t i = 0; i < size<0>(each); ++i) {
            for (std::int64_t j = 0; j < size<1>(each); ++j) {
              REQUIRE(each(i, j) >= 0);
              REQUIRE(each(i, j) < p * q);
              ++tiles[std::size_t(each(i, j))];
            }
          }
          for (std::int64_t const count : tiles) CHECK(count == size(each) / (p * q));
        }
        CHECK(size(who.c) == p * q);
        CHECK(size<1>(who.a) == size<1>(who.b));  // K is cut in one way
      }
    }
  }
}

TEST_CASE("on a grid, a panel of A is in one column and a panel of B in one row", "[chapter][21]") {
  Holders const who = holders(Scheme::grid, 2, 3);
  // Ranks: row i, column j of the grid is i + 2 j. K has 6 panels.
  for (std::int64_t panel = 0; panel < 6; ++panel) {
    for (std::int64_t i = 0; i < 2; ++i) CHECK(who.a(i, panel) == i + 2 * (panel / 2));
    for (std::int64_t j = 0; j < 3; ++j) CHECK(who.b(j, panel) == panel / 3 + 2 * j);
  }
}
