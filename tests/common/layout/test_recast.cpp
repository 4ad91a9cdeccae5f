#include <tilestep/layout/print.hpp>     // to_string
#include <tilestep/layout/recast.hpp>    // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {
template <class L>
constexpr int last_offset(L const& layout) {
  return int(layout(size(layout) - Int<1>{}));
}
}  // namespace

TEST_CASE("upcast joins neighbours, downcast splits elements", "[layout][recast]") {
  CHECK(to_string(upcast<8>(Layout<Shape<_64, _32>>{})) == "(_8,_32):(_1,_8)");
  CHECK(to_string(upcast<4>(Layout<Shape<_8, _2>, Stride<_1, _2>>{})) == "(_2,_1):(_1,_1)");
  CHECK(to_string(upcast<4>(make_layout(make_shape(5, _8{}), make_stride(64, _1{})))) == "(5,_2):(16,_1)");
  CHECK(to_string(downcast<8>(Layout<Shape<_8, _32>>{})) == "(_64,_32):(_1,_64)");
}

TEST_CASE("downcast undoes upcast", "[layout][recast]") {
  constexpr Layout<Shape<_16, Shape<_4, _2>>, Stride<_1, Stride<_32, _16>>> layout{};
  STATIC_REQUIRE(downcast<4>(upcast<4>(layout)) == layout);
  STATIC_REQUIRE(last_offset(upcast<4>(layout)) == last_offset(layout) / 4);
}

TEST_CASE("recast_layout takes types or bits", "[layout][recast]") {
  constexpr Layout<Shape<_64, _8>> layout{};
  STATIC_REQUIRE(recast_layout<char, std::int32_t>(layout) == upcast<4>(layout));
  STATIC_REQUIRE(recast_layout<std::int64_t, std::int16_t>(layout) == downcast<4>(layout));
  STATIC_REQUIRE(recast_layout<float, std::int32_t>(layout) == layout);
  STATIC_REQUIRE(recast_layout<16, 24>(Layout<_6>{}) == downcast<2>(upcast<3>(Layout<_6>{})));
}
