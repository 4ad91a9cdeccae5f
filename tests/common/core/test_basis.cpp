#include <tilestep/core/basis.hpp>        // tested here
#include <tilestep/core/coordinates.hpp>  // crd2idx with directions as strides

#include <catch2/catch_test_macros.hpp>   // TEST_CASE

using namespace tilestep;

TEST_CASE("directions as strides give coordinates back", "[core][basis]") {
  constexpr Shape<_4, Shape<_3, _2>> shape{};
  constexpr auto directions = make_basis_like(shape);
  STATIC_REQUIRE(std::is_same_v<remove_cvref_t<decltype(directions)>, Stride<E<0>, Stride<E<1, 0>, E<1, 1>>>>);
  for (int i = 0; i < 24; ++i) {
    CHECK(crd2idx(i, shape, directions) == idx2crd(i, shape));
  }
}

TEST_CASE("a direction scales, adds and becomes a coordinate", "[core][basis]") {
  CHECK(as_coordinate(E<1>{} * 5) == make_coord(_0{}, 5));
  CHECK(as_coordinate(3 * E<1, 0>{}) == make_coord(_0{}, make_coord(3)));
  CHECK(E<0>{} * 2 + E<1>{} * 7 == make_coord(2, 7));
  CHECK(make_coord(1, 1) + E<1>{} * 7 == make_coord(1, 8));
  CHECK(make_coord(1, 1) + make_coord(2, 3, 4) == make_coord(3, 4, 4));
  CHECK(E<0>{} * 2 + _0{} == E<0>{} * 2);
}

TEST_CASE("directions are equal if mode and length are", "[core][basis]") {
  STATIC_REQUIRE(E<0>{} == E<0>{});
  STATIC_REQUIRE(!(E<0>{} == E<1>{}));
  STATIC_REQUIRE(!(E<0>{} == _1{}));
  STATIC_REQUIRE(std::is_empty_v<E<0>>);
}
