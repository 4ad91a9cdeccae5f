// What chapter 01's page says about its layouts, number by number.

#include "../../../chapters/01_layouts/kernel.hpp"  // the chapter's layouts

#include <tilestep/layout.hpp>  // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <set>          // offsets that were met
#include <string>       // printed forms
#include <type_traits>  // is_empty_v
#include <vector>       // memory

using namespace tilestep;

// [free]
static_assert(std::is_empty_v<decltype(row_major(_6{}, _8{}))>);
static_assert(row_major(_6{}, _8{})(_2{}, _3{}) == Int<19>{});
// [free]
static_assert(column_major(_6{}, _8{})(_2{}, _3{}) == Int<20>{});
static_assert(std::is_empty_v<decltype(side_by_side())>);

TEST_CASE("a layout gives the offsets that the page works out", "[chapter][01]") {
  CHECK(row_major(6, 8)(2, 3) == 19);
  CHECK(column_major(6, 8)(2, 3) == 20);
  CHECK(to_string(row_major(6, _8{})) == "(6,_8):(_8,_1)");
  CHECK(idx2crd(8, make_shape(6, 8)) == make_coord(2, 1));
  CHECK(row_major(6, 8)(8) == row_major(6, 8)(2, 1));
  CHECK(size(row_major(3, 4, 5)) == 12);
  CHECK(cosize(row_major(3, 4, 5)) == 14);
  CHECK(to_string(transposed(row_major(6, 8))) == "(8,6):(_1,8)");
}

TEST_CASE("run-time and compile-time numbers give the same offsets", "[chapter][01]") {
  auto const same = [](auto const& a, auto const& b) {
    REQUIRE(size(a) == size(b));
    for (int i = 0; i < size(a); ++i) CHECK(a(i) == b(i));
  };
  same(row_major(6, 8), row_major(_6{}, _8{}));
  same(column_major(6, 8), column_major(_6{}, _8{}));
  same(stored_by_tiles(6, 8, 2, 4), stored_by_tiles(_6{}, _8{}, _2{}, _4{}));
  same(tiles_of(row_major(6, 8), 2, 4), tiles_of(row_major(_6{}, _8{}), _2{}, _4{}));
}

TEST_CASE("a layout of nested modes takes flat coordinates too", "[chapter][01]") {
  auto const layout = stored_by_tiles(6, 8, 2, 4);
  CHECK(to_string(layout) == "((2,3),(4,2)):((4,16),(_1,8))");
  for (int m = 0; m < 6; ++m) {
    for (int n = 0; n < 8; ++n) CHECK(layout(m, n) == layout(make_coord(m % 2, m / 2), make_coord(n % 4, n / 4)));
  }
}

TEST_CASE("composition chooses rows and columns", "[chapter][01]") {
  auto const matrix = row_major(_4{}, _8{});
  auto const chosen = chosen_rows_and_columns();
  CHECK(to_string(chosen) == "(_2,_4):(_16,_1)");
  for (int m = 0; m < 2; ++m) {
    for (int n = 0; n < 4; ++n) CHECK(chosen(m, n) == matrix(2 * m, n));
  }
}

TEST_CASE("a layout and its complement together visit every place once", "[chapter][01]") {
  CHECK(to_string(what_it_leaves_out()) == "(_2,_3):(_1,_8)");
  std::set<int> visited;
  for (int copy = 0; copy < size(what_it_leaves_out()); ++copy) {
    for (int i = 0; i < size(every_other()); ++i) visited.insert(every_other()(i) + what_it_leaves_out()(copy));
  }
  CHECK(visited.size() == 24);
  CHECK(*visited.rbegin() == 23);
}

TEST_CASE("dividing moves nothing, and a ragged edge is rounded up to whole tiles", "[chapter][01]") {
  auto const matrix = row_major(7, 13);
  auto const tiles = tiles_of(matrix, 2, 4);
  CHECK(to_string(tiles.shape()) == "((2,4),(4,4))");
  for (int m = 0; m < 7; ++m) {
    for (int n = 0; n < 13; ++n) CHECK(tiles(make_coord(m % 2, n % 4), make_coord(m / 2, n / 4)) == matrix(m, n));
  }
}

TEST_CASE("the blocked product is the matrix stored by tiles, the raked one deals the tiles out", "[chapter][01]") {
  CHECK(to_string(side_by_side()) == to_string(stored_by_tiles(_6{}, _8{}, _2{}, _4{})));
  std::set<int> visited;
  for (int m = 0; m < 6; ++m) {
    for (int n = 0; n < 8; ++n) {
      visited.insert(dealt_out()(m, n));
      // Copies are numbered row by row, 8 elements each: neighbours belong to neighbouring copies.
      CHECK(dealt_out()(m, n) / 8 == m % 3 * 2 + n % 2);
    }
  }
  CHECK(visited.size() == 48);
}

TEST_CASE("nn nt tn tt are strides over row-major storage", "[chapter][01]") {
  std::int64_t const M = 5, N = 3, K = 4;
  for (char const letter : {'n', 't'}) {
    auto const a = operand_a(letter, M, K);
    auto const b = operand_b(letter, N, K);
    for (std::int64_t k = 0; k < K; ++k) {
      for (std::int64_t m = 0; m < M; ++m) CHECK(a(m, k) == (letter == 'n' ? m * K + k : k * M + m));
      for (std::int64_t n = 0; n < N; ++n) CHECK(b(n, k) == (letter == 'n' ? k * N + n : n * K + k));
    }
  }
}

TEST_CASE("a swizzle of run-time numbers is the library's swizzle", "[chapter][01]") {
  for (std::int64_t offset = 0; offset < 4096; ++offset) {
    CHECK(RunTimeSwizzle{3, 0, 3}(offset) == Swizzle<3, 0, 3>{}(offset));
    CHECK(RunTimeSwizzle{2, 3, 4}(offset) == Swizzle<2, 3, 4>{}(offset));
    CHECK(RunTimeSwizzle{0, 1, 0}(offset) == offset);
  }
}

TEST_CASE("the swizzle of the page sends a column of 8 x 8 elements to 8 different columns", "[chapter][01]") {
  auto const layout = swizzled({3, 0, 3}, row_major(8, 8));
  for (int n = 0; n < 8; ++n) {
    std::set<std::int64_t> columns;
    for (int m = 0; m < 8; ++m) columns.insert(layout(m, n) % 8);
    CHECK(columns.size() == 8);
  }
}
