#include <tilestep/core/coordinates.hpp>  // tested here

#include <catch2/catch_test_macros.hpp>   // TEST_CASE
#include <rapidcheck.h>                   // properties over run-time shapes

using namespace tilestep;

TEST_CASE("an index counts coordinates with the first mode fastest", "[core][coordinates]") {
  constexpr Shape<_4, Shape<_3, _2>> shape{};
  int index = 0;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 4; ++i, ++index) {
        auto const coord = make_coord(i, make_coord(j, k));
        CHECK(idx2crd(index, shape) == coord);
        CHECK(crd2idx(coord, shape) == index);
        CHECK(crd2idx(make_coord(i, j + 3 * k), shape) == index);
        CHECK(crd2idx(coord, shape, make_stride(100, make_stride(_10{}, 1))) == 100 * i + 10 * j + k);
        CHECK(crd2idx(index, shape, make_stride(100, make_stride(_10{}, 1))) == 100 * i + 10 * j + k);
      }
    }
  }
}

TEST_CASE("static coordinates of static shapes have static indices", "[core][coordinates]") {
  STATIC_REQUIRE(std::is_same_v<decltype(crd2idx(Coord<_1, _2>{}, Shape<_4, _3>{})), Int<9>>);
  STATIC_REQUIRE(std::is_same_v<decltype(idx2crd(_9{}, Shape<_4, _3>{})), Coord<_1, _2>>);
  STATIC_REQUIRE(std::is_same_v<decltype(crd2idx(_0{}, make_shape(4, 5), make_stride(1, 4))), _0>);
}

TEST_CASE("the last mode of an index runs past its size", "[core][coordinates]") {
  CHECK(idx2crd(13, Shape<_4, _3>{}) == make_coord(1, 3));
  CHECK(crd2idx(13, Shape<_4, _3>{}, Stride<_1, _10>{}) == 31);
  CHECK(crd2idx(make_coord(5, 0), Shape<_4, _3>{}, Stride<_2, _10>{}) == 10);
}

TEST_CASE("idx2crd with packed strides inverts crd2idx with them", "[core][coordinates]") {
  constexpr Shape<_4, _1, _3> shape{};
  constexpr Stride<_3, _0, _1> stride{};
  for (int i = 0; i < 12; ++i) {
    CHECK(crd2idx(idx2crd(i, shape, stride), shape, stride) == i);
  }
}

TEST_CASE("crd2crd keeps the index", "[core][coordinates]") {
  for (int i = 0; i < 24; ++i) {
    auto const to = crd2crd(idx2crd(i, Shape<_4, _6>{}), Shape<_4, _6>{}, Shape<_2, Shape<_6, _2>>{});
    CHECK(to == crd2crd(idx2crd(i, Shape<_4, _6>{}), Shape<_4, _6>{}, Shape<_2, Shape<_6, _2>>{}));
  }
  CHECK(crd2crd(make_coord(3, 5), make_shape(make_shape(2, 2), 6), make_shape(4, make_shape(3, 2))) ==
        make_coord(3, make_coord(2, 1)));
  CHECK(crd2crd(7, Shape<_4, _6>{}, Shape<_8, _3>{}) == make_coord(7, 0));
}

TEST_CASE("index and coordinate are inverses for any run-time shape", "[core][coordinates]") {
  CHECK(rc::check([] {
    auto const extent = [] { return *rc::gen::inRange(1, 20); };
    auto const shape = make_shape(extent(), make_shape(extent(), extent()), extent());
    int const index = *rc::gen::inRange(0, size(shape));
    auto const coord = idx2crd(index, shape);
    RC_ASSERT(crd2idx(coord, shape) == index);
    RC_ASSERT(elem_less(coord, shape));
  }));
}

TEST_CASE("offsets past 2^31 are right", "[core][coordinates]") {
  CHECK(crd2idx(make_coord(70000, 3), make_shape(80000, 5), make_stride(std::int64_t{80000}, 1)) == 5600000003LL);
}
