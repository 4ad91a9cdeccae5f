#include <tilestep/show/grid.hpp>

#include <tilestep/backend/error.hpp>  // bad_input
#include <tilestep/show/layouts.hpp>   // tiled

#include <algorithm>  // std::max

namespace tilestep {

namespace {

constexpr std::int64_t most_cells = 1 << 16;

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string right_aligned(std::string const& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

bool starts_tile(std::int64_t at, std::int64_t tile) { return tile > 0 && at > 0 && at % tile == 0; }

// A line of dashes as wide as the text lines, with a cross wherever a column of tiles ends.
std::string rule(Grid const& grid, std::size_t label, std::vector<std::size_t> const& widths) {
  std::string line = std::string(label + 1, ' ');
  for (std::int64_t col = 0; col < grid.cols; ++col) {
    if (starts_tile(col, grid.tile_cols)) line += "-+";
    line += std::string(widths[static_cast<std::size_t>(col)] + 1, '-');
  }
  return line + "\n";
}

}  // namespace

Grid::Grid(std::int64_t rows_, std::int64_t cols_) : rows(rows_), cols(cols_) {
  if (rows < 0 || cols < 0 || (rows > 0 && cols > most_cells / rows)) {
    bad_input("a picture of " + std::to_string(rows) + " x " + std::to_string(cols) +
              " cells is too large: " + std::to_string(most_cells) + " can be drawn");
  }
  cells.resize(static_cast<std::size_t>(rows * cols));
}

std::string to_text(Grid const& grid) {
  std::string const corner = grid.row_axis + "\\" + grid.col_axis;
  std::size_t label = corner.size();
  for (std::int64_t row = 0; row < grid.rows; ++row)
    label = std::max(label, std::to_string(grid.first_row + row).size());
  std::vector<std::size_t> widths;
  for (std::int64_t col = 0; col < grid.cols; ++col) {
    std::size_t width = std::to_string(grid.first_col + col).size();
    for (std::int64_t row = 0; row < grid.rows; ++row) width = std::max(width, one_line(grid.at(row, col).text).size());
    widths.push_back(width);
  }

  std::string text = grid.caption.empty() ? "" : grid.caption + "\n";
  auto const add_line = [&](std::string const& head, auto const& entry) {
    std::string line = right_aligned(head, label) + " ";
    for (std::int64_t col = 0; col < grid.cols; ++col) {
      if (starts_tile(col, grid.tile_cols)) line += " |";
      line += " " + right_aligned(entry(col), widths[static_cast<std::size_t>(col)]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line(corner, [&](std::int64_t col) { return std::to_string(grid.first_col + col); });
  for (std::int64_t row = 0; row < grid.rows; ++row) {
    if (starts_tile(row, grid.tile_rows)) text += rule(grid, label, widths);
    add_line(std::to_string(grid.first_row + row), [&](std::int64_t col) { return one_line(grid.at(row, col).text); });
  }
  if (grid.cut)
    text += "(the first " + std::to_string(grid.rows) + " rows and " + std::to_string(grid.cols) + " columns)\n";
  return text;
}

Grid tiled(Grid grid, std::int64_t tile_rows, std::int64_t tile_cols) {
  if (tile_rows < 1 || tile_cols < 1) bad_input("a tile needs at least one row and one column");
  grid.tile_rows = tile_rows;
  grid.tile_cols = tile_cols;
  std::int64_t const tiles_down = (grid.rows + tile_rows - 1) / tile_rows;
  for (std::int64_t row = 0; row < grid.rows; ++row) {
    for (std::int64_t col = 0; col < grid.cols; ++col) {
      std::int64_t const tile_row = row / tile_rows, tile_col = col / tile_cols;
      Cell& cell = grid.at(row, col);
      cell.color = static_cast<int>(tile_row + tile_col * tiles_down);
      cell.title += ", tile (" + std::to_string(tile_row) + "," + std::to_string(tile_col) + ")";
    }
  }
  return grid;
}

}  // namespace tilestep
