// Draws which block, which thread and which 32-byte sector an element belongs to, by asking the functions that the
// kernel calls.
#include "figures.hpp"

#include "kernel.hpp"  // local_tile, local_partition, packed_partition

#include <tilestep/show.hpp>  // Grid, to_svg

#include <algorithm>  // std::find
#include <string>     // captions

namespace tilestep {

namespace {

/// Which block copies which element of a 12 x 16 matrix in 4 x 8 tiles; hovering tells the place inside the tile.
Grid blocks() {
  Grid grid(12, 16);
  grid.caption = "the block of every element: 12 x 16 in tiles of 4 x 8";
  grid.tile_rows = 4, grid.tile_cols = 8;
  auto const matrix = make_identity_tensor(make_shape(12, 16));  // (M,N) -> (m,n)
  auto const tile = make_tile(_4{}, _8{});
  auto const tiles = make_shape(_3{}, _2{});
  for (int block = 0; block < size(tiles); ++block) {
    auto const part = local_tile(matrix, tile, idx2crd(block, tiles));  // (BLK_M,BLK_N) -> (m,n)
    for (int i = 0; i < size<0>(part); ++i) {
      for (int j = 0; j < size<1>(part); ++j) {
        auto const c = part(i, j);
        grid.at(get<0>(c), get<1>(c)) = {std::to_string(block),
                                         "block " + std::to_string(block) + " at " + detail::coordinate(i, j), block};
      }
    }
  }
  return grid;
}

/// Which of 2 x 4 threads owns which element of a 4 x 16 tile. `part_of(tile, threads, t)` is the part of thread t.
template <class PartOf>
Grid owners(std::string const& caption, PartOf const& part_of) {
  Grid grid(4, 16);
  grid.caption = caption;
  auto const tile = make_identity_tensor(make_shape(_4{}, _16{}));          // (BLK_M,BLK_N) -> (m,n)
  auto const threads = make_layout(make_shape(_2{}, _4{}), LayoutRight{});  // (THR_M,THR_N) -> thread
  for (int t = 0; t < size(threads); ++t) {
    auto const part = part_of(tile, threads, t);  // (BLK_M/THR_M,BLK_N/THR_N) -> (m,n)
    for (int i = 0; i < size(part); ++i) {
      auto const c = part(i);
      grid.at(get<0>(c), get<1>(c)) = {"T" + std::to_string(t),
                                       "thread " + std::to_string(t) + ", value " + std::to_string(i), t};
    }
  }
  return grid;
}

/// The first read of a warp of 32 lanes from a 32 x 32 source seen through `layout_in`: a number where a lane reads,
/// a colour for each sector of 8 floats that moves. The rows are those of the source in memory; the first 8 are
/// drawn.
template <class LayoutIn>
Grid first_read(std::string const& caption, LayoutIn const& layout_in) {
  Grid grid(8, 32);
  grid.caption = caption;
  grid.cut = true;
  auto const tile = make_identity_tensor(make_shape(_32{}, _32{}));          // (BLK_M,BLK_N) -> (m,n)
  auto const threads = make_layout(make_shape(_8{}, _32{}), LayoutRight{});  // (THR_M,THR_N) -> thread
  std::vector<int> sectors;                                                  // in the order in which lanes meet them
  for (int lane = 0; lane < 32; ++lane) {
    int const offset = layout_in(local_partition(tile, threads, lane)(0));
    auto const found = std::find(sectors.begin(), sectors.end(), offset / 8);
    int const color = static_cast<int>(found - sectors.begin());
    if (found == sectors.end()) sectors.push_back(offset / 8);
    for (int near = offset / 8 * 8; near < offset / 8 * 8 + 8 && near / 32 < 8; ++near) {
      Cell& cell = grid.at(near / 32, near % 32);
      cell.color = color;
      if (near == offset) cell.text = std::to_string(lane);
    }
  }
  return grid;
}

}  // namespace

std::vector<Figure> tile_figures() {
  auto const strided = [](auto const& tile, auto const& threads, int t) { return local_partition(tile, threads, t); };
  auto const packed = [](auto const& tile, auto const& threads, int t) { return packed_partition(tile, threads, t); };
  auto const source = make_layout(make_shape(_32{}, _32{}), LayoutRight{});  // (M,N)
  return {{"blocks", to_svg(blocks())},
          {"strided", to_svg(owners("local_partition: strided", strided))},
          {"packed", to_svg(owners("packed_partition: packed", packed))},
          {"read_straight", to_svg(first_read("copy: 32 lanes read 4 sectors", source))},
          {"read_transposed", to_svg(first_read("transpose: 32 lanes read 32 sectors", select<1, 0>(source)))}};
}

}  // namespace tilestep
