#include <tilestep/layout/composition.hpp>  // tested here
#include <tilestep/layout/print.hpp>        // to_string

#include <catch2/catch_test_macros.hpp>     // TEST_CASE
#include <rapidcheck.h>                     // properties over run-time layouts
#include "tables.hpp"                       // layouts to try

using namespace tilestep;

TEST_CASE("composition asks rhs first, then lhs", "[layout][composition]") {
  auto const tilers = make_tuple(Layout<_12>{}, Layout<_4, _2>{}, Layout<Shape<_2, _3>, Stride<_1, _4>>{},
                                 Layout<Shape<_2, _2>, Stride<_2, _12>>{}, Layout<_4, _0>{},
                                 Layout<Shape<Shape<_2, _1>, _2>, Stride<Stride<_4, _8>, _2>>{});
  auto const lhs = make_tuple(Layout<_24>{}, Layout<Shape<_4, _6>, Stride<_6, _1>>{},
                              Layout<Shape<Shape<_2, _2>, _6>, Stride<Stride<Int<20>, _40>, _3>>{},
                              make_layout(Shape<_4, _6>{}, make_stride(7, _1{})),
                              make_layout(make_shape(_4{}, 6), make_stride(_1{}, 9)));
  for_each(lhs, [&](auto const& a) {
    for_each(tilers, [&](auto const& b) {
      auto const result = composition(a, b);
      INFO(to_string(a) << " o " << to_string(b) << " = " << to_string(result));
      CHECK(size(result) == size(b));
      CHECK(compatible(b.shape(), result.shape()));
      for (int i = 0; i < int(size(b)); ++i) CHECK(result(i) == a(b(i)));
    });
  });
}

TEST_CASE("composition is known at compile time for static layouts", "[layout][composition]") {
  using Result =
      decltype(composition(Layout<Shape<_6, _2>, Stride<_8, _2>>{}, Layout<Shape<_4, _3>, Stride<_3, _1>>{}));
  STATIC_REQUIRE(std::is_same_v<Result, Layout<Shape<Shape<_2, _2>, _3>, Stride<Stride<_24, _2>, _8>>>);
}

TEST_CASE("the last mode of lhs goes on without end", "[layout][composition]") {
  CHECK(to_string(composition(Layout<Shape<_4, _2>, Stride<_1, _10>>{}, Layout<_16>{})) == "(_4,_4):(_1,_10)");
  CHECK(to_string(composition(Layout<Shape<_4, _1>, Stride<_1, _10>>{}, Layout<_8>{})) == "(_4,_2):(_1,_10)");
}

TEST_CASE("a tuple composes by mode and drops the modes past it", "[layout][composition]") {
  constexpr Layout<Shape<_8, _6, _5>> layout{};
  CHECK(to_string(composition(layout, make_tile(_4{}, Layout<_3, _2>{}))) == "(_4,_3):(_1,_16)");
  CHECK(to_string(composition(layout, make_tile(_, _2{}, _))) == "(_8,_2,_5):(_1,_8,_48)");
}

TEST_CASE("composition of run-time layouts is right wherever sizes and strides divide", "[layout][composition]") {
  CHECK(rc::check([] {
    auto const factor = [] { return *rc::gen::inRange(1, 7); };
    int const s0 = factor(), s1 = factor(), t0 = factor(), t1 = factor();
    auto const a =
        make_layout(make_shape(s0 * s1, t0 * t1), make_stride(*rc::gen::inRange(0, 50), *rc::gen::inRange(0, 50)));
    auto const b = make_layout(make_shape(make_shape(s1, t0), t1), make_stride(make_stride(s0, s0 * s1), s0 * s1 * t0));
    auto const result = composition(a, b);
    for (int i = 0; i < size(b); ++i) RC_ASSERT(result(i) == a(b(i)));
  }));
}

TEST_CASE("composition walks backwards where the strides of rhs are below zero", "[layout][composition]") {
  Layout<Shape<_4, _3>, Stride<_1, _10>> const lhs{};
  CHECK(to_string(composition(lhs, Layout<_4, Int<-1>>{})) == "_4:_-1");
  CHECK(to_string(composition(lhs, Layout<_2, Int<-2>>{})) == "_2:_-2");
  CHECK(to_string(composition(lhs, Layout<_3, Int<-4>>{})) == "_3:_-10");
  auto const check = [](auto const& a, auto const& b) {
    auto const result = composition(a, b);
    for (int i = 0; i < int(size(b)); ++i) CHECK(int(result(i)) == int(a(b(i))));
  };
  check(lhs, Layout<Shape<_4, _3>, Stride<Int<-1>, Int<-4>>>{});
  check(make_layout(make_shape(4, 3), make_stride(1, 10)), make_layout(make_shape(4, 3), make_stride(-1, -4)));
  check(make_layout(make_shape(6, 5), make_stride(7, 50)), make_layout(make_shape(make_shape(2, 5), 3),
                                                                       make_stride(make_stride(-3, -6), -1)));
  check(make_layout(make_shape(2, 3, 4), make_stride(40, 1, 5)), make_layout(12, -2));
}

TEST_CASE("a right layout of coordinates leads along the modes of the left one", "[layout][composition]") {
  constexpr Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>> lhs{};
  constexpr Layout<Shape<_3, _4>, Stride<E<1, 1>, E<0>>> rhs{};
  CHECK(to_string(composition(lhs, rhs)) == "(_3,_4):(_1,_6)");
  CHECK(to_string(composition(lhs, make_identity_layout(Shape<_4, Shape<_2, _3>>{}))) == to_string(lhs));
  constexpr Layout<Shape<_4, _6>, Stride<_6, _1>> rows{};
  constexpr Layout<Shape<_3, _2>, Stride<ScaledBasis<_2, 1>, ScaledBasis<_2, 0>>> steps{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) CHECK(composition(rows, steps)(i, j) == rows(steps(i, j)));
  }
}
