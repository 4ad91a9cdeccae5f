// Draws the very layouts that kernel.hpp makes: each picture asks a layout for the offset of every coordinate.
#include "figures.hpp"

namespace tilestep {

namespace {

constexpr Most most{24, 24};

/// The grid with a new caption and, where `color(row, col)` says so, new colours.
template <class Color>
Grid colored(Grid grid, std::string const& caption, Color const& color) {
  for (std::int64_t row = 0; row < grid.rows; ++row) {
    for (std::int64_t col = 0; col < grid.cols; ++col) grid.at(row, col).color = color(row, col);
  }
  grid.caption = caption;
  return grid;
}

/// The offsets of a matrix, one colour for each row.
template <class Matrix>
Grid offsets(Matrix const& matrix, std::string const& name) {
  return colored(layout_grid(matrix, most), name + " " + to_string(matrix),
                 [](std::int64_t row, std::int64_t) { return static_cast<int>(row); });
}

/// Memory as it is, a line: which coordinate lies at each offset. The colours are those of the rows.
template <class Matrix>
Grid memory(Matrix const& matrix) {
  std::int64_t const end = size(matrix) == 0 ? 0 : static_cast<std::int64_t>(cosize(matrix));
  Grid grid(1, std::min<std::int64_t>(end, 16));
  grid.row_axis = "memory", grid.col_axis = "offset";
  grid.caption = end > grid.cols ? "the first " + std::to_string(grid.cols) + " places in memory" : "in memory";
  for (std::int64_t m = 0; m < size<0>(matrix); ++m) {
    for (std::int64_t n = 0; n < size<1>(matrix); ++n) {
      std::int64_t const offset = matrix(m, n);
      if (offset < grid.cols)
        grid.at(0, offset) = {std::to_string(m) + "," + std::to_string(n), detail::coordinate(m, n),
                              static_cast<int>(m)};
    }
  }
  return grid;
}

/// One column for each tile, one row for each place inside a tile. What lies outside of the matrix stays empty.
Grid tile_by_tile(LayoutProblem const& p) {
  auto const matrix = row_major(p.rows, p.cols);                  // (M,N)
  auto const tiles = tiles_of(matrix, p.tile.rows, p.tile.cols);  // ((m,n),(tile_m,tile_n))
  auto const where =
      tiles_of(make_identity_layout(matrix.shape()), p.tile.rows, p.tile.cols);  // ((m,n),(tile_m,tile_n)) -> (m,n)
  Grid grid = colored(layout_grid(tiles, most), "its tiles " + to_string(tiles),
                      [](std::int64_t, std::int64_t tile) { return static_cast<int>(tile); });
  grid.row_axis = "place", grid.col_axis = "tile";
  for (std::int64_t place = 0; place < grid.rows; ++place) {
    for (std::int64_t tile = 0; tile < grid.cols; ++tile) {
      if (!elem_less(as_coordinate(where(place, tile)), matrix.shape()))
        grid.at(place, tile) = {"", "outside of the matrix", -1};
    }
  }
  return grid;
}

}  // namespace

std::vector<Picture> pictures_of_problem(LayoutProblem const& p) {
  auto const by_rows = row_major(p.rows, p.cols);
  auto const by_columns = column_major(p.rows, p.cols);
  auto const by_tiles = stored_by_tiles(p.rows, p.cols, p.tile.rows, p.tile.cols);
  std::vector<Picture> pictures = {
      {"row_major", "A row is contiguous.", {offsets(by_rows, "row-major"), memory(by_rows)}},
      {"column_major", "A column is contiguous.", {offsets(by_columns, "column-major"), memory(by_columns)}},
      {"transposed",
       "The same memory, rows and columns exchanged.",
       {colored(layout_grid(transposed(by_rows), most), "transposed " + to_string(transposed(by_rows)),
                [](std::int64_t, std::int64_t col) { return static_cast<int>(col); })}},
      {"stored_by_tiles",
       "A tile is contiguous.",
       {colored(tiled(layout_grid(by_tiles, most), p.tile.rows, p.tile.cols), "stored by tiles " + to_string(by_tiles),
                [](std::int64_t row, std::int64_t) { return static_cast<int>(row); }),
        memory(by_tiles)}},
      {"divided",
       "The row-major matrix cut into tiles: nothing moves.",
       {tiled(layout_grid(by_rows, most), p.tile.rows, p.tile.cols), tile_by_tile(p)}}};
  if (p.swizzle.bits > 0) {
    pictures.push_back({"swizzled",
                        "A permutation of offsets that strides cannot express.",
                        {offset_grid(swizzled(p.swizzle, by_rows), 1, most)}});
  }
  return pictures;
}

std::vector<Picture> pictures_of_page() {
  auto const matrix = row_major(_4{}, _8{});
  auto const chosen = chosen_rows_and_columns();
  auto const is_chosen = [&](std::int64_t offset) {
    for (int i = 0; i < size(chosen); ++i) {
      if (chosen(i) == offset) return true;
    }
    return false;
  };
  Grid source = colored(layout_grid(matrix), "the matrix " + to_string(matrix), [&](std::int64_t m, std::int64_t n) {
    return is_chosen(matrix(m, n)) ? static_cast<int>(m) : -1;
  });
  Grid result = colored(layout_grid(chosen), "composition " + to_string(chosen),
                        [](std::int64_t m, std::int64_t) { return static_cast<int>(2 * m); });

  auto const element = every_other();
  auto const start = what_it_leaves_out();
  Grid line(1, 24);
  line.row_axis = "memory", line.col_axis = "offset",
  line.caption = to_string(element) + " (coloured 0) and its copies";
  for (int copy = 0; copy < size(start); ++copy) {
    for (int i = 0; i < size(element); ++i) {
      line.at(0, element(i) + start(copy)) = {std::to_string(copy),
                                              "copy " + std::to_string(copy) + ", element " + std::to_string(i), copy};
    }
  }

  // An offset of a product tells the copy: there are 8 elements in each.
  auto const by_copy = [](auto const& product, std::string const& name) {
    return colored(layout_grid(product), name + " " + to_string(product),
                   [&](std::int64_t m, std::int64_t n) { return static_cast<int>(product(m, n)) / 8; });
  };
  Grid blocked = by_copy(side_by_side(), "blocked");
  blocked.tile_rows = 2, blocked.tile_cols = 4;
  return {{"composition", "Rows and columns chosen by two layouts.", {source, result}},
          {"complement", "The copies of 4:2 that fill 24 places.", {line}},
          {"product", "Six copies of a 2 x 4 tile.", {blocked, by_copy(dealt_out(), "raked")}}};
}

}  // namespace tilestep
