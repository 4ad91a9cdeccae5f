#include <tilestep/layout/print.hpp>     // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("a layout prints as CuTe prints it", "[layout][print]") {
  CHECK(to_string(Layout<Shape<Shape<_2, _3>, Shape<_5, _4>>, Stride<Stride<_5, _10>, Stride<_1, Int<30>>>>{}) ==
        "((_2,_3),(_5,_4)):((_5,_10),(_1,_30))");
  CHECK(to_string(make_layout(make_shape(7, _4{}))) == "(7,_4):(_1,7)");
  CHECK(to_string(Layout<_4>{}) == "_4:_1");
  CHECK(to_string(composition(Swizzle<2, 3, 3>{}, Layout<_64>{})) == "Sw<2,3,3> o _0 o _64:_1");
  CHECK(to_string(make_identity_layout(make_shape(4, _3{}))) == "(4,_3):(_1@0,_1@1)");
}
