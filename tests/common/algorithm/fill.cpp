// fill and clear set every element and nothing else.

#include <tilestep/algorithm/fill.hpp>  // fill, clear
#include <tilestep/atom/half.hpp>  // half_t

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <vector>  // host memory

using namespace tilestep;

TEST_CASE("fill sets the elements of a tensor and leaves its gaps alone", "[algorithm]") {
  std::vector<int> memory(20, -1);
  fill(make_tensor(memory.data(), make_shape(3, 4), make_stride(5, 1)), 7);  // the fifth of every row is a gap
  for (int i = 0; i < 20; ++i) CHECK(memory[std::size_t(i)] == (i % 5 < 4 && i < 15 ? 7 : -1));
}

TEST_CASE("fill and clear reach registers, slices and nested modes", "[algorithm]") {
  auto r = make_register_tensor<float>(Shape<Shape<_2, _2>, _3>{});  // ((2,2),3)
  fill(r, 2);
  clear(r(_, _1{}));
  static_for<4>([&](auto v) {
    CHECK(r(v, _0{}) == 2);
    CHECK(r(v, _1{}) == 0);
    CHECK(r(v, _2{}) == 2);
  });
}

TEST_CASE("fill of an empty tensor does nothing", "[algorithm]") {
  int memory[1] = {3};
  fill(make_tensor(memory, make_shape(0, 5)), 7);
  clear(make_tensor(memory, make_shape(5, 0)));
  CHECK(memory[0] == 3);
}

TEST_CASE("fill converts the value to the tensor's type", "[algorithm]") {
  auto r = make_register_tensor<half_t>(_2{});
  fill(r, 1.5f);
  CHECK(float(r(_1{})) == 1.5f);
}
