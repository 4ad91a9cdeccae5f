#pragma once
// A table of coloured cells: the one thing all pictures of this library are. What a cell says and which colour it has
// is decided by whoever fills the grid; here it becomes text for a terminal or SVG for a page. The same grid always
// gives the same bytes.

#include <cstdint>  // std::int64_t
#include <string>   // text, titles
#include <vector>   // cells

namespace tilestep {

/// One cell. Pictures that have no colours leave `color` negative.
struct Cell {
  static constexpr int nothing = -2;  ///< as a colour: no cell stands here

  std::string text = {};   ///< what stands in it; '\n' starts a second line
  std::string title = {};  ///< what hovering over it says
  int color = -1;          ///< number of a colour; there are 16, larger numbers start again
};

/// Some rows and columns of a grid, from (row, col) on.
struct Region {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t rows = 1;
  std::int64_t cols = 1;
};

/// A table, its axes and its caption.
struct Grid {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<Cell> cells = {};     ///< rows * cols of them, row after row
  std::string caption = {};         ///< above the table
  std::string row_axis = "m";       ///< name of the coordinate that counts rows
  std::string col_axis = "n";       ///< name of the coordinate that counts columns
  std::int64_t first_row = 0;       ///< coordinate of the first row
  std::int64_t first_col = 0;       ///< coordinate of the first column
  std::int64_t tile_rows = 0;       ///< a thick line every so many rows; 0: none
  std::int64_t tile_cols = 0;       ///< a thick line every so many columns; 0: none
  std::vector<Region> marked = {};  ///< each with a line around it in a picture; text has none
  bool cut = false;                 ///< only the first rows and columns of something larger

  Grid() = default;
  /// @par Errors  bad_input when there would be more than 2^16 cells
  Grid(std::int64_t rows, std::int64_t cols);
  Cell& at(std::int64_t row, std::int64_t col) { return cells[static_cast<std::size_t>(row * cols + col)]; }
  [[nodiscard]] Cell const& at(std::int64_t row, std::int64_t col) const {
    return cells[static_cast<std::size_t>(row * cols + col)];
  }
};

/// Fills a grid: `cell(row, col)` makes each cell.
template <class MakeCell>
Grid make_grid(std::int64_t rows, std::int64_t cols, MakeCell const& cell) {
  Grid grid(rows, cols);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t col = 0; col < cols; ++col) grid.at(row, col) = cell(row, col);
  }
  return grid;
}

/// The grid as lines of text, columns aligned, coordinates at the edges; lines of a cell are joined by a space.
std::string to_text(Grid const& grid);

/// The grid as an SVG file.
std::string to_svg(Grid const& grid);

/// Several grids in one SVG file: beside one another as far as a page is wide, then below.
std::string to_svg(std::vector<Grid> const& grids);

/// The operands of a matrix product where they meet: A left of C and B above it, so that a row of A and a column of B
/// cross at an element of C.
/// @param a  (m,k)
/// @param b  (k,n)
/// @param c  (m,n)
/// @param notes  lines of text in the corner that the three leave free
std::string to_svg_product(Grid const& a, Grid const& b, Grid const& c, std::vector<std::string> const& notes = {});

}  // namespace tilestep
