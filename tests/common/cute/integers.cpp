// Integers and tuples by CuTe's names.

#include <tilestep/cute/integers.hpp>  // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {
template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
}

TEST_CASE("4_c is a static integer", "[cute]") {
  STATIC_REQUIRE(same<decltype(4_c), _4>);
  STATIC_REQUIRE(same<decltype(65'536_c), _65536>);
  STATIC_REQUIRE(same<decltype(-2_c), _m2>);
  STATIC_REQUIRE((10000000000_c).value == 10000000000);
}

TEST_CASE("the standard library's traits have CuTe's namespace", "[cute]") {
  STATIC_REQUIRE(tilestep::is_same_v<tilestep::conditional_t<true, int, float>, int>);
  STATIC_REQUIRE(tilestep::is_convertible_v<_4, int>);
}

TEST_CASE("integral_constant, integer sequences and tuples are the library's own", "[cute]") {
  STATIC_REQUIRE(same<integral_constant<int, 4>, _4>);
  STATIC_REQUIRE(same<tuple<_1, int>, Tuple<_1, int>>);
  STATIC_REQUIRE(same<make_int_sequence<3>, Tuple<_0, _1, _2>>);
  STATIC_REQUIRE(same<int_sequence<2, 5>, Tuple<_2, _5>>);
  STATIC_REQUIRE(same<make_int_range<2, 5>, Tuple<_2, _3, _4>>);
  int sum = 0;
  for_each(make_integer_sequence<std::uint32_t, 5>{}, [&](auto c) {
    STATIC_REQUIRE(same<typename decltype(c)::value_type, std::uint32_t>);
    sum += int(c);
  });
  CHECK(sum == 10);
  STATIC_REQUIRE(tuple_size<Tuple<_1, _2>>::value == 2);
  STATIC_REQUIRE(same<tuple_element<1, Tuple<_1, _2>>::type, _2>);
  CHECK(reverse(make_tuple(1, _2{}, 3)) == make_tuple(3, _2{}, 1));
}

TEST_CASE("traits are types with a value", "[cute]") {
  STATIC_REQUIRE(is_static<Shape<_2, _3>>::value);
  STATIC_REQUIRE_FALSE(is_static<Shape<_2, int>>::value);
  STATIC_REQUIRE(is_constant<0, decltype(_0{} * 5)>::value);
  STATIC_REQUIRE_FALSE(is_constant<0, int>::value);
  STATIC_REQUIRE(is_integral<_7 const&>::value);
  STATIC_REQUIRE(is_tuple<Shape<_7>>::value);
  STATIC_REQUIRE(is_scaled_basis<E<1>>::value);
}

TEST_CASE("the least common multiple is static if both are", "[cute]") {
  STATIC_REQUIRE(same<decltype(lcm(_6{}, Int<15>{})), Int<30>>);
  CHECK(lcm(4, _6{}) == 12);
  CHECK(lcm(1, 1) == 1);
}

TEST_CASE("colexicographic order is that of indices, lexicographic order that of a dictionary", "[cute]") {
  auto const shape = Shape<Shape<_3, _2>, Shape<_5, _2, _2>>{};
  for (int i = 0; i < 120; ++i) {
    for (int j = 0; j < 120; ++j) {
      auto const a = idx2crd(i, shape), b = idx2crd(j, shape);
      CHECK(colex_less(a, b) == (i < j));
      auto const flat_a = flatten(a), flat_b = flatten(b);
      auto const by_rows = make_stride(40, 20, 4, 2, 1);
      CHECK(lex_less(a, b) == (inner_product(flat_a, by_rows) < inner_product(flat_b, by_rows)));
    }
  }
  CHECK(lex_less(make_coord(1), make_coord(1, 0)));
  CHECK_FALSE(colex_less(make_coord(1, 0), make_coord(0)));
}

TEST_CASE("a stride that is a direction finds its part of a coordinate", "[cute]") {
  auto const coord = make_arithmetic_tuple(7, make_arithmetic_tuple(8, 9));
  CHECK(basis_get(E<0>{}, coord) == 7);
  CHECK(basis_get(E<1, 1>{}, coord) == 9);
  CHECK(basis_get(_5{}, coord) == coord);
  CHECK(basis_value(3 * E<1>{}) == 3);
  CHECK(basis_value(_4{}) == 4);
  STATIC_REQUIRE(same<ArithmeticTuple<int, _1>, Tuple<int, _1>>);
  CHECK(as_arithmetic_tuple(E<1>{}) + make_arithmetic_tuple(2, 3) == make_tuple(2, 4));
}
