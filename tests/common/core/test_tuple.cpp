#include <tilestep/core/tuple.hpp>       // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("static elements take no room in a tuple", "[core][tuple]") {
  STATIC_REQUIRE(std::is_empty_v<Tuple<_1, Tuple<_1, _2>>>);
  STATIC_REQUIRE(sizeof(Tuple<_1, int>) == sizeof(int));
  STATIC_REQUIRE(sizeof(Tuple<int, _1, _1>) == sizeof(int));
  STATIC_REQUIRE(sizeof(Tuple<_1, Tuple<_1, int>>) == sizeof(int));
  STATIC_REQUIRE(sizeof(Tuple<Tuple<_1, int>, Tuple<_1, int>, _1>) == 2 * sizeof(int));
  STATIC_REQUIRE(sizeof(Tuple<std::int64_t, int, int>) == 16);
}

TEST_CASE("a tuple is trivially copyable, as a kernel parameter must be", "[core][tuple]") {
  STATIC_REQUIRE(std::is_trivially_copyable_v<Tuple<_1, Tuple<int, std::int64_t>>>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<Tuple<>>);
}

TEST_CASE("get reaches nested elements and writes through", "[core][tuple]") {
  auto t = make_tuple(_4{}, make_tuple(3, _2{}), 7L);
  STATIC_REQUIRE(std::is_same_v<decltype(t), Tuple<_4, Tuple<int, _2>, long>>);
  CHECK(get<1, 0>(t) == 3);
  CHECK(get<1, 1>(t) == 2);
  get<2>(t) = 9;
  CHECK(get<2>(t) == 9);
  CHECK(get<0>(5) == 5);
}

TEST_CASE("a tuple unpacks into names", "[core][tuple]") {
  auto const [a, b] = make_tuple(_4{}, 5);
  CHECK(a == 4);
  CHECK(b == 5);
}

TEST_CASE("tuples of static elements compare at compile time", "[core][tuple]") {
  STATIC_REQUIRE(std::is_same_v<decltype(Tuple<_1, _2>{} == Tuple<_1, _2>{}), true_type>);
  STATIC_REQUIRE(std::is_same_v<decltype(Tuple<_1, _2>{} == Tuple<_1, _3>{}), false_type>);
  STATIC_REQUIRE(std::is_same_v<decltype(Tuple<_1, _2>{} == Tuple<_1>{}), false_type>);
  STATIC_REQUIRE(std::is_same_v<decltype(Tuple<_1, _2>{} == _1{}), false_type>);
  CHECK(make_tuple(1, make_tuple(2, _3{})) == make_tuple(_1{}, make_tuple(2, 3)));
  CHECK(make_tuple(1, 2) != make_tuple(1, 3));
}

TEST_CASE("a tuple is usable in constant expressions", "[core][tuple]") {
  constexpr auto pair = make_tuple(3, _2{});
  STATIC_REQUIRE(get<0>(pair) * get<1>(pair) == 6);
}
