// y = alpha x + beta y, where a predicate holds.

#include <tilestep/algorithm/axpby.hpp>  // axpby
#include <tilestep/atom/half.hpp>  // half_t

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cmath>    // std::isnan
#include <cstdint>  // std::int8_t
#include <limits>   // NaN
#include <vector>   // host memory

using namespace tilestep;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

auto accumulators() {
  auto x = make_register_tensor<float>(Shape<_2, _3>{});  // (2,3)
  static_for<6>([&](auto i) { x(i) = float(i + 1); });
  return x;
}

}  // namespace

TEST_CASE("axpby scales the accumulators and what was there", "[algorithm]") {
  auto const x = accumulators();
  std::vector<float> y{10, 20, 30, 40, 50, 60};
  axpby(2.0f, x, -1.0f, make_tensor(y.data(), make_shape(_2{}, _3{})));
  CHECK(y == std::vector<float>{-8, -16, -24, -32, -40, -48});
}

TEST_CASE("axpby with beta = 0 never reads y", "[algorithm]") {
  auto const x = accumulators();
  std::vector<float> y(6, not_a_number);
  axpby(3.0f, x, 0.0f, make_tensor(y.data(), make_shape(_2{}, _3{})));
  CHECK(y == std::vector<float>{3, 6, 9, 12, 15, 18});
}

TEST_CASE("axpby with alpha = 0 still takes a NaN from x, as BLAS does not ask", "[algorithm]") {
  auto x = make_register_tensor<float>(_1{});
  x(_0{}) = not_a_number;
  std::vector<float> y{1};
  axpby(0.0f, x, 1.0f, make_tensor(y.data(), _1{}));
  CHECK(std::isnan(y[0]));
}

TEST_CASE("axpby touches nothing where its predicate fails", "[algorithm]") {
  auto const x = accumulators();
  std::vector<float> y(6, 100);
  axpby(1.0f, x, 1.0f, make_tensor(y.data(), make_shape(_2{}, _3{})),
        [](auto c) { return get<0>(c) == 0 && get<1>(c) < 2; });
  CHECK(y == std::vector<float>{101, 100, 103, 100, 100, 100});
}

TEST_CASE("axpby computes in the accumulator's type and stores in the output's", "[algorithm]") {
  auto x = make_register_tensor<std::int32_t>(_2{});
  x(_0{}) = 1 << 20;
  x(_1{}) = -5;
  std::vector<std::int32_t> y{1, 2};
  axpby(3, x, 2, make_tensor(y.data(), _2{}));
  CHECK(y == std::vector<std::int32_t>{(3 << 20) + 2, -11});
  auto const f = accumulators();
  auto h = make_tensor<half_t>(Shape<_2, _3>{});
  axpby(0.5f, f, 0.0f, h);
  CHECK(float(h(1, 2)) == 3.0f);
}
