// Part of a mode: slices from, to, and from the end.

#include "counting.hpp"  // counting, elements

#include <tilestep/backend/error.hpp>  // Error

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tensor_test;

TEST_CASE("a range keeps part of a mode, a scalar removes it", "[tensor]") {
  auto const t = counting(make_layout(make_shape(4, 6), LayoutRight{}));            // (4,6)
  auto const part = t(range(1, 3), range(2, 6));                                    // (2,4)
  CHECK(shape(part) == make_shape(2, 4));
  CHECK(part(1, 3) == t(2, 5));
  CHECK(elements(t(range(), range())) == elements(t));
  CHECK(elements(t(range(2), _)) == std::vector<std::int64_t>{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
  auto const row = t(3, range(4));                                                  // (4)
  CHECK(row.rank == 1);
  CHECK(elements(row) == std::vector<std::int64_t>{18, 19, 20, 21});
}

TEST_CASE("a negative end counts from the end", "[tensor]") {
  auto const t = counting(make_layout(make_shape(6)));
  CHECK(elements(t(range(-1))) == elements(t));
  CHECK(elements(t(range(2, -2))) == std::vector<std::int64_t>{2, 3, 4});
  CHECK(elements(t(range(_2{}, _m1{}))) == std::vector<std::int64_t>{2, 3, 4, 5});
}

TEST_CASE("a static range of a static mode is static", "[tensor]") {
  auto const t = counting(Layout<Shape<_4, _6>, Stride<_6, _1>>{});
  auto const part = t(range(_1{}, _3{}), range(_2{}, Int<-2>{}));
  CHECK(std::is_same_v<decltype(part)::layout_type, Layout<Shape<_2, _3>, Stride<_6, _1>>>);
  CHECK(part(0, 0) == t(1, 2));
  auto r = make_register_tensor<int>(_4{});
  static_for<4>([&](auto i) { r(i) = i; });
  CHECK(r(range(_1{}, _3{}))(_1{}) == 2);
}

TEST_CASE("a range outside its mode is an error", "[tensor]") {
  auto const t = counting(make_layout(make_shape(6)));
  CHECK_THROWS_AS(t(range(2, 7)), Error);
  CHECK_THROWS_AS(t(range(-1, 3)), Error);
  CHECK_THROWS_AS(t(range(4, 3)), Error);
  CHECK_THROWS_AS(t(range(0, -8)), Error);
  CHECK(size(t(range(6, 6))) == 0);
}
