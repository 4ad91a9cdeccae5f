// Layouts by CuTe's names.

#include <tilestep/cute/layouts.hpp>   // tested here
#include <tilestep/layout/print.hpp>   // to_string
#include <tilestep/tensor/tensor.hpp>  // a tensor has a layout

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("layout<I> is a mode of a layout or of a tensor", "[cute]") {
  Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>> const a{};
  CHECK(to_string(layout(a)) == to_string(a));
  CHECK(to_string(layout<1>(a)) == "(_2,_3):(_3,_1)");
  CHECK(to_string(layout<1, 1>(a)) == "_3:_1");
  int memory[24] = {};
  auto const t = make_tensor(memory, a);
  CHECK(to_string(layout(t)) == to_string(a));
  CHECK(to_string(layout<0>(t)) == "_4:_6");
  auto const swizzled = composition(Swizzle<1, 0, 1>{}, a);
  CHECK(to_string(layout<0>(swizzled)) == "Sw<1,0,1> o _0 o _4:_6");
}

TEST_CASE("compact_col_major and compact_row_major are packed strides", "[cute]") {
  auto const shape = Shape<_4, Shape<_8, _1, _2>>{};
  CHECK(compact_col_major(shape) == make_stride(_1{}, make_stride(_4{}, _0{}, _32{})));
  CHECK(compact_row_major(shape) == make_stride(_16{}, make_stride(_2{}, _0{}, _1{})));
  CHECK(compact_col_major(8, 3) == 3);
  CHECK(compact_row_major(make_shape(2, 3), 5) == make_stride(15, 5));
}

TEST_CASE("the widest access that a layout allows", "[cute]") {
  CHECK(max_alignment(Layout<Shape<_8, _4>>{}) == 32);
  CHECK(max_alignment(Layout<Shape<_8, _4>, Stride<_1, _12>>{}) == 4);
  CHECK(max_alignment(Layout<Shape<_8, _4>, Stride<_4, _1>>{}) == 32);
  CHECK(max_alignment(Layout<Shape<_6, _4>, Stride<_1, _16>>{}) == 2);
  CHECK(max_alignment(make_layout(make_shape(_8{}, 4), make_stride(_1{}, 100))) == 8);
  CHECK(max_alignment(Swizzle<3, 4, 3>{}) == 16);
  CHECK(max_alignment(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_64, _4>>{})) == 8);
  CHECK(max_alignment(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_4, _4>, Stride<_1, _12>>{})) == 4);
  CHECK(max_alignment(Int<-12>{}) == 12);
}
