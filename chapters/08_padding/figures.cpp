// Draws where the vectors of a matrix begin before and after repacking, and what each vector of a tile is asked on the
// way along K.
#include <tilestep/block.hpp>                    // within, rows_within
#include <tilestep/block/gemm_config.hpp>        // tile_copy
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <string>  // captions

namespace tilestep {

namespace {

/// Memory in lines of 16 bytes, 8 elements each: which element of a 4 x 11 matrix stands where. @param stored (M,K) ->
/// offset
template <class Stored>
Grid memory(Stored const& stored, int m_extent, int k_extent, std::string const& caption) {
  Grid grid(ceil_div(int(cosize(stored)), 8), 8);
  grid.caption = caption;
  grid.row_axis = "16 bytes";
  grid.col_axis = "element";
  for (int m = 0; m < size<0>(stored); ++m) {
    for (int k = 0; k < size<1>(stored); ++k) {
      int const offset = stored(m, k);
      bool const exists = m < m_extent && k < k_extent;
      grid.at(offset / 8, offset % 8) = exists ? Cell{detail::coordinate(m, k), "row " + std::to_string(m), m}
                                               : Cell{"0", "padding", -1};
    }
  }
  return grid;
}

Grid as_stored() { return memory(make_layout(make_shape(4, 11), LayoutRight{}), 4, 11, "4 x 11, as stored"); }
Grid as_repacked() {
  auto const padded = pad(make_layout(make_shape(4, 11)), make_shape(_4{}, _16{}));  // 4 x 16
  return memory(make_layout(padded.shape(), LayoutRight{}), 4, 11, "padded to 4 x 16");
}

/// The vectors of one tile of A with the predicates that they are asked. A is 6 x 20, tiles are 8 x 8, vectors have 4
/// elements.
/// @param asks  the predicate of a copy, from coordinates and shape
template <class Asks>
Grid predicates(int k_tile, std::string const& caption, Asks const& asks) {
  using Copy = decltype(detail::tile_copy<Contiguous::k, 4, float, 16, 8, 8>());  // 16 threads, one vector each
  auto const shape = make_shape(6, 20);
  // (BLK_M,BLK_K) -> (m,k)
  auto const tile = local_tile(make_identity_tensor(shape), Tile<_8, _8>{}, make_coord(0, k_tile));
  Grid grid(8, 2);
  grid.caption = caption;
  grid.col_axis = "vector";
  for (int thread = 0; thread < 16; ++thread) {
    auto const mine = Copy::slice(thread).partition_S(tile);  // (CPY,CPY_M,CPY_K) -> (m,k)
    auto const c = mine(0);
    bool const wanted = asks(mine, shape)(0);
    grid.at(get<0>(c), get<1>(c) % 8 / 4) = {
        wanted ? "read" : "0", "thread " + std::to_string(thread) + ", from " + to_string(c), wanted ? k_tile : -1};
  }
  return grid;
}

Grid ragged_tile() {
  return predicates(2, "first: tile 2 asks for (m,k)",
                    [](auto const& c, auto const& shape) { return within(c, shape); });
}
Grid whole_tile(int k_tile) {
  return predicates(k_tile, "then tile " + std::to_string(k_tile) + ": m alone",
                    [](auto const& c, auto const& shape) { return rows_within(c, shape); });
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"repacked", to_svg({as_stored(), as_repacked()})},
          {"backwards", to_svg({ragged_tile(), whole_tile(1), whole_tile(0)})}};
}

}  // namespace tilestep
