#include <tilestep/core/int_tuple.hpp>   // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {
constexpr Shape<Shape<Shape<_2, _2>, _3>, Shape<_4, _3>> nested{};

template <class A, class B>
constexpr bool same(A const&, B const&) {
  return std::is_same_v<A, B>;
}
}  // namespace

TEST_CASE("rank, depth and size measure a shape and its modes", "[core][int_tuple]") {
  STATIC_REQUIRE(same(rank(nested), _2{}));
  STATIC_REQUIRE(same(depth(nested), _3{}));
  STATIC_REQUIRE(same(depth(Shape<Shape<_2, _3>, Shape<_4, Shape<_2, _2>>>{}), _3{}));
  STATIC_REQUIRE(same(size(nested), Int<144>{}));
  STATIC_REQUIRE(same(size<0, 0>(nested), _4{}));
  STATIC_REQUIRE(same(rank<0>(nested), _2{}));
  STATIC_REQUIRE(same(depth<1>(nested), _1{}));
  STATIC_REQUIRE(same(shape<0, 1>(nested), _3{}));
  STATIC_REQUIRE(same(size(Tuple<>{}), _1{}));
  CHECK(size(make_shape(5, _3{})) == 15);
}

TEST_CASE("a scalar has rank 1 and depth 0", "[core][int_tuple]") {
  STATIC_REQUIRE(same(rank(7), _1{}));
  STATIC_REQUIRE(same(depth(7), _0{}));
  CHECK(size(7) == 7);
}

TEST_CASE("products, sums and extremes run over the leaves", "[core][int_tuple]") {
  STATIC_REQUIRE(same(product_each(nested), Shape<_12, _12>{}));
  STATIC_REQUIRE(same(product_like(nested, Shape<Shape<_1, _1>, _1>{}), Shape<Shape<_4, _3>, _12>{}));
  STATIC_REQUIRE(same(sum(nested), Int<14>{}));
  STATIC_REQUIRE(same(inner_product(Shape<_2, _3>{}, Shape<_4, _5>{}), Int<23>{}));
  STATIC_REQUIRE(same(min(nested), _2{}));
  STATIC_REQUIRE(same(max(nested, Int<9>{}), _9{}));
  CHECK(min(3, _2{}, 5) == 2);
  CHECK(max(make_tuple(3, 8), 5) == 8);
}

TEST_CASE("ceil_div, round_up and shape_div divide shapes", "[core][int_tuple]") {
  STATIC_REQUIRE(same(ceil_div(Shape<_9, Shape<_8, _5>>{}, Shape<_4, Shape<_3, _5>>{}), Shape<_3, Shape<_3, _1>>{}));
  STATIC_REQUIRE(same(ceil_div(Shape<_6, _8>{}, _4{}), Shape<_2, _8>{}));
  STATIC_REQUIRE(same(ceil_div(Shape<_6, _8>{}, Shape<_4>{}), Shape<_2, _8>{}));
  STATIC_REQUIRE(same(ceil_div(Int<100>{}, Shape<_4, _5>{}), Int<5>{}));
  STATIC_REQUIRE(same(round_up(Shape<_9, _8>{}, Shape<_4, _3>{}), Shape<_12, _9>{}));
  STATIC_REQUIRE(same(shape_div(Shape<_4, _5, _6>{}, Int<40>{}), Shape<_1, _1, _3>{}));
  CHECK(ceil_div(1000, 128) == 8);
  CHECK(round_up(129, _16{}) == 144);
  CHECK(round_up(128, _16{}) == 128);
  CHECK(round_up(0, _16{}) == 0);
}

TEST_CASE("congruent compares trees, compatible also sizes", "[core][int_tuple]") {
  STATIC_REQUIRE(congruent(Shape<_1, Shape<_2, _3>>{}, Shape<_4, Shape<_5, _6>>{}));
  STATIC_REQUIRE(!congruent(Shape<_1, _6>{}, Shape<_4, Shape<_5, _6>>{}));
  STATIC_REQUIRE(weakly_congruent(Shape<_1, _6>{}, Shape<_4, Shape<_5, _6>>{}));
  STATIC_REQUIRE(!weakly_congruent(Shape<_4, Shape<_5, _6>>{}, Shape<_1, _6>{}));
  STATIC_REQUIRE(compatible(Shape<_4, _6>{}, Shape<_4, Shape<_2, _3>>{}));
  STATIC_REQUIRE(compatible(Int<24>{}, Shape<_4, Shape<_2, _3>>{}));
  STATIC_REQUIRE(!compatible(Shape<_4, Shape<_2, _3>>{}, Shape<_4, _6>{}));
  STATIC_REQUIRE(!compatible(Shape<_4, _6>{}, Shape<_4, Shape<_2, _4>>{}));
  CHECK(compatible(make_shape(6), make_shape(make_shape(2, 3))));
}

TEST_CASE("evenly_divides asks for whole tiles", "[core][int_tuple]") {
  STATIC_REQUIRE(evenly_divides(Shape<_8, _6>{}, Shape<_4, _3>{}));
  STATIC_REQUIRE(!evenly_divides(Shape<_8, _7>{}, Shape<_4, _3>{}));
  STATIC_REQUIRE(!evenly_divides(Shape<_8>{}, Shape<_4, _3>{}));
}

TEST_CASE("elem_less holds only if every leaf is less", "[core][int_tuple]") {
  CHECK(elem_less(make_coord(3, 5), make_shape(4, 6)));
  CHECK_FALSE(elem_less(make_coord(3, 6), make_shape(4, 6)));
  CHECK_FALSE(elem_less(make_coord(4, 5), make_shape(4, 6)));
  CHECK(elem_less(make_coord(3, make_coord(1, 2)), make_shape(4, Shape<_2, _3>{})));
}

TEST_CASE("filter_zeros puts a 1 where a static 0 stands", "[core][int_tuple]") {
  STATIC_REQUIRE(
      same(filter_zeros(Stride<_0, Stride<_1, _0>>{}, Shape<_4, Shape<_5, _6>>{}), Shape<_1, Shape<_5, _1>>{}));
}
