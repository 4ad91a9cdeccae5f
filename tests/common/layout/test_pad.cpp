#include <tilestep/layout/pad.hpp>       // tested here
#include <tilestep/layout/print.hpp>     // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE
#include <rapidcheck.h>                  // properties over run-time layouts

using namespace tilestep;

TEST_CASE("pad rounds every mode up to the tile and keeps the layout inside", "[layout][pad]") {
  CHECK(rc::check([] {
    int const m = *rc::gen::inRange(1, 200), n = *rc::gen::inRange(1, 200);
    auto const layout = make_layout(make_shape(m, n), make_stride(n + 3, _1{}));
    auto const padded = pad(layout, make_tile(_16{}, _8{}));
    RC_ASSERT(size<0>(padded) == (m + 15) / 16 * 16);
    RC_ASSERT(size<1>(padded) == (n + 7) / 8 * 8);
    int const i = *rc::gen::inRange(0, m), j = *rc::gen::inRange(0, n);
    RC_ASSERT(padded(i, j) == layout(i, j));
  }));
}

TEST_CASE("pad is static where layout and tile are, and leaves modes alone at an underscore", "[layout][pad]") {
  CHECK(to_string(pad(Layout<Shape<Int<129>, Int<67>>>{}, make_tile(_16{}, _8{}))) == "(_144,_72):(_1,_129)");
  CHECK(to_string(pad(Layout<Shape<_9, _5, _7>>{}, make_tile(_, _4{}))) == "(_9,_8,_7):(_1,_9,_45)");
  CHECK(to_string(pad(Layout<Shape<_16, _4>>{}, make_tile(_16{}, _8{}))) == "(_16,_8):(_1,_16)");
  CHECK(to_string(pad(Layout<Shape<_6, Shape<_2, _3>>>{}, make_tile(_4{}, _4{}))) == "(_8,(_2,_4)):(_1,(_6,_12))");
  // 3 x 5: the second part must be a multiple of 4, so that the whole is one
  CHECK(to_string(pad(Layout<Shape<_6, Shape<_3, _5>>>{}, make_tile(_, _4{}))) == "(_6,(_3,_8)):(_1,(_6,_18))");
  // 2 x 5: six are enough, since 2 x 6 is a multiple of 4
  CHECK(to_string(pad(Layout<Shape<_6, Shape<_2, _5>>>{}, make_tile(_, _4{}))) == "(_6,(_2,_6)):(_1,(_6,_12))");
}

TEST_CASE("unmerge splits a mode and puts the parts in their places", "[layout][pad]") {
  constexpr Layout<Shape<_128, _32>, Stride<_32, _1>> layout{};   // (M,K)
  constexpr auto split = unmerge<1>(layout, Shape<_4, _8>{}, Step<_1, Step<_0, _2>>{});
  CHECK(to_string(split) == "(_4,_128,_8):(_8,_32,_1)");
  for (int m = 0; m < 128; ++m) {
    for (int k = 0; k < 32; ++k) CHECK(split(k / 8, m, k % 8) == layout(m, k));
  }
}

TEST_CASE("unmerge takes run-time lengths", "[layout][pad]") {
  auto const layout = make_layout(make_shape(24, 10));
  auto const split = unmerge<0>(layout, make_shape(4, 3, 2), Step<Step<_3, _0, _2>, _1>{});
  for (int i = 0; i < 24; ++i) CHECK(split(i / 2 % 3, 7, i % 2, i / 6) == layout(i, 7));
}
