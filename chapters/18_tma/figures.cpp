// Draws a tile by asking its layout, and the ring in time by following its rules.
#include <tilestep/block/gemm_config.hpp>        // GemmConfig
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <algorithm>  // std::max
#include <string>     // captions
#include <vector>     // tiles in flight

namespace tilestep {

namespace {

std::string number(int i) { return std::to_string(i); }

/// The first lines of 128 bytes of a tile of A, in pieces of 16 bytes.
/// @par Invariant  the pieces of a colour, which ldmatrix reads at once for eight rows, stand in eight different
/// columns
Grid pieces() {
  using Tile = decltype(detail::shared_tile<Arrangement::swizzled, Contiguous::k, half_t, 128, 64>());  // (BLK_M,BLK_K)
  Grid grid(16, 8);
  for (int m = 0; m < grid.rows; ++m) {
    for (int piece = 0; piece < grid.cols; ++piece) {
      int const k = piece * 8, place = int(Tile{}(m, k));
      grid.at(place / 64, place % 64 / 8) = {"m " + number(m) + "\nk " + number(k),
                                             "eight elements from m " + number(m) + ", k " + number(k) + " on, " +
                                                 number(place * 2) + " bytes from the tile's beginning",
                                             piece};
    }
  }
  grid.caption = "the first 16 rows of a tile of A, 64 elements along K, as TMA writes them";
  grid.row_axis = "128 bytes";
  grid.col_axis = "16 bytes";
  grid.tile_rows = 8;
  grid.cut = true;
  return grid;
}

/// Ten tiles along K in a ring of four stages. A column is the time in which a tile is multiplied; a tile takes two
/// until it has landed.
/// @par Invariant  the copies of tile t are issued when tile t - 4 was read, while tile t - 3 is multiplied
Grid ring() {
  constexpr int stages = 4, tiles = 10, to_land = 2;
  std::vector<int> begin;  // of a tile's products
  Grid grid(stages, to_land + tiles);
  for (int tile = 0; tile < tiles; ++tile) {
    int const sent = tile < stages - 1 ? 0 : begin[std::size_t(tile - stages + 1)], landed = sent + to_land;
    begin.push_back(std::max(landed, tile > 0 ? begin.back() + 1 : 0));
    int const stage = tile % stages, phase = tile / stages;
    std::string const what = "tile " + number(tile) + ", stage " + number(stage) + ": ",
                      which = " phase " + number(phase) + ", of parity " + number(phase % 2),
                      text = number(tile) + "\np " + number(phase % 2);
    for (int column = sent; column <= begin.back(); ++column) {
      if (column < landed) grid.at(stage, column) = {text, what + "in flight, full is in" + which, 1};
      else if (column < begin.back()) grid.at(stage, column) = {text, what + "landed, full has ended" + which, 2};
      else grid.at(stage, column) = {text, what + "multiplied; when it was read, empty ends" + which, 3};
    }
  }
  grid.caption = "a ring of four stages: the tile, and the parity p of the phase of its mbarriers";
  grid.row_axis = "stage";
  grid.col_axis = "time";
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() { return {{"tile", to_svg(pieces())}, {"ring", to_svg(ring())}}; }

}  // namespace tilestep
