#include <tilestep/layout/print.hpp>      // to_string
#include <tilestep/layout/rearrange.hpp>  // tested here

#include <catch2/catch_test_macros.hpp>   // TEST_CASE

using namespace tilestep;

namespace {
constexpr Layout<Shape<_2, Shape<_3, _4>, _5>, Stride<_1, Stride<_2, _6>, _24>> layout{};
}

TEST_CASE("modes can be picked, nested and flattened", "[layout][rearrange]") {
  CHECK(to_string(take<1, 3>(layout)) == "((_3,_4),_5):((_2,_6),_24)");
  CHECK(to_string(select<2, 0>(layout)) == "(_5,_2):(_24,_1)");
  CHECK(to_string(flatten(layout)) == "(_2,_3,_4,_5):(_1,_2,_6,_24)");
  CHECK(unflatten(flatten(layout), layout.shape()) == layout);
  CHECK(to_string(group<0, 2>(layout)) == "((_2,(_3,_4)),_5):((_1,(_2,_6)),_24)");
  CHECK(to_string(group_modes<1, -1>(layout)) == "(_2,((_3,_4),_5)):(_1,((_2,_6),_24))");
  CHECK(to_string(replace<1>(layout, Layout<_7>{})) == "(_2,_7,_5):(_1,_1,_24)");
}

TEST_CASE("modes can be added at the ends", "[layout][rearrange]") {
  CHECK(to_string(append(Layout<_4>{}, Layout<_3, _4>{})) == "(_4,_3):(_1,_4)");
  CHECK(to_string(prepend(Layout<_4>{}, Layout<_3, _4>{})) == "(_3,_4):(_4,_1)");
  CHECK(to_string(append<3>(Layout<_4>{})) == "(_4,_1,_1):(_1,_0,_0)");
  CHECK(to_string(prepend<3>(Layout<_4>{})) == "(_1,_1,_4):(_0,_0,_1)");
}

TEST_CASE("zip pairs modes, transform_modes leaves the ones past the tuple", "[layout][rearrange]") {
  CHECK(to_string(zip(Layout<Shape<_2, _3>>{}, Layout<Shape<_4, _5>>{})) == "((_2,_4),(_3,_5)):((_1,_1),(_2,_4))");
  auto const taken = transform_modes(layout, Tuple<_1>{}, [](auto const&, auto const&) { return Layout<_9>{}; });
  CHECK(to_string(taken) == "(_9,(_3,_4),_5):(_1,(_2,_6),_24)");
}
