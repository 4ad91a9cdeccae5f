#pragma once
// What the chapter's layouts must say, element by element.

#include "figures.hpp"  // LayoutProblem
#include "kernel.hpp"   // the layouts

#include <tilestep/harness/record.hpp>  // Check

#include <string>  // names
#include <vector>  // lists

namespace tilestep {

/// Compares layout(m,n) with offset(m,n) for every element of the matrix.
template <class Matrix, class Offset>
Check compare(std::string const& name, LayoutProblem const& p, Matrix const& matrix, Offset const& offset) {
  Check check{.name = name, .method = "every element, exact", .compared = p.rows * p.cols};
  for (std::int64_t m = 0; m < p.rows; ++m) {
    for (std::int64_t n = 0; n < p.cols; ++n) {
      if (matrix(m, n) == offset(m, n)) continue;
      if (check.wrong++ == 0) {
        check.first_failure = "(m,n) = " + to_string(make_coord(m, n)) + ": got " + to_string(matrix(m, n)) +
                              ", want " + to_string(offset(m, n));
      }
    }
  }
  check.right = check.wrong == 0;
  return check;
}

/// Every layout of the problem against arithmetic that knows nothing of layouts.
inline std::vector<Check> checks(LayoutProblem const& p) {
  auto const by_rows = row_major(p.rows, p.cols);                                   // (M,N)
  auto const by_tiles = stored_by_tiles(p.rows, p.cols, p.tile.rows, p.tile.cols);  // (M,N)
  auto const exchanged = transposed(by_rows);                                       // (N,M)
  auto const tiles = tiles_of(by_rows, p.tile.rows, p.tile.cols);                   // ((m,n),(tile_m,tile_n))
  auto const shuffled = swizzled(p.swizzle, by_rows);                               // (M,N)

  auto const row_after_row = [&](std::int64_t m, std::int64_t n) { return m * p.cols + n; };
  auto const column_after_column = [&](std::int64_t m, std::int64_t n) { return n * p.rows + m; };
  auto const tile_after_tile = [&](std::int64_t m, std::int64_t n) {
    std::int64_t const tiles_in_a_row = (p.cols + p.tile.cols - 1) / p.tile.cols;
    std::int64_t const number = m / p.tile.rows * tiles_in_a_row + n / p.tile.cols;
    return (number * p.tile.rows + m % p.tile.rows) * p.tile.cols + n % p.tile.cols;
  };
  auto const through_tiles = [&](std::int64_t m, std::int64_t n) {
    return tiles(make_coord(m % p.tile.rows, n % p.tile.cols), make_coord(m / p.tile.rows, n / p.tile.cols));
  };
  auto const swizzled_back = [&](std::int64_t m, std::int64_t n) { return p.swizzle(shuffled(m, n)); };

  return {compare("row-major", p, by_rows, row_after_row),
          compare("columns", p, column_major(p.rows, p.cols), column_after_column),
          compare(
              "transpose", p, [&](std::int64_t m, std::int64_t n) { return exchanged(n, m); }, row_after_row),
          compare("by tiles", p, by_tiles, tile_after_tile),
          compare("divided", p, through_tiles, row_after_row),
          compare("swizzled", p, swizzled_back, row_after_row)};
}

}  // namespace tilestep
