#include <tilestep/layout/print.hpp>     // to_string
#include <tilestep/layout/sort.hpp>      // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("modes are sorted by their static strides", "[layout][sort]") {
  STATIC_REQUIRE(std::is_same_v<detail::sorted_modes<Stride<_8, _1, _4>>, seq<1, 2, 0>>);
  STATIC_REQUIRE(std::is_same_v<detail::sorted_modes<Stride<_8, int, _4>>, seq<2, 0>>);
  STATIC_REQUIRE(std::is_same_v<detail::sorted_modes<Stride<int>>, seq<>>);
  CHECK(to_string(detail::sorted_by_stride(Layout<Shape<_2, _3, _4>, Stride<_12, _1, _3>>{})) ==
        "(_3,_4,_2):(_1,_3,_12)");
  CHECK(to_string(detail::sorted_by_stride(make_layout(4, 5))) == "(4):(5)");
}
