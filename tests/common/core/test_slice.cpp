#include <tilestep/core/coordinates.hpp>  // an underscore in a coordinate
#include <tilestep/core/slice.hpp>        // tested here

#include <catch2/catch_test_macros.hpp>   // TEST_CASE

using namespace tilestep;

namespace {
template <class A, class B>
constexpr bool same(A const&, B const&) {
  return std::is_same_v<A, B>;
}
constexpr Shape<_4, Shape<_3, _2>, _5> tree{};
}  // namespace

TEST_CASE("slice keeps what stands at an underscore, dice the rest", "[core][slice]") {
  auto const coord = make_coord(1, make_coord(_, 0), _);
  STATIC_REQUIRE(same(slice(coord, tree), Shape<_3, _5>{}));
  STATIC_REQUIRE(same(dice(coord, tree), Shape<_4, _2>{}));
  STATIC_REQUIRE(same(slice(make_coord(1, _, 2), tree), Shape<Shape<_3, _2>>{}));
  STATIC_REQUIRE(same(slice(_, tree), tree));
  STATIC_REQUIRE(same(dice(3, tree), tree));
}

TEST_CASE("an underscore counts as coordinate 0", "[core][slice]") {
  CHECK(crd2idx(make_coord(_, 2), Shape<_4, _3>{}, Stride<_3, _1>{}) == 2);
}

TEST_CASE("has_underscore looks into nested coordinates", "[core][slice]") {
  STATIC_REQUIRE(has_underscore_v<Coord<int, Coord<Underscore, int>>>);
  STATIC_REQUIRE(!has_underscore_v<Coord<int, Coord<int>>>);
}
