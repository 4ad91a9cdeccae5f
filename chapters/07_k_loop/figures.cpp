// Draws the tiles of one block by asking local_tile of identity tensors, and two warps of a block between its barriers.
#include "figures.hpp"

#include <tilestep/show.hpp>    // Grid, to_svg
#include <tilestep/tensor.hpp>  // local_tile, make_identity_tensor

#include <string>  // captions

namespace tilestep {

namespace {

/// A matrix of rows x K in whole tiles of 4 x 4: the row of tiles that one block needs, numbered by the iteration that
/// copies each, with a zero where the matrix has no element.
Grid along_k(std::string const& caption, int rows, int K, int tile_row, std::string const& row_axis) {
  Grid grid(ceil_div(rows, 4) * 4, ceil_div(K, 4) * 4);
  for (int i = 0; i < grid.rows * grid.cols; ++i) {
    if (i / grid.cols >= rows || i % grid.cols >= K)
      grid.at(i / grid.cols, i % grid.cols) = {"-", "outside of the matrix", -1};
  }
  grid.caption = caption;
  grid.row_axis = row_axis;
  grid.col_axis = "k";
  grid.tile_rows = grid.tile_cols = 4;
  // (BLK,BLK_K,k) -> (row,k)
  auto const tiles = local_tile(make_identity_tensor(make_shape(rows, K)), Tile<_4, _4>{}, make_coord(tile_row, _));
  for (int k = 0; k < size<2>(tiles); ++k) {
    for (int i = 0; i < size<0>(tiles) * size<1>(tiles); ++i) {
      auto const c = tiles(i % 4, i / 4, k);
      std::string const iteration = "iteration " + std::to_string(k);
      grid.at(get<0>(c), get<1>(c)) = elem_less(c, make_shape(rows, K)) ? Cell{std::to_string(k), iteration, k}
                                                                       : Cell{"0", iteration + " writes zero", -1};
    }
  }
  return grid;
}

/// C, and in it the tile whose sums the block keeps.
Grid sums(int rows, int cols, int tile_m, int tile_n) {
  Grid grid(rows, cols);
  grid.caption = "C: one tile, all iterations";
  grid.tile_rows = grid.tile_cols = 4;
  // (BLK_M,BLK_N) -> (m,n)
  auto const tile =
      local_tile(make_identity_tensor(make_shape(rows, cols)), Tile<_4, _4>{}, make_coord(tile_m, tile_n));
  for (int i = 0; i < size(tile.layout()); ++i) {
    auto const c = tile(i);
    if (elem_less(c, make_shape(rows, cols)))
      grid.at(get<0>(c), get<1>(c)) = {"+", "C" + to_string(c) + ": the sum stays in a register", 8};
  }
  return grid;
}

/// What a fast and a slow warp do, row by row in time. Copying is one colour for each tile of K, multiplying the same
/// one a little further on.
Grid in_time(std::string const& caption, std::vector<std::vector<std::string>> const& rows) {
  Grid grid(std::int64_t(rows.size()), 2);
  grid.caption = caption;
  grid.row_axis = "time";
  grid.col_axis = "warp";
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t warp = 0; warp < 2; ++warp) {
      std::string const& text = rows[t][warp];
      int const color = text.find("barrier") != std::string::npos || text.empty() ? -1
                        : text.find("copy") != std::string::npos                  ? 2 * (text.back() - '0')
                                                                                  : 2 * (text.back() - '0') + 1;
      grid.at(std::int64_t(t), std::int64_t(warp)) = {text, text, color};
    }
  }
  return grid;
}

std::string barriers() {
  return to_svg({in_time("one barrier: warp 0 overwrites what warp 1 reads", {{"copy 0", "copy 0"},
                                                                              {"barrier", "barrier"},
                                                                              {"multiply 0", ""},
                                                                              {"copy 1", "multiply 0"},
                                                                              {"barrier", "copy 1"},
                                                                              {"", "barrier"},
                                                                              {"multiply 1", "multiply 1"}}),
                 in_time("two barriers: written before read, read before overwritten", {{"copy 0", "copy 0"},
                                                                                        {"barrier", "barrier"},
                                                                                        {"multiply 0", ""},
                                                                                        {"", "multiply 0"},
                                                                                        {"2nd barrier", "2nd barrier"},
                                                                                        {"copy 1", "copy 1"},
                                                                                        {"barrier", "barrier"}})});
}

}  // namespace

std::vector<Figure> k_loop_figures() {
  return {{"tiles_along_k", to_svg({along_k("A: the rows of C's tile", 8, 14, 1, "m"),
                                    along_k("B: the columns of C's tile", 7, 14, 1, "n"), sums(8, 7, 1, 1)})},
          {"barriers", barriers()}};
}

}  // namespace tilestep
