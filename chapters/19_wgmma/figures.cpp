// Draws a tile by asking its layout, and the ring in time by following its rules.
#include <tilestep/atom/wgmma.hpp>               // swizzled_tile, half_t
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <algorithm>  // std::max
#include <string>     // captions
#include <vector>     // tiles in flight

namespace tilestep {

namespace {

std::string number(int i) { return std::to_string(i); }

/// The first lines of 128 bytes of a tile of A whose rows lie along M, in pieces of 16 bytes.
/// @par Invariant  the eight pieces of a colour, which have the same m in eight rows, stand in eight different columns
Grid pieces() {
  auto const tile = swizzled_tile<half_t, Major::mn, TileSwizzle::bytes_128>(Shape<_128, _64>{});  // (BLK_M,BLK_K)
  Grid grid(16, 8);
  for (int k = 0; k < grid.rows; ++k) {
    for (int piece = 0; piece < grid.cols; ++piece) {
      int const m = piece * 8, place = int(tile(m, k));
      grid.at(place / 64, place % 64 / 8) = {"k " + number(k) + "\nm " + number(m),
                                             "eight elements from k " + number(k) + ", m " + number(m) + " on, " +
                                                 number(place * 2) + " bytes from the tile's beginning",
                                             piece};
    }
  }
  grid.caption = "the first 16 rows of a tile of A along M: the first of its two panels of 64 columns";
  grid.row_axis = "128 bytes";
  grid.col_axis = "16 bytes";
  grid.tile_rows = 8;
  grid.cut = true;
  return grid;
}

/// Ten tiles along K in a ring of four stages. A column is the time in which the tensor cores multiply a tile; a tile
/// takes two until it has landed.
/// @par Invariant  the products of tile t are issued while those of tile t - 1 run; tile t + 3 is issued when those
///     of tile t - 1 are over
Grid in_time() {
  constexpr int stages = 4, tiles = 10, to_land = 2;
  std::vector<int> begin;  // of a tile's products
  Grid grid(stages + 2, to_land + tiles);
  for (int tile = 0; tile < tiles; ++tile) {
    int const sent = tile < stages - 1 ? 0 : begin[std::size_t(tile - stages + 1)], landed = sent + to_land,
              issued = tile > 0 ? std::max(landed, begin.back()) : landed;
    begin.push_back(std::max(landed, tile > 0 ? begin.back() + 1 : 0));
    int const stage = tile % stages;
    std::string const text = number(tile), what = "tile " + text + ", stage " + number(stage) + ": ";
    for (int column = sent; column <= begin.back(); ++column) {
      if (column < landed) grid.at(stage, column) = {column == sent ? text : "...", what + "in flight", 1};
      else if (column < begin.back()) grid.at(stage, column) = {text, what + "landed", 2};
      else grid.at(stage, column) = {text, what + "read by the tensor cores", 3};
    }
    grid.at(stages, issued) = {grid.at(stages, issued).text + (grid.at(stages, issued).text.empty() ? "" : ", ") + text,
                               "a warpgroup issues the products of tile " + text + " and waits for those before", 4};
    grid.at(stages + 1, begin.back()) = {text, "tensor cores multiply tile " + text, 3};
  }
  grid.caption = "a ring of four stages; what a warpgroup issues; what the tensor cores multiply";
  grid.row_axis = "stage; warps; tensor cores";
  grid.col_axis = "time";
  grid.tile_rows = stages;
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() { return {{"tile", to_svg(pieces())}, {"in_time", to_svg(in_time())}}; }

}  // namespace tilestep
