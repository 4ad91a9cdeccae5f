#include <tilestep/layout/layout.hpp>    // tested here
#include <tilestep/layout/print.hpp>     // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {
template <class A, class B>
constexpr bool same(A const&, B const&) {
  return std::is_same_v<A, B>;
}
}  // namespace

TEST_CASE("an index walks modes of more than 46340 elements", "[layout]") {
  auto const layout = make_layout(make_shape(_65536{}, _2{}), make_stride(_2{}, _1{}));
  int const i = 65537;
  CHECK(layout(i) == 3);
}

TEST_CASE("a layout without strides is packed, leftmost fastest", "[layout]") {
  STATIC_REQUIRE(
      same(make_layout(Shape<_4, Shape<_2, _3>>{}), Layout<Shape<_4, Shape<_2, _3>>, Stride<_1, Stride<_4, _8>>>{}));
  STATIC_REQUIRE(same(make_layout(Shape<_4, _1, _3>{}), Layout<Shape<_4, _1, _3>, Stride<_1, _0, _4>>{}));
  STATIC_REQUIRE(same(Layout<Shape<_4, _3>>{}, make_layout(Shape<_4, _3>{}, LayoutLeft{})));
  STATIC_REQUIRE(same(make_layout(Shape<_4, Shape<_2, _3>>{}, LayoutRight{}),
                      Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>>{}));
  CHECK(to_string(make_layout(make_shape(5, _3{}))) == "(5,_3):(_1,5)");
}

TEST_CASE("a layout takes flat, nested and 1-D coordinates", "[layout]") {
  auto const layout = make_layout(make_shape(_4{}, make_shape(2, _3{})), make_stride(6, make_stride(_3{}, _1{})));
  int index = 0;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 4; ++i, ++index) {
        int const offset = 6 * i + 3 * j + k;
        CHECK(layout(index) == offset);
        CHECK(layout(i, j + 2 * k) == offset);
        CHECK(layout(i, make_coord(j, k)) == offset);
        CHECK(layout(make_coord(i, make_coord(j, k))) == offset);
      }
    }
  }
}

TEST_CASE("static coordinates of a static layout give a static offset", "[layout]") {
  constexpr Layout<Shape<_4, _3>, Stride<_3, _1>> layout{};
  STATIC_REQUIRE(same(layout(_2{}, _1{}), Int<7>{}));
  STATIC_REQUIRE(same(layout(_6{}), Int<7>{}));
  STATIC_REQUIRE(layout(2, 1) == 7);
}

TEST_CASE("an underscore slices", "[layout]") {
  auto const layout = make_layout(make_shape(_4{}, make_shape(_2{}, 3)), make_stride(_6{}, make_stride(_3{}, _1{})));
  CHECK(to_string(layout(2, _)) == "((_2,3)):((_3,_1))");
  CHECK(to_string(layout(_, make_coord(1, _))) == "(_4,3):(_6,_1)");
  CHECK(to_string(layout(make_coord(_, 0))) == "(_4):(_6)");
  CHECK(to_string(layout(_)) == to_string(layout));
  CHECK(get<1>(slice_and_offset(make_coord(2, _), layout)) == 12);
  CHECK(to_string(dice(make_coord(2, _), layout)) == "(_4):(_6)");
}

TEST_CASE("size, rank, depth, cosize, shape, stride and get describe modes", "[layout]") {
  constexpr Layout<Shape<_4, Shape<_2, _3>>, Stride<_10, Stride<_3, _1>>> layout{};
  STATIC_REQUIRE(same(size(layout), Int<24>{}));
  STATIC_REQUIRE(same(size<1>(layout), _6{}));
  STATIC_REQUIRE(same(size<1, 1>(layout), _3{}));
  STATIC_REQUIRE(same(rank(layout), _2{}));
  STATIC_REQUIRE(same(depth(layout), _2{}));
  STATIC_REQUIRE(same(cosize(layout), Int<36>{}));
  STATIC_REQUIRE(same(cosize<1>(layout), _6{}));
  STATIC_REQUIRE(same(shape<1, 0>(layout), _2{}));
  STATIC_REQUIRE(same(stride<1, 0>(layout), _3{}));
  STATIC_REQUIRE(same(get<1>(layout), Layout<Shape<_2, _3>, Stride<_3, _1>>{}));
  STATIC_REQUIRE(same(get<1, 0>(layout), Layout<_2, _3>{}));
  STATIC_REQUIRE(decltype(layout)::rank == 2);
  STATIC_REQUIRE(cosize_v<Layout<_4, Int<-2>>> == 7);
}

TEST_CASE("a static layout is empty, a dynamic one holds its dynamic integers", "[layout]") {
  STATIC_REQUIRE(std::is_empty_v<Layout<Shape<_4, _3>>>);
  STATIC_REQUIRE(sizeof(Layout<Shape<int, _3>, Stride<_1, int>>) == 2 * sizeof(int));
  STATIC_REQUIRE(std::is_trivially_copyable_v<Layout<Shape<int, _3>, Stride<_1, std::int64_t>>>);
}

TEST_CASE("an ordered layout packs the lowest order first", "[layout]") {
  STATIC_REQUIRE(
      same(make_ordered_layout(Shape<_2, _2, _2, _2>{}, Step<_0, _2, _3, _1>{}).stride(), Stride<_1, _4, _8, _2>{}));
  CHECK(to_string(make_ordered_layout(make_shape(2, 3, 4, 5), make_step(_2{}, 67, 42, Int<50>{}))) ==
        "(2,3,4,5):(_1,10,30,2)");
  CHECK(to_string(make_ordered_layout(Shape<_2, _3>{}, LayoutRight{})) == "(_2,_3):(_3,_1)");
}

TEST_CASE("an identity layout gives back the coordinate", "[layout]") {
  auto const identity = make_identity_layout(make_shape(7, make_shape(3, 2)));
  CHECK(identity(3, make_coord(2, 1)) == make_coord(3, make_coord(2, 1)));
  CHECK(identity(3 + 7 * 5) == make_coord(3, make_coord(2, 1)));
}

TEST_CASE("layouts are equal if shape and stride are", "[layout]") {
  STATIC_REQUIRE(Layout<_4>{} == Layout<_4, _1>{});
  CHECK(make_layout(make_shape(4, 3)) == Layout<Shape<_4, _3>>{});
  CHECK(make_layout(make_shape(4, 3)) != Layout<Shape<_4, _3>, Stride<_3, _1>>{});
  CHECK_FALSE(make_layout(make_shape(4, 3)) == Layout<_12>{});
}
