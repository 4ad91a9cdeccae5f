#include <tilestep/core/print.hpp>       // to_string
#include <tilestep/layout/compact.hpp>   // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("packed strides multiply the faster sizes", "[layout][compact]") {
  CHECK(to_string(compact_major<LayoutLeft>(make_shape(_4{}, make_shape(5, _6{})))) == "(_1,(_4,20))");
  CHECK(to_string(compact_major<LayoutRight>(make_shape(_4{}, make_shape(5, _6{})))) == "(30,(_6,_1))");
  CHECK(to_string(compact_major<LayoutLeft>(Shape<_4, _5>{}, _3{})) == "(_3,_12)");
  CHECK(to_string(compact_major<LayoutLeft>(Shape<Shape<_2, _2>, _5>{}, Stride<_8, _1>{})) == "((_8,_16),_1)");
}

TEST_CASE("a mode of static size 1 has stride 0", "[layout][compact]") {
  CHECK(to_string(compact_major<LayoutLeft>(Shape<_1, _4, _1>{})) == "(_0,_1,_0)");
  CHECK(to_string(compact_major<LayoutLeft>(make_shape(1, 4))) == "(_1,1)");
}

TEST_CASE("an order numbers the modes from fastest to slowest", "[layout][compact]") {
  CHECK(to_string(compact_order(Shape<_2, _3, _4>{}, Step<_3, _1, _2>{})) == "(_12,_1,_3)");
  CHECK(to_string(compact_order(Shape<Shape<_2, _3>, _4>{}, Step<_2, _1>{})) == "((_4,_8),_1)");
  CHECK(to_string(compact_order(Shape<_2, _3>{}, LayoutRight{})) == "(_3,_1)");
}
