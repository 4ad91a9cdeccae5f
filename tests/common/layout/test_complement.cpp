#include <tilestep/layout/complement.hpp>  // tested here
#include <tilestep/layout/print.hpp>       // to_string

#include <catch2/catch_test_macros.hpp>    // TEST_CASE
#include "tables.hpp"                      // layouts to try

#include <set>                             // set

using namespace tilestep;

TEST_CASE("a layout and its complement share no offset but 0 and fill the target", "[layout][complement]") {
  for_each(tables::injective(), [](auto const& layout) {
    for (int const target : {24, 48, 96}) {
      auto const rest = complement(layout, target);
      INFO(to_string(layout) << " leaves out " << to_string(rest) << " of " << target);
      std::set<int> offsets;
      for (int i = 0; i < int(size(layout)); ++i) {
        for (int j = 0; j < int(size(rest)); ++j) offsets.insert(int(layout(i)) + int(rest(j)));
      }
      CHECK(int(offsets.size()) == size(layout) * size(rest));
      for (int k = 0; k < target; ++k) CHECK(offsets.count(k) == 1);
    }
  });
}

TEST_CASE("the offsets of a complement increase", "[layout][complement]") {
  for_each(tables::injective(), [](auto const& layout) {
    auto const rest = complement(layout, _96{});
    INFO(to_string(layout) << " leaves out " << to_string(rest));
    for (int i = 1; i < int(size(rest)); ++i) CHECK(rest(i - 1) < rest(i));
  });
}

TEST_CASE("complements are static where the layout is", "[layout][complement]") {
  STATIC_REQUIRE(std::is_same_v<decltype(complement(Layout<_4>{})), Layout<_1, _0>>);
  STATIC_REQUIRE(std::is_same_v<decltype(complement(Layout<_4, _2>{})), Layout<_2, _1>>);
  STATIC_REQUIRE(std::is_same_v<decltype(complement(Layout<Shape<_2, _2>, Stride<_1, _6>>{}, _24{})),
                                Layout<Shape<_3, _2>, Stride<_2, _12>>>);
  CHECK(to_string(complement(make_layout(_4{}, 8), 100)) == "(8,4):(_1,32)");
}
