// Draws which block and which thread an element belongs to by asking the kernel's types, and which 32-byte sectors move
// by recording what the kernel's threads read.
#include "figures.hpp"

#include "kernel.hpp"  // TileByTileCopy, Strided, Packed

#include <tilestep/backend/runtime.hpp>   // DeviceBuffer, take_reports
#include <tilestep/backend/timeline.hpp>  // begin_timeline, end_timeline
#include <tilestep/show.hpp>              // Grid, to_svg

#include <algorithm>  // std::find
#include <cstdint>    // std::int64_t
#include <string>     // captions

namespace tilestep {

namespace {

/// The kernel with tiles and threads few enough to draw.
template <int BLK_N, class Partition>
using Drawn = TileByTileCopy<float, 4, BLK_N, Partition, 2, 4>;

/// Which block copies which element of a 12 x 16 matrix in 4 x 8 tiles; hovering tells the place inside the tile.
Grid blocks() {
  using Kernel = Drawn<8, Strided>;
  std::int64_t const rows = 12, cols = 16;
  MatrixView const layout(make_shape(rows, cols), make_stride(cols, std::int64_t(1)));
  CopyParams<float> const p{nullptr, nullptr, layout, layout};
  auto const matrix = make_identity_tensor(layout.shape());       // (M,N) -> (m,n)
  Grid grid(rows, cols);
  for (int block = 0; block < size(Kernel::grid(p)); ++block) {
    auto const part = Kernel::tile_of(matrix, p, block);          // (BLK_M,BLK_N) -> (m,n)
    grid.tile_rows = size<0>(part), grid.tile_cols = size<1>(part);
    for (int i = 0; i < size<0>(part); ++i) {
      for (int j = 0; j < size<1>(part); ++j) {
        auto const c = part(i, j);
        grid.at(get<0>(c), get<1>(c)) = {std::to_string(block),
                                         "block " + std::to_string(block) + " at " + detail::coordinate(i, j), block};
      }
    }
  }
  grid.caption = "the block of every element: 12 x 16 in tiles of " + std::to_string(grid.tile_rows) + " x " +
                 std::to_string(grid.tile_cols);
  return grid;
}

/// Which thread owns which element of a 4 x 16 tile.
template <class Partition>
Grid owners(std::string const& caption) {
  using Kernel = Drawn<16, Partition>;
  Grid grid(4, 16);
  grid.caption = caption;
  auto const tile = make_identity_tensor(make_shape(_4{}, _16{}));  // (BLK_M,BLK_N) -> (m,n)
  for (int t = 0; t < Kernel::threads; ++t) {
    auto const part = Kernel::part_of(tile, t);                     // (BLK_M/THR_M,BLK_N/THR_N) -> (m,n)
    for (int i = 0; i < size(part); ++i) {
      auto const c = part(i);
      grid.at(get<0>(c), get<1>(c)) = {"T" + std::to_string(t),
                                       "thread " + std::to_string(t) + ", value " + std::to_string(i), t};
    }
  }
  return grid;
}

/// The byte of the source that this thread of the kernel reads first, in a copy of 32 x 32 floats by tiles of 32 x 32.
std::int64_t first_byte_of(std::function<void(CopyCall const&)> const& run, bool transpose, int thread) {
  constexpr int rows = 32, cols = 32;
  DeviceBuffer<float> in("in", rows * cols), out("out", rows * cols);
  std::vector<float> const ones(rows * cols, 1.0f);
  in.upload(ones.data(), rows * cols);
  CopyCall call;
  call.kernel = "strided";
  call.in = in.data();
  call.out = out.data();
  call.rows = call.out_rows = rows;
  call.cols = call.out_cols = cols;
  call.stride_in = call.stride_out = {cols, 1, 0};
  call.transpose = transpose;
  call.tile = {32, 32};
  begin_timeline(thread);
  run(call);
  (void)take_reports();
  return end_timeline().at(0).at;
}

/// The first read of a warp of 32 lanes from a 32 x 32 source: a number where a lane reads, a colour for each sector of
/// 8 floats that moves. The rows are those of the source in memory; the first 8 are drawn.
Grid first_read(std::function<void(CopyCall const&)> const& run, bool transpose) {
  Grid grid(8, 32);
  grid.cut = true;
  std::vector<int> sectors;  // in the order in which lanes meet them
  for (int lane = 0; lane < 32; ++lane) {
    int const offset = int(first_byte_of(run, transpose, lane)) / 4;
    auto const found = std::find(sectors.begin(), sectors.end(), offset / 8);
    int const color = static_cast<int>(found - sectors.begin());
    if (found == sectors.end()) sectors.push_back(offset / 8);
    for (int near = offset / 8 * 8; near < offset / 8 * 8 + 8 && near / 32 < 8; ++near) {
      Cell& cell = grid.at(near / 32, near % 32);
      cell.color = color;
      if (near == offset) cell.text = std::to_string(lane);
    }
  }
  grid.caption = std::string(transpose ? "transpose" : "copy") + ": 32 lanes read " + std::to_string(sectors.size()) +
                 " sectors";
  return grid;
}

}  // namespace

std::vector<Figure> tile_figures(std::function<void(CopyCall const&)> const& run) {
  return {{"blocks", to_svg(blocks())},
          {"strided", to_svg(owners<Strided>("local_partition: strided"))},
          {"packed", to_svg(owners<Packed>("packed_partition: packed"))},
          {"read_straight", to_svg(first_read(run, false))},
          {"read_transposed", to_svg(first_read(run, true))}};
}

}  // namespace tilestep
