// Draws which elements exist, where a window reads, and where a transposing read puts what it read, by asking identity
// tensors.

#include "kernel.hpp"  // is_inside, local_tile, make_identity_tensor

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <string>  // captions

namespace tilestep {

namespace {

/// A 5 x 7 matrix in 4 x 4 tiles: every element says its coordinate, coloured by tile. White ones do not exist.
Grid ragged() {
  auto const shape = make_shape(5, 7);
  auto const tile = make_tile(_4{}, _4{});
  auto const matrix = make_identity_tensor(shape);                      // (M,N) -> (m,n)
  auto const tiles = make_shape(_2{}, _2{});
  Grid grid(8, 8);
  grid.caption = "a 5 x 7 matrix in tiles of 4 x 4";
  grid.tile_rows = grid.tile_cols = 4;
  for (int block = 0; block < size(tiles); ++block) {
    auto const part = local_tile(matrix, tile, idx2crd(block, tiles));  // (BLK_M,BLK_N) -> (m,n)
    for (int i = 0; i < size(part); ++i) {
      auto const c = part(i);
      bool const exists = is_inside(c, shape);
      grid.at(get<0>(c), get<1>(c)) = {to_string(c), "tile " + std::to_string(block) + (exists ? "" : ": past the end"),
                                       exists ? block : -1};
    }
  }
  return grid;
}

/// The predicates of its last tile, as numbers.
Grid predicates() {
  auto const shape = make_shape(5, 7);
  // (BLK_M,BLK_N) -> (m,n)
  auto const part = local_tile(make_identity_tensor(shape), make_tile(_4{}, _4{}), make_coord(1, 1));
  Grid grid = make_grid(4, 4, [&](std::int64_t i, std::int64_t j) {
    bool const exists = is_inside(part(i, j), shape);
    return Cell{exists ? "1" : "0", to_string(part(i, j)), exists ? 3 : -1};
  });
  grid.caption = "the predicates of tile (1,1)";
  return grid;
}

/// A window of 5 x 6 at (-1,4) of a 6 x 8 source, where it lies: a row of it and two columns stick out.
Grid source() {
  auto const shape = make_shape(6, 8);
  auto const moved = domain_offset(make_coord(-1, 4), make_identity_tensor(shape));  // (M,N) -> (r,c)
  Grid grid = make_grid(7, 10, [&](std::int64_t row, std::int64_t col) {
    auto const c = make_coord(int(row) - 1, int(col));
    if (!is_inside(c, shape)) return Cell{"", "", Cell::nothing};
    return Cell{to_string(c), "the source's " + to_string(c), -1};
  });
  for (int m = 0; m < 5; ++m) {
    for (int n = 0; n < 6; ++n) {
      auto const c = moved(m, n);
      bool const exists = is_inside(c, shape);
      grid.at(get<0>(c) + 1, get<1>(c)) = {exists ? to_string(c) : "pad",
                                           "element " + detail::coordinate(m, n) + " of the window",
                                           exists ? int(get<0>(c)) : -1};
    }
  }
  grid.caption = "a 6 x 8 source, and a 5 x 6 window at (-1,4)";
  grid.row_axis = "r";
  grid.col_axis = "c";
  grid.first_row = -1;
  grid.marked = {{0, 4, 5, 6}};
  return grid;
}

/// The window itself: the coordinate that each element of the result asks for.
Grid window() {
  auto const shape = make_shape(6, 8);
  auto const moved = domain_offset(make_coord(-1, 4), make_identity_tensor(shape));  // (M,N) -> (r,c)
  Grid grid = make_grid(5, 6, [&](std::int64_t m, std::int64_t n) {
    auto const c = moved(m, n);
    bool const exists = is_inside(c, shape);
    return Cell{exists ? to_string(c) : "pad", detail::coordinate(m, n) + " asks for " + to_string(c),
                exists ? int(get<0>(c)) : -1};
  });
  grid.caption = "what each element of the result asks for";
  return grid;
}

/// Where the elements of a row-major 6 x 8 source go when a 3 x 4 window at row 1, column 2 is read transposed.
Grid transposed() {
  Grid grid(6, 8);
  grid.caption = "source (k,n)";
  grid.row_axis = "k";
  auto const stored = make_layout(make_shape(6, 8), LayoutRight{});  // (K,N) -> offset
  auto const seen = select<1, 0>(stored);                            // (N,K) -> offset
  auto const origin = select<1, 0>(make_coord(1, 2));                // (n,k)
  for (int n = 0; n < 3; ++n) {
    for (int k = 0; k < 4; ++k) {
      int const offset = seen(origin + make_coord(n, k));
      grid.at(offset / 8, offset % 8) = {
          detail::coordinate(n, k), detail::coordinate(offset / 8, offset % 8) + " goes to " + detail::coordinate(n, k),
          n};
    }
  }
  return grid;
}
Grid transposed_result() {
  Grid grid =
      make_grid(3, 4, [](std::int64_t n, std::int64_t k) { return Cell{detail::coordinate(n, k), {}, int(n)}; });
  grid.caption = "result (n,k)";
  grid.row_axis = "n";
  grid.col_axis = "k";
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"ragged", to_svg({ragged(), predicates()})},
          {"window", to_svg({source(), window()})},
          {"transposed", to_svg({transposed(), transposed_result()})}};
}

}  // namespace tilestep
