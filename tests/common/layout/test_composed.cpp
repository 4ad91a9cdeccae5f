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

TEST_CASE("a slice at a static coordinate has strides where the swizzle leaves no choice", "[layout][composed]") {
  constexpr auto tile = composition(Swizzle<2, 2, 2>{}, Layout<Shape<_16, _4>, Stride<_1, _16>>{});
  CHECK(to_string(tile(_, _1{})) == "((_4,_2,_2)):((_1,_-4,_8))");
  CHECK(to_string(tile(_3{}, _)) == "(_4):(_20)");
  CHECK(to_string(tile(_, _)) == to_string(tile));
  CHECK(to_string(tile(_, 1)) == "Sw<2,2,2> o 16 o (_16):(_1)");
  // Bits 3 to 5 are exchanged by bits 6 to 8: a slice with both kinds keeps the swizzle.
  constexpr auto both = composition(swizzle, Layout<Shape<_8, _8, _4, _2>, Stride<_64, _8, _1024, _512>>{});
  CHECK(to_string(both(_, _, _2{}, _1{})) == "Sw<3,3,3> o _2560 o (_8,_8):(_64,_8)");
  // Six rows: a row has strides, a column does not fit into bits.
  constexpr auto odd = composition(swizzle, Layout<Shape<_6, _64>, Stride<_64, _1>>{});
  CHECK(to_string(odd(_1{}, _)) == "((_8,_2,_4)):((_1,_-8,_16))");
  CHECK(to_string(odd(_, _1{})) == "Sw<3,3,3> o _1 o (_6):(_64)");
  // A coordinate beyond its mode may share bits with the slice.
  constexpr auto beyond = composition(Swizzle<1, 0, 2>{}, Layout<Shape<_4, _4>>{});
  CHECK(to_string(beyond(_4{}, _)) == "Sw<1,0,2> o _4 o (_4):(_4)");
  static_for<4>([&](auto n) {
    auto const [column, start] = slice_and_offset(make_coord(_, n), tile);
    for (int m = 0; m < 16; ++m) CHECK(start + column(m) == tile(m, n));
  });
  static_for<8>([&](auto m) {
    auto const [row, start] = slice_and_offset(make_coord(m, _), swizzled);
    for (int k = 0; k < 64; ++k) CHECK(start + row(k) == swizzled(m, k));
    auto const [part, begin] = slice_and_offset(make_coord(_, m, _, _1{}), both);
    for (int i = 0; i < 32; ++i) CHECK(begin + part(i) == both(i % 8, m, i / 8, 1));
  });
}

TEST_CASE("the common vector of swizzled layouts is what the swizzle leaves together", "[layout][composed]") {
  constexpr Layout<Shape<_16, _4>> plain{};
  constexpr auto tile = composition(Swizzle<2, 2, 2>{}, plain);
  CHECK(max_common_vector(tile, plain) == 4);
  CHECK(max_common_vector(plain, tile) == 4);
  CHECK(max_common_vector(tile, tile) == 64);
  CHECK(max_common_vector(tile, composition(Swizzle<2, 1, 3>{}, plain)) == 2);
  CHECK(max_common_vector(composition(Swizzle<2, 2, 2>{}, _1{}, plain), plain) == 1);
  CHECK(max_common_vector(composition(Swizzle<2, 2, 2>{}, _16{}, plain), tile) == 4);
  CHECK(max_common_vector(tile, Layout<Shape<_16, _4>, Stride<_4, _1>>{}) == 1);
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
