// A convolution is a matrix product, seen through a layout: nothing is copied. The layout is that of chapter 01's
// exercise.

#include "../../../chapters/01_layouts/exercises/01_convolution/solution.hpp"  // picture_as_matrix

#include <tilestep/algorithm.hpp>  // gemm, make_tensor

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <vector>  // memory

using namespace tilestep;

namespace {

std::int64_t places(Convolution const& p, std::int64_t extent) { return (extent - p.size) / p.step + 1; }

/// Every element of A is the element of the picture that the definition of a convolution names.
void check_layout(Convolution const& p) {
  auto const A = picture_as_matrix(p);
  std::int64_t const out_height = places(p, p.height), out_width = places(p, p.width);
  REQUIRE(size<0>(A) == out_height * out_width);
  REQUIRE(size<1>(A) == p.size * p.size * p.channels);
  std::int64_t m = 0;
  for (std::int64_t y = 0; y < out_height; ++y) {
    for (std::int64_t x = 0; x < out_width; ++x, ++m) {
      std::int64_t k = 0;
      for (std::int64_t r = 0; r < p.size; ++r) {
        for (std::int64_t s = 0; s < p.size; ++s) {
          for (std::int64_t c = 0; c < p.channels; ++c, ++k) {
            std::int64_t const want = ((y * p.step + r) * p.width + x * p.step + s) * p.channels + c;
            CHECK(A(m, k) == want);
            CHECK(A(make_coord(x, y), make_coord(c, s, r)) == want);
          }
        }
      }
    }
  }
}

/// gemm on the picture itself, against the sum of the definition.
void check_product(Convolution const& p, std::int64_t count) {
  auto const layout_a = picture_as_matrix(p);
  std::int64_t const M = size<0>(layout_a), K = size<1>(layout_a), out_width = places(p, p.width);
  std::vector<float> picture(std::size_t(p.height * p.width * p.channels)), filters(std::size_t(count * K)),
      out(std::size_t(M * count), 0);
  for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = float(int(i * i % 19) - 9);
  for (std::size_t i = 0; i < filters.size(); ++i) filters[i] = float(int(i * 5 % 11) - 4);

  auto const A = make_tensor(static_cast<float const*>(picture.data()), layout_a);  // (M,K)
  auto const B = make_tensor(static_cast<float const*>(filters.data()),
                             make_layout(make_shape(count, K), LayoutRight{}));        // (N,K)
  auto C = make_tensor(out.data(), make_layout(make_shape(M, count), LayoutRight{}));  // (M,N)
  gemm(A, B, C);

  for (std::int64_t m = 0; m < M; ++m) {
    for (std::int64_t n = 0; n < count; ++n) {
      float want = 0;
      for (std::int64_t k = 0; k < K; ++k) {
        std::int64_t const c = k % p.channels, s = k / p.channels % p.size, r = k / p.channels / p.size;
        std::int64_t const row = m / out_width * p.step + r, column = m % out_width * p.step + s;
        want += picture[std::size_t((row * p.width + column) * p.channels + c)] * filters[std::size_t(n * K + k)];
      }
      CHECK(out[std::size_t(m * count + n)] == want);
    }
  }
}

}  // namespace

TEST_CASE("a picture seen through a nested layout is the matrix of its convolution", "[chapter][01]") {
  check_layout({5, 6, 1, 1, 1});
  check_layout({5, 6, 3, 3, 1});
  check_layout({11, 8, 2, 3, 2});
  check_layout({9, 13, 1, 5, 4});
  check_layout({4, 4, 3, 4, 1});
}

TEST_CASE("gemm through that layout is the convolution, without a copy", "[chapter][01]") {
  check_product({5, 6, 1, 3, 1}, 1);
  check_product({7, 9, 3, 3, 1}, 4);
  check_product({11, 8, 2, 3, 2}, 5);
}
