#include <tilestep/core/integer.hpp>     // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {
template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
}

TEST_CASE("arithmetic of static integers stays static", "[core][integer]") {
  STATIC_REQUIRE(same<decltype(_4{} + _3{}), Int<7>>);
  STATIC_REQUIRE(same<decltype(_4{} - _9{}), Int<-5>>);
  STATIC_REQUIRE(same<decltype(_4{} * _3{}), Int<12>>);
  STATIC_REQUIRE(same<decltype(Int<17>{} / _4{}), Int<4>>);
  STATIC_REQUIRE(same<decltype(Int<17>{} % _4{}), Int<1>>);
  STATIC_REQUIRE(same<decltype(Int<12>{} & _10{}), Int<8>>);
  STATIC_REQUIRE(same<decltype(Int<12>{} | _3{}), Int<15>>);
  STATIC_REQUIRE(same<decltype(Int<12>{} ^ _10{}), Int<6>>);
  STATIC_REQUIRE(same<decltype(_3{} << _2{}), Int<12>>);
  STATIC_REQUIRE(same<decltype(_12{} >> _2{}), Int<3>>);
  STATIC_REQUIRE(same<decltype(-_4{}), Int<-4>>);
  STATIC_REQUIRE(same<decltype(~_4{}), Int<-5>>);
  STATIC_REQUIRE(same<decltype(abs(Int<-4>{})), Int<4>>);
  STATIC_REQUIRE(same<decltype(signum(Int<-4>{})), Int<-1>>);
  STATIC_REQUIRE(same<decltype(gcd(Int<12>{}, Int<18>{})), Int<6>>);
}

TEST_CASE("comparisons of static integers are static truths", "[core][integer]") {
  STATIC_REQUIRE(same<decltype(_3{} < _4{}), true_type>);
  STATIC_REQUIRE(same<decltype(_3{} == _4{}), false_type>);
  STATIC_REQUIRE(same<decltype(_3{} != _4{} && _4{} >= _4{}), true_type>);
  STATIC_REQUIRE(same<decltype(!(_3{} > _4{} || _4{} <= _3{})), true_type>);
  STATIC_REQUIRE(same<decltype(C<4L>{} == _4{}), true_type>);
}

TEST_CASE("a static operand that decides alone keeps the result static", "[core][integer]") {
  int const x = 5;
  STATIC_REQUIRE(same<decltype(_0{} * x), _0>);
  STATIC_REQUIRE(same<decltype(x * _0{}), _0>);
  STATIC_REQUIRE(same<decltype(_0{} / x), _0>);
  STATIC_REQUIRE(same<decltype(_0{} % x), _0>);
  STATIC_REQUIRE(same<decltype(x % _1{}), _0>);
  STATIC_REQUIRE(same<decltype(x & _0{}), _0>);
  STATIC_REQUIRE(same<decltype(false_type{} && true), false_type>);
  STATIC_REQUIRE(same<decltype(true || true_type{}), true_type>);
  STATIC_REQUIRE(same<decltype(_4{} * x), int>);
  CHECK(_4{} * x == 20);
  CHECK(x - _4{} == 1);
}

TEST_CASE("a remainder by a static integer of any size", "[core][integer]") {
  std::int64_t const x = 100000;
  STATIC_REQUIRE(same<decltype(x % _m1{}), _0>);
  STATIC_REQUIRE(_65536::value == 65536);
  CHECK(x % Int<46341>{} == 7318);
  CHECK(x % Int<-65536>{} == 34464);
  CHECK(100000 % Int<0x7fffffff>{} == 100000);
}

TEST_CASE("static results beyond 32 bits are 64 bits wide", "[core][integer]") {
  constexpr auto large = Int<1 << 20>{} * Int<1 << 20>{};
  STATIC_REQUIRE(large.value == (std::int64_t{1} << 40));
  STATIC_REQUIRE(same<decltype(large / Int<1 << 20>{}), Int<1 << 20>>);
}

TEST_CASE("a static integer converts to its value", "[core][integer]") {
  STATIC_REQUIRE(_8{} + 1 == 9);
  STATIC_REQUIRE(_8{}() == 8);
  STATIC_REQUIRE(is_static_v<_8>);
  STATIC_REQUIRE(!is_static_v<int>);
  STATIC_REQUIRE(is_integral_v<_8>);
  STATIC_REQUIRE(is_integral_v<int>);
  STATIC_REQUIRE(is_constant_v<8, _8 const&>);
  STATIC_REQUIRE(!is_constant_v<8, _9>);
  STATIC_REQUIRE(!is_constant_v<8, int>);
}

TEST_CASE("run-time integers have the same named functions", "[core][integer]") {
  CHECK(abs(-3) == 3);
  CHECK(abs(3u) == 3u);
  CHECK(signum(-3) == -1);
  CHECK(signum(std::int64_t{0}) == 0);
  CHECK(gcd(12, 18) == 6);
}
