#include <tilestep/layout/inverse.hpp>   // tested here
#include <tilestep/layout/print.hpp>     // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE
#include "tables.hpp"                    // layouts to try

using namespace tilestep;

TEST_CASE("a right inverse finds the index of each offset up to the first gap", "[layout][inverse]") {
  for_each(tables::injective(), [](auto const& layout) {
    auto const inverse = right_inverse(layout);
    INFO(to_string(layout) << " has the right inverse " << to_string(inverse));
    for (int i = 0; i < int(size(inverse)); ++i) CHECK(layout(inverse(i)) == i);
  });
  CHECK(to_string(right_inverse(Layout<Shape<_4, _2>, Stride<_1, _8>>{})) == "_4:_1");
  CHECK(to_string(right_inverse(Layout<Shape<_3, _4>, Stride<_4, _1>>{})) == "(_4,_3):(_3,_1)");
  CHECK(to_string(right_inverse(make_layout(make_shape(_4{}, 5), make_stride(_1{}, 7)))) == "_4:_1");
}

TEST_CASE("a left inverse recovers the index from the offset", "[layout][inverse]") {
  auto const layouts = make_tuple(Layout<_12>{}, Layout<_4, _2>{}, Layout<Shape<_4, _2>, Stride<_1, _8>>{},
                                  Layout<Shape<_3, _4>, Stride<_4, _1>>{}, Layout<Shape<_2, _3>, Stride<_8, _16>>{},
                                  Layout<Shape<_2, Shape<_2, _3>>, Stride<_6, Stride<_12, _2>>>{});
  for_each(layouts, [](auto const& layout) {
    auto const inverse = left_inverse(layout);
    INFO(to_string(layout) << " has the left inverse " << to_string(inverse));
    for (int i = 0; i < int(size(layout)); ++i) CHECK(inverse(layout(i)) == i);
  });
}

TEST_CASE("a left inverse of a repeating layout gives an index with the same offset", "[layout][inverse]") {
  constexpr Layout<Shape<_3, _4>, Stride<_0, _2>> layout{};
  constexpr auto inverse = left_inverse(layout);
  for (int i = 0; i < 12; ++i) CHECK(layout(inverse(layout(i))) == layout(i));
}

TEST_CASE("the common vector of two layouts is contiguous in both", "[layout][inverse]") {
  constexpr Layout<Shape<_8, _16, _4>, Stride<_1, _32, _8>> a{};
  constexpr Layout<Shape<_8, _32, _4>, Stride<_1, _32, _8>> b{};
  constexpr auto common = max_common_layout(a, b);
  STATIC_REQUIRE(max_common_vector(a, b) == 8);
  for (int i = 0; i < int(size(common)); ++i) {
    CHECK(a(common(i)) == i);
    CHECK(b(common(i)) == i);
  }
  CHECK(max_common_vector(Layout<Shape<_4, _4>>{}, Layout<Shape<_4, _4>, Stride<_4, _1>>{}) == 1);
  CHECK(max_common_vector(make_layout(make_shape(16)), make_layout(make_shape(16))) == 1);
}

TEST_CASE("the nullspace is what a layout maps to 0", "[layout][inverse]") {
  constexpr Layout<Shape<_2, Shape<_4, _3>>, Stride<_0, Stride<_1, _0>>> layout{};
  constexpr auto zeros = nullspace(layout);
  CHECK(to_string(zeros) == "(_2,_3):(_1,_8)");
  for (int i = 0; i < int(size(zeros)); ++i) CHECK(layout(zeros(i)) == 0);
  CHECK(to_string(nullspace(Layout<_4>{})) == "_1:_0");
}
