// A tensor: memory seen through a layout.

#include "counting.hpp"  // counting, elements

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <numeric>      // std::iota
#include <type_traits>  // std::is_same_v
#include <vector>       // host memory

using namespace tensor_test;

namespace {

std::vector<int> numbers(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

template <class T, class Coord>
concept Indexable = requires(T t, Coord c) { t(c); };

}  // namespace

TEST_CASE("a tensor's element is the one at the layout's offset", "[tensor]") {
  auto values = numbers(24);
  auto const layout = make_layout(make_shape(3, make_shape(_2{}, 4)), make_stride(8, make_stride(4, _1{})));
  auto t = make_tensor(values.data(), layout);  // (3,(2,4))
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 8; ++j) {
      CHECK(t(i, j) == layout(i, j));
      CHECK(t(i, make_coord(j % 2, j / 2)) == layout(i, j));
      CHECK(t(make_coord(i, j)) == layout(i, j));
      CHECK(t(i + 3 * j) == layout(i, j));
      CHECK(t[i + 3 * j] == layout(i, j));
    }
  }
  t(2, 7) = -1;
  CHECK(values[23] == -1);
  CHECK(size(t) == 24);
  CHECK(size<1>(t) == 8);
  CHECK(size<1, 0>(t) == 2);
  CHECK(rank(t) == 2);
  CHECK(t.rank == 2);
  CHECK(std::is_same_v<memory_t<decltype(t)>, GenericMemory>);
}

TEST_CASE("a tensor takes 64-bit offsets", "[tensor]") {
  std::int64_t const far = std::int64_t{1} << 40;
  auto const t = counting(make_layout(make_shape(far, far), make_stride(std::int64_t{1}, far)));
  CHECK(t(std::int64_t{3}, std::int64_t{5}) == 3 + 5 * far);
  CHECK(t(_, 7).data().base == 7 * far);
}

TEST_CASE("a tensor over const memory reads and does not write", "[tensor]") {
  auto const values = numbers(4);
  auto const t = make_tensor(values.data(), make_layout(4));
  CHECK(t(3) == 3);
  CHECK(std::is_same_v<decltype(t)::element_type, int const>);
  CHECK(std::is_same_v<decltype(t)::value_type, int>);
  CHECK_FALSE(std::is_assignable_v<decltype(t(0)), int>);
}

TEST_CASE("make_tensor takes a layout, a shape, or a shape with strides", "[tensor]") {
  auto values = numbers(6);
  CHECK(make_tensor(values.data(), make_shape(2, 3))(1, 0) == 1);
  CHECK(make_tensor(values.data(), make_shape(2, 3), LayoutRight{})(1, 0) == 3);
  CHECK(make_tensor(values.data(), make_shape(2, 3), make_stride(3, 1))(1, 2) == 5);
  CHECK(make_tensor(values.data(), 6)(4) == 4);
  CHECK(size(make_tensor(values.data(), make_shape(0, 3))) == 0);
}

TEST_CASE("an underscore keeps a mode: rows, columns, and whole tensors are views of the same memory", "[tensor]") {
  auto values = numbers(24);
  auto t = make_tensor(values.data(), make_layout(make_shape(2, 3, 4)));  // (2,3,4)
  auto row = t(1, _, 2);                                                  // (3)
  CHECK(row.rank == 1);
  CHECK(elements(row) == std::vector<std::int64_t>{13, 15, 17});
  auto slab = t(_, 2, _);                                                 // (2,4)
  CHECK(slab.rank == 2);
  CHECK(size(slab) == 8);
  CHECK(slab(1, 3) == t(1, 2, 3));
  CHECK(elements(t(_, _, _)) == elements(t));
  CHECK(elements(t(_)) == elements(t));
  row(0) = 99;
  CHECK(t(1, 0, 2) == 99);
  auto nested = make_tensor(values.data(), make_layout(make_shape(make_shape(2, 3), 4)));  // ((2,3),4)
  CHECK(elements(nested(make_coord(1, _), 3)) == std::vector<std::int64_t>{19, 21, 23});
}

TEST_CASE("a slice along a run-time coordinate keeps the static strides", "[tensor]") {
  auto const t = counting(Layout<Shape<_4, _8>, Stride<_8, _1>>{});
  int const m = 3;
  auto const row = t(m, _);
  CHECK(std::is_same_v<decltype(row)::layout_type, Layout<Shape<_8>, Stride<_1>>>);
  CHECK(row.data().base == 24);
}

TEST_CASE("an owning tensor has its elements and copies them", "[tensor]") {
  auto a = make_tensor<int>(make_layout(Shape<_2, _3>{}, LayoutRight{}));  // (2,3)
  for (int i = 0; i < 6; ++i) a(i) = 10 + i;
  auto b = a;
  b(0, 0) = -1;
  CHECK(a(0, 0) == 10);
  CHECK(b(1, 0) == a(1, 0));
  CHECK(a.data()[1] == a(0, 1));
  CHECK(std::is_same_v<memory_t<decltype(a)>, RegisterMemory>);
  CHECK(sizeof(a.engine) == 6 * sizeof(int));
  CHECK(alignof(decltype(make_tensor<float>(Shape<_4>{}))) == 16);
}

TEST_CASE("an owning tensor is as large as its layout reaches", "[tensor]") {
  auto const spread = make_tensor<char>(Layout<Shape<_2, _3>, Stride<_1, _8>>{});
  CHECK(sizeof(spread.engine.elements) == 18);
  auto const same = make_tensor<char>(Layout<Shape<_2, _3>, Stride<_0, _1>>{});
  CHECK(sizeof(same.engine.elements) == 3);
}

TEST_CASE("a register tensor takes compile-time coordinates, in slices too", "[tensor]") {
  auto r = make_register_tensor<int>(Shape<_2, _3>{});  // (2,3)
  static_for<6>([&](auto i) { r(i) = 7 + i; });
  CHECK(r(_1{}, _2{}) == 12);
  CHECK(r(make_coord(_0{}, _1{})) == 9);
  CHECK(r(_1{}, _)(_1{}) == 10);
  r(_, _2{})(_0{}) = 50;
  CHECK(r(_0{}, _2{}) == 50);
  auto const& fixed = r;
  CHECK(fixed(_0{}, _2{}) == 50);
  CHECK(std::is_same_v<decltype(fixed(_0{})), int const&>);
}

TEST_CASE("an owning tensor takes a shape with strides, or an order", "[tensor]") {
  CHECK(to_string(make_tensor<int>(Shape<_2, _3>{}, Stride<_4, _1>{}).layout()) == "(_2,_3):(_4,_1)");
  CHECK(to_string(make_tensor<int>(Shape<_2, _3>{}, LayoutRight{}).layout()) == "(_2,_3):(_3,_1)");
  CHECK(to_string(make_tensor<float>(_4{}, _2{}).layout()) == "_4:_2");
  CHECK(to_string(make_tensor<float>(_4{}).layout()) == "_4:_1");
  CHECK(to_string(make_register_tensor<int>(Shape<_2, _3>{}, LayoutRight{}).layout()) == "(_2,_3):(_3,_1)");
}

TEST_CASE("a predicate of stride 0 is one for each row", "[tensor]") {
  auto pred = make_tensor<bool>(Shape<_4, _8>{}, Stride<_1, _0>{});
  CHECK(sizeof(pred.engine.elements) == 4);
  for (int m = 0; m < 4; ++m) pred(m, 0) = m < 3;
  CHECK(pred(2, 7));
  CHECK_FALSE(pred(3, 5));
}

TEST_CASE("moving the origin of a swizzled tensor moves it before the swizzle", "[tensor]") {
  auto const t = counting(composition(Swizzle<2, 0, 2>{}, Layout<Shape<_4, _4>>{}));
  auto const moved = domain_offset(make_coord(1, 2), t);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) CHECK(moved(i, j) == t(i + 1, j + 2));
  }
}

TEST_CASE("the strides of a tensor are those of its layout", "[tensor]") {
  auto const t = counting(Layout<Shape<_2, Shape<_3, _4>>, Stride<_12, Stride<_4, _1>>>{});
  CHECK(std::is_same_v<decltype(stride(t)), Stride<_12, Stride<_4, _1>>>);
  CHECK(std::is_same_v<decltype(stride<1, 0>(t)), _4>);
}

TEST_CASE("rearranging a tensor keeps its memory", "[tensor]") {
  auto const t = counting(Layout<Shape<_2, _3, _4>, Stride<_12, _4, _1>>{});  // (2,3,4)
  CHECK(elements(group_modes<0, 2>(t)) == elements(t));
  CHECK(group_modes<0, 2>(t).rank == 2);
  CHECK(take<1, 3>(t).layout() == Layout<Shape<_3, _4>, Stride<_4, _1>>{});
  CHECK(elements(flatten(group_modes<0, 2>(t))) == elements(t));
  CHECK(elements(coalesce(t)) == elements(t));
  CHECK(elements(composition(t(1, _, _), make_layout(Int<12>{}))) == elements(t(1, _, _)));
  CHECK(logical_divide(t(1, _, _), Tile<_3, _2>{})(0, make_coord(1, 1)) == t(1, 0, 3));
  CHECK(zipped_divide(t(1, _, _), Tile<_3, _2>{})(make_coord(2, 1), make_coord(0, 1)) == t(1, 2, 3));
  CHECK(tiled_divide(t(1, _, _), Tile<_3, _2>{})(make_coord(2, 1), 0, 1) == t(1, 2, 3));
  CHECK(flat_divide(t(1, _, _), Tile<_3, _2>{})(2, 1, 0, 1) == t(1, 2, 3));
}

TEST_CASE("domain_offset moves the origin, also before the first element", "[tensor]") {
  auto const t = counting(make_layout(make_shape(4, 5), make_stride(5, 1)));
  CHECK(domain_offset(make_coord(1, 2), t)(1, 1) == t(2, 3));
  CHECK(domain_offset(make_coord(-2, 1), t)(2, 0) == t(0, 1));
  CHECK(domain_offset(make_coord(-2, 1), t).layout() == t.layout());
}

static_assert(!is_tensor_v<int> && is_tensor_v<decltype(make_register_tensor<int>(_4{}))>);
static_assert([] {
  auto r = make_tensor<int>(Shape<_4>{});
  static_for<4>([&](auto i) { r(i) = i * i; });
  return r(2) + r(3);
}() == 13, "tensors compute at compile time");
