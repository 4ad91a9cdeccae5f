// axpby in vectors of neighbours, and where it may be used.

#include <tilestep/algorithm/axpby.hpp>      // axpby
#include <tilestep/block/axpby_vectors.hpp>  // axpby of vectors, has_vectors

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <algorithm>  // std::count_if, std::equal
#include <cmath>      // std::isnan
#include <cstdint>    // std::int64_t
#include <limits>     // NaN
#include <vector>     // host memory

using namespace tilestep;

TEST_CASE("axpby of vectors is axpby, with the predicate of each vector's first element", "[block]") {
  auto x = make_register_tensor<float>(Shape<_4, _2, _3>{});  // (V,M,N)
  static_for<24>([&](auto i) { x(i) = float(i * i + 1); });
  // Neighbours of V lie side by side, as a lane's columns of C do: a row of (V,N) has 14 elements, of which 12 are C's.
  auto const layout = make_layout(Shape<_4, _2, _3>{}, make_stride(1, 14, 4));
  auto const wanted = [](auto const& c) { return get<1>(c) == 0 || get<0>(c) + 4 * get<2>(c) < 6; };
  for (float const beta : {0.0f, -0.5f}) {
    std::vector<float> const before(28, beta == 0 ? std::numeric_limits<float>::quiet_NaN() : 3.0f);
    std::vector<float> one = before, two = before, four = before;
    axpby(2.0f, x, beta, make_tensor(one.data(), layout), wanted);
    axpby<2>(2.0f, x, beta, make_tensor(two.data(), layout), wanted);
    auto const same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    CHECK(std::equal(one.begin(), one.end(), two.begin(), same));
    CHECK(std::count_if(two.begin(), two.end(), [&](float value) { return value != 3 && !std::isnan(value); }) == 18);
    axpby<4>(2.0f, x, beta, make_tensor(four.data(), layout), Always{});
    CHECK(same(four[13], before[13]));
    CHECK(four[14 + 11] == 2 * 530 + (beta == 0 ? 0 : beta * 3));  // x(3,1,2)
  }
}

TEST_CASE("vectors fit C where columns are neighbours, and rows begin and end with a vector", "[block]") {
  alignas(16) float c[8]{};
  using Extents = Tuple<std::int64_t, std::int64_t, std::int64_t>;
  auto const fits = [&](float const* data, Extents const& shape, Extents const& stride) {
    return has_vectors<2>(data, make_layout(shape, stride));
  };
  CHECK(fits(c, {3, 8, 2}, {8, 1, 24}));
  CHECK(fits(c + 2, {3, 8, 2}, {10, 1, 64}));
  CHECK(fits(c, {3, 8, 2}, {-8, 1, 24}));
  CHECK_FALSE(fits(c + 1, {3, 8, 2}, {8, 1, 24}));  // begins in the middle of a pair
  CHECK_FALSE(fits(c, {3, 7, 2}, {8, 1, 24}));      // ends there
  CHECK_FALSE(fits(c, {3, 8, 2}, {9, 1, 24}));      // every other row does
  CHECK_FALSE(fits(c, {3, 8, 2}, {8, 1, 25}));      // every other matrix does
  CHECK_FALSE(fits(c, {3, 8, 2}, {1, 4, 24}));      // the neighbours are rows
  CHECK_FALSE(fits(c, {3, 8, 2}, {0, 2, 24}));      // a gap between any two
  CHECK_FALSE(has_vectors<4>(c, make_layout(Extents{3, 8, 2}, Extents{10, 1, 24})));
  CHECK(has_vectors<4>(c, make_layout(Extents{3, 8, 2}, Extents{12, 1, 24})));
}
