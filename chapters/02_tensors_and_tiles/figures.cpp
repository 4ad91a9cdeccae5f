// Draws which block and which thread an element belongs to by asking the functions that the kernel calls, and which
// 32-byte sectors move by recording what the kernel's threads read.
#include "figures.hpp"

#include "kernel.hpp"  // local_tile, local_partition, packed_partition

#include <tilestep/backend/runtime.hpp>   // DeviceBuffer, take_reports
#include <tilestep/backend/timeline.hpp>  // begin_timeline, end_timeline
#include <tilestep/show.hpp>              // Grid, to_svg

#include <algorithm>  // std::find
#include <cstdint>    // std::int64_t
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
  auto const strided = [](auto const& tile, auto const& threads, int t) { return local_partition(tile, threads, t); };
  auto const packed = [](auto const& tile, auto const& threads, int t) { return packed_partition(tile, threads, t); };
  return {{"blocks", to_svg(blocks())},
          {"strided", to_svg(owners("local_partition: strided", strided))},
          {"packed", to_svg(owners("packed_partition: packed", packed))},
          {"read_straight", to_svg(first_read(run, false))},
          {"read_transposed", to_svg(first_read(run, true))}};
}

}  // namespace tilestep
