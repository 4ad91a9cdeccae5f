#include <tilestep/layout/composed.hpp>  // tested here
#include <tilestep/layout/print.hpp>     // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {
constexpr Swizzle<3, 3, 3> swizzle{};
constexpr Layout<Shape<_8, _64>, Stride<_64, _1>> rows{};
constexpr auto swizzled = composition(swizzle, rows);
}  // namespace

TEST_CASE("a composed layout is the function of the inner offset", "[layout][composed]") {
  CHECK(to_string(swizzled) == "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)");
  STATIC_REQUIRE(std::is_empty_v<remove_cvref_t<decltype(swizzled)>>);
  CHECK(size(swizzled) == 512);
  CHECK(size<1>(swizzled) == 64);
  CHECK(rank(swizzled) == 2);
  CHECK(cosize(swizzled) == 512);
  for (int m = 0; m < 8; ++m) {
    for (int k = 0; k < 64; ++k) CHECK(swizzled(m, k) == swizzle(rows(m, k)));
  }
  CHECK(to_string(composition(Swizzle<0, 3, 3>{}, rows)) == to_string(rows));
}

TEST_CASE("a slice of a composed layout keeps the offset inside the function", "[layout][composed]") {
  for (int m = 0; m < 8; ++m) {
    auto const row = swizzled(m, _);
    for (int k = 0; k < 64; ++k) CHECK(row(k) == swizzled(m, k));
  }
  auto const column = get<0>(slice_and_offset(make_coord(_, 5), swizzled));
  for (int m = 0; m < 8; ++m) CHECK(column(m) == swizzled(m, 5));
}

TEST_CASE("tiling a composed layout tiles the inner one", "[layout][composed]") {
  auto const big = tile_to_shape(swizzled, Shape<_64, _128>{});
  auto const plain = tile_to_shape(rows, Shape<_64, _128>{});
  auto const tiles = zipped_divide(big, make_tile(_16{}, _8{}));
  for (int m = 0; m < 64; ++m) {
    for (int k = 0; k < 128; ++k) {
      CHECK(big(m, k) == swizzle(plain(m, k)));
      CHECK(tiles(make_coord(m % 16, k % 8), make_coord(m / 16, k / 8)) == big(m, k));
    }
  }
}

TEST_CASE("recasting a composed layout recasts the swizzle too", "[layout][composed]") {
  auto const vectors = recast_layout<16, 128>(swizzled);
  CHECK(to_string(vectors) == "Sw<3,0,3> o _0 o (_8,_8):(_8,_1)");
  for (int m = 0; m < 8; ++m) {
    for (int k = 0; k < 64; k += 8) CHECK(8 * vectors(m, k / 8) == swizzled(m, k));
  }
  CHECK(downcast<8>(vectors) == swizzled);
}
