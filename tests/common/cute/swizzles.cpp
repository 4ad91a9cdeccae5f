// CuTe's algebra of swizzles.

#include <tilestep/cute/swizzles.hpp>  // tested here
#include <tilestep/layout/print.hpp>   // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("a swizzle is made of two masks", "[cute]") {
  CHECK(to_string(make_swizzle<0b1000, 0b0100>()) == "Sw<1,2,1>");
  CHECK(to_string(make_swizzle<0b11000000, 0b00000110>()) == "Sw<2,1,5>");
  CHECK(to_string(make_swizzle<0b110, 0b11000000>()) == "Sw<2,1,-5>");
  CHECK(to_string(make_layout(Swizzle<2, 1, 3>{})) == "Sw<2,1,3> o _0 o _64:_1");
}

TEST_CASE("a layout after a swizzle is another swizzle after the layout", "[cute]") {
  constexpr Swizzle<2, 1, 3> swizzle{};
  constexpr Layout<Shape<_8, _8>, Stride<_8, _1>> transposed{};
  auto const both = composition(transposed, swizzle);
  for (int i = 0; i < 64; ++i) CHECK(both(i) == transposed(swizzle(i)));
  constexpr auto inner = composition(swizzle, Layout<Shape<_4, _16>, Stride<_16, _1>>{});
  auto const all = composition(transposed, inner);
  for (int i = 0; i < 64; ++i) CHECK(all(i) == transposed(inner(i)));
}

TEST_CASE("the inverses of a swizzled layout undo it", "[cute]") {
  for_each(make_tuple(Layout<Shape<_8, _8>>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{},
                      Layout<Shape<_4, Shape<_2, _8>>, Stride<_2, Stride<_1, _8>>>{}),
           [](auto const& plain) {
             auto const swizzled = composition(Swizzle<2, 1, 3>{}, plain);
             INFO(to_string(swizzled));
             auto const right = right_inverse(swizzled);
             auto const left = left_inverse(swizzled);
             for (int i = 0; i < 64; ++i) {
               CHECK(swizzled(right(i)) == i);
               CHECK(left(swizzled(i)) == i);
             }
           });
  CHECK(right_inverse(Swizzle<2, 1, 3>{}) == Swizzle<2, 1, 3>{});
}

TEST_CASE("swizzled layouts have in common what the swizzle leaves together", "[cute]") {
  constexpr Layout<Shape<_16, _4>> plain{};
  constexpr auto tile = composition(Swizzle<2, 2, 2>{}, plain);
  CHECK(to_string(max_common_layout(tile, plain)) == "_4:_1");
  CHECK(to_string(max_common_layout(plain, tile)) == "_4:_1");
  CHECK(to_string(max_common_layout(tile, tile)) == "_64:_1");
  CHECK(max_common_vector(tile, plain) == 4);
  CHECK(max_common_vector(plain, tile) == 4);
  CHECK(max_common_vector(tile, tile) == 64);
}
