#include <tilestep/backend/error.hpp>
#include <tilestep/harness/host_matrix.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>  // std::isnan
#include <set>    // distinct values

using namespace tilestep;

namespace {

MatrixPlace row_major(DType type, std::int64_t rows, std::int64_t cols, std::int64_t leading, std::int64_t batch = 1) {
  return {type, rows, cols, batch, {leading, 1, rows * leading}};
}

}  // namespace

TEST_CASE("a matrix is poison until it is set, in its gaps and around it", "[harness][matrix]") {
  for (DType type : {DType::f32, DType::f16, DType::bf16, DType::f64, DType::e4m3, DType::e5m2}) {
    HostMatrix matrix(row_major(type, 3, 2, 5), 64);
    for (std::int64_t row = 0; row < 3; ++row) {
      for (std::int64_t col = 0; col < 2; ++col) CHECK(std::isnan(matrix.get(row, col, 0)));
      if (row < 2) CHECK(std::isnan(matrix.get(row, 3, 0)));  // in the gap
    }
    matrix.set(1, 1, 0, 2.5);
    CHECK(matrix.get(1, 1, 0) == 2.5);
    CHECK(std::isnan(matrix.get(1, 0, 0)));
    CHECK(matrix.image().size() == static_cast<std::size_t>((2 * 5 + 2) * bytes_of(type) + 128));
  }
}

TEST_CASE("a changed byte outside the elements is found wherever it is", "[harness][matrix]") {
  HostMatrix const before(row_major(DType::f16, 3, 2, 4, 2), 16);
  std::int64_t const first = 16, element = 2;
  for (std::size_t at = 0; at < before.image().size(); ++at) {
    HostMatrix after = before;
    after.image()[at] ^= 1;
    std::int64_t const index = (static_cast<std::int64_t>(at) - first) / element;
    bool const inside = static_cast<std::int64_t>(at) >= first && index < 3 * 4 + 2 * 4 + 2;
    bool const is_element = inside && index % 4 < 2;
    INFO("byte " << at);
    CHECK(after.changed_outside(before).empty() == is_element);
  }
  CHECK(before.changed_outside(before).empty());
  HostMatrix const nothing(row_major(DType::f32, 0, 5, 5), 32);
  HostMatrix touched = nothing;
  touched.image()[3] ^= 1;
  CHECK_FALSE(touched.changed_outside(nothing).empty());
}

TEST_CASE("what is generated depends on the coordinate and the seed, not on the storage", "[harness][matrix]") {
  HostMatrix rows(row_major(DType::f32, 5, 7, 9, 2)), columns({DType::f32, 5, 7, 2, {1, 6, 42}}, 64),
      other(rows.place());
  for (bool whole : {true, false}) {
    auto const fill = [whole](HostMatrix& matrix, std::uint64_t seed) {
      if (whole)
        matrix.fill_integers(seed, 1, 8);
      else
        matrix.fill_normals(seed, 1);
    };
    fill(rows, 3);
    fill(columns, 3);
    fill(other, 4);
    CHECK(rows.packed() == columns.packed());
    CHECK(rows.packed() != other.packed());
    std::set<double> seen;
    bool symmetric = true;
    for (std::int64_t i = 0; i < 5; ++i) {
      for (std::int64_t j = 0; j < 5; ++j) {
        seen.insert(rows.get(i, j, 0));
        symmetric = symmetric && rows.get(i, j, 0) == rows.get(j, i, 0);
      }
    }
    CHECK_FALSE(symmetric);
    CHECK(seen.size() > 8);
  }
}

TEST_CASE("whole numbers stay in their range and use all of it; normals have the right mean and deviation",
          "[harness][matrix]") {
  HostMatrix matrix(row_major(DType::f32, 200, 500, 500));
  matrix.fill_integers(1, 1, 3);
  std::set<double> seen;
  for (std::int64_t i = 0; i < 200; ++i) {
    for (std::int64_t j = 0; j < 500; ++j) seen.insert(matrix.get(i, j, 0));
  }
  CHECK(seen == std::set<double>{-3, -2, -1, 0, 1, 2, 3});
  matrix.fill_normals(1, 1);
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    for (std::int64_t j = 0; j < 500; ++j) {
      double const value = matrix.get(i, j, 0);
      sum += value, squares += value * value;
    }
  }
  // Five standard deviations of each estimate.
  CHECK(std::abs(sum / 1e5) < 5 / std::sqrt(1e5));
  CHECK(std::abs(squares / 1e5 - 1) < 5 * std::sqrt(2.0 / 1e5));
}

TEST_CASE("packed data goes in and out, transposed and repeated over a batch", "[harness][matrix]") {
  std::vector<unsigned char> const data{1, 2, 3, 4, 5, 6};
  HostMatrix straight(row_major(DType::i8, 2, 3, 4), 16), turned({DType::i8, 3, 2, 1, {1, 4, 0}}),
      repeated({DType::i8, 2, 3, 5, {3, 1, 0}});
  straight.set_packed(data, false);
  turned.set_packed(data, true);
  repeated.set_packed(data, false);
  CHECK(straight.packed() == data);
  CHECK(straight.get(1, 0, 0) == 4);
  CHECK(turned.get(0, 1, 0) == 4);
  CHECK(turned.get(2, 0, 0) == 3);
  CHECK(repeated.get(1, 2, 4) == 6);
}

TEST_CASE("a matrix that cannot be counted is refused", "[harness][matrix]") {
  std::int64_t const wide = std::int64_t{1} << 40;
  CHECK_THROWS_AS((MatrixPlace{DType::f32, wide, wide, 1, {wide, 1, 0}}.span()), Error);
  CHECK_THROWS_AS(row_major(DType::f32, std::int64_t{1} << 62, 1, 1).span(), Error);
  CHECK(row_major(DType::f32, 0, std::int64_t{1} << 62, std::int64_t{1} << 62).span() == 0);
}
