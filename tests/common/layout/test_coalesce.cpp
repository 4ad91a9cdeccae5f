#include <tilestep/layout/coalesce.hpp>  // tested here
#include <tilestep/layout/print.hpp>     // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE
#include "tables.hpp"                    // layouts to try

using namespace tilestep;

TEST_CASE("coalesce is the same function of an index", "[layout][coalesce]") {
  for_each(tables::layouts(), [](auto const& layout) {
    auto const result = coalesce(layout);
    INFO(to_string(layout));
    CHECK(size(result) == size(layout));
    CHECK(depth(result) <= 1);
    for (int i = 0; i < int(size(layout)); ++i) CHECK(result(i) == layout(i));
  });
}

TEST_CASE("coalesce joins modes that continue one another", "[layout][coalesce]") {
  CHECK(to_string(coalesce(Layout<Shape<_2, Shape<_1, _6>>, Stride<_1, Stride<_6, _2>>>{})) == "_12:_1");
  CHECK(to_string(coalesce(make_layout(make_shape(_2{}, 5, _3{}, _4{})))) == "(_2,5,_3,_4):(_1,_2,10,30)");
  CHECK(to_string(coalesce(Layout<Shape<_2, _3>, Stride<_3, _1>>{})) == "(_2,_3):(_3,_1)");
  CHECK(to_string(coalesce(Layout<Shape<_1, _1>, Stride<_7, _9>>{})) == "_1:_0");
}

TEST_CASE("coalesce by profile stays inside the modes", "[layout][coalesce]") {
  constexpr Layout<Shape<_2, Shape<_1, _6>>, Stride<_1, Stride<_6, _2>>> layout{};
  CHECK(to_string(coalesce(layout, Step<_1, _1>{})) == "(_2,_6):(_1,_2)");
}

TEST_CASE("a shape coalesces where neighbours are of a kind", "[layout][coalesce]") {
  CHECK(to_string(coalesce(make_shape(_2{}, _3{}, 4, 5, _6{}))) == "(_6,20,_6)");
  CHECK(to_string(coalesce(Shape<_2, Shape<_3, _4>>{})) == "_24");
}

TEST_CASE("filter counts repeated elements once", "[layout][coalesce]") {
  CHECK(to_string(filter_zeros(Layout<Shape<_2, _4>, Stride<_0, _1>>{})) == "(_1,_4):(_0,_1)");
  CHECK(to_string(filter(Layout<Shape<_2, _4, _3>, Stride<_0, _1, _4>>{})) == "_12:_1");
  CHECK(to_string(filter(Layout<Shape<_2, Shape<_4, _3>>, Stride<_0, Stride<_1, _4>>>{}, Step<_1, _1>{})) ==
        "(_1,_12):(_0,_1)");
}
