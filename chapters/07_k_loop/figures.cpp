// Draws the tiles of one block by asking the kernel's types, and two warps of a block that do what a thread of the
// kernel was recorded to do.
#include "figures.hpp"

#include "kernel.hpp"  // KLoopGemm

#include <tilestep/block/gemm_config.hpp>      // GemmConfig
#include <tilestep/harness/gemm_timeline.hpp>  // gemm_events
#include <tilestep/show.hpp>                   // Grid, to_svg

#include <algorithm>  // std::count_if
#include <string>     // captions

namespace tilestep {

namespace {

/// The kernel with a tile small enough to draw: 4 x 4 x 4, for four threads.
using Drawn = k_loop::KLoopGemm<GemmConfig<UniversalFMA<float>, BlockTile<4, 4, 4, 2, 2>, float, Contiguous::unknown,
                                           Contiguous::unknown, 1>,
                                float, float>;

/// A matrix of rows x K: the row of tiles that one block needs, each with the iteration in which the kernel's threads
/// copy it. What of a tile lies past the matrix is a zero in shared memory.
template <class Copy, class Blk>
Grid along_k(std::string const& caption, int rows, int K, int tile_row, std::string const& row_axis) {
  auto const shape = make_shape(rows, K);
  Grid grid = make_grid(8, 16, [&](std::int64_t row, std::int64_t k) {
    return Cell{"", "", elem_less(make_coord(int(row), int(k)), shape) ? -1 : Cell::nothing};
  });
  grid.caption = caption;
  grid.row_axis = row_axis;
  grid.col_axis = "k";
  grid.tile_rows = Blk::value;
  grid.tile_cols = Drawn::BlkK::value;
  grid.marked = {{0, 0, rows, K}};
  // (BLK,BLK_K,k) -> (row,k)
  auto const tiles = local_tile(make_identity_tensor(shape), Tile<Blk, Drawn::BlkK>{}, make_coord(tile_row, _));
  for (int thread = 0; thread < Drawn::threads; ++thread) {
    auto const part = Copy::slice(thread).partition_S(tiles);  // (CPY,CPY_M,CPY_K,k) -> (row,k)
    int const in_tile = int(size(part)) / int(size<3>(part));
    for (int i = 0; i < int(size(part)); ++i) {
      auto const c = part(i);
      int const t = i / in_tile;
      std::string const copied = "iteration " + std::to_string(t);
      grid.at(get<0>(c), get<1>(c)) = elem_less(c, shape) ? Cell{"t" + std::to_string(t), copied, t}
                                                          : Cell{"0", copied + ": past the matrix, a zero", -1};
    }
  }
  return grid;
}

/// C, and in it the tile whose sums the block keeps.
Grid sums(int rows, int cols, int tile_m, int tile_n) {
  auto const shape = make_shape(rows, cols);
  Grid grid = make_grid(8, 8, [&](std::int64_t m, std::int64_t n) {
    return Cell{"", "", elem_less(make_coord(int(m), int(n)), shape) ? -1 : Cell::nothing};
  });
  grid.caption = "C: one tile, all iterations";
  grid.tile_rows = Drawn::BlkM::value;
  grid.tile_cols = Drawn::BlkN::value;
  grid.marked = {{0, 0, rows, cols}};
  // (BLK_M,BLK_N) -> (m,n)
  auto const whole = make_identity_tensor(shape);
  auto const tile = local_tile(whole, Tile<Drawn::BlkM, Drawn::BlkN>{}, make_coord(tile_m, tile_n));
  for (int i = 0; i < size(tile.layout()); ++i) {
    auto const c = tile(i);
    grid.at(get<0>(c), get<1>(c)) =
        elem_less(c, shape) ? Cell{"+", "C" + to_string(c) + ": the sum stays in a register", 8}
                            : Cell{"+", "a sum of products with zeros: past the matrix, not stored", -1};
  }
  return grid;
}

using Run = std::function<void(GemmCall const&)>;

/// What a thread of the kernel does up to the product of the second tile: "copy 0", "barrier", "multiply 0", ..
std::vector<std::string> steps_of(Run const& run) {
  using enum TimelineEvent::Kind;
  std::vector<std::string> steps;
  int copied = -1, multiplied = -1;
  std::string last;
  for (TimelineEvent const& event : gemm_events(run, "sm80", "")) {
    bool const is_product = event.kind == instruction && event.what.starts_with("mma");
    std::string const what = event.kind == shared_store ? "copy"
                             : event.kind == barrier    ? "barrier"
                             : is_product               ? "multiply"
                                                        : "";
    if (what.empty() || what == last) continue;
    if (what == "barrier") steps.push_back(last == "multiply" ? "2nd barrier" : "barrier");
    else steps.push_back(what + " " + std::to_string(what == "copy" ? ++copied : ++multiplied));
    if (steps.back() == "multiply 1") break;
    last = what;
  }
  return steps;
}

/// What a fast and a slow warp do, row by row in time: the slow one begins its first product a row later. Each waits at
/// a barrier for the other. Copying is one colour for each tile of K, multiplying the same one a little further on.
Grid in_time(std::string const& caption, std::vector<std::string> const& steps) {
  std::vector<std::vector<std::string>> rows;
  std::size_t next[2] = {0, 0};
  bool late = false;
  while (next[0] < steps.size() || next[1] < steps.size()) {
    std::vector<std::string> row(2);
    auto const barriers_before = [&](std::size_t warp) {
      return std::count_if(steps.begin(), steps.begin() + std::ptrdiff_t(next[warp]),
                           [](std::string const& step) { return step.find("barrier") != std::string::npos; });
    };
    auto const passed = std::vector{barriers_before(0), barriers_before(1)};
    for (std::size_t warp = 0; warp < 2; ++warp) {
      if (next[warp] == steps.size() || passed[warp] > passed[1 - warp]) continue;  // done, or waits at a barrier
      if (warp == 1 && steps[next[warp]] == "multiply 0" && !late) {
        late = true;
        continue;
      }
      row[warp] = steps[next[warp]++];
    }
    rows.push_back(row);
  }
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

std::string barriers(Run const& run) {
  auto const two = steps_of(run);
  auto one = two;
  std::erase(one, "2nd barrier");
  return to_svg({in_time("one barrier: warp 0 overwrites what warp 1 reads", one),
                 in_time("two barriers: written before read, read before overwritten", two)});
}

}  // namespace

std::vector<Figure> k_loop_figures(Run const& run) {
  return {{"tiles_along_k", to_svg({along_k<Drawn::CopyA, Drawn::BlkM>("A: the rows of C's tile", 8, 14, 1, "m"),
                                    along_k<Drawn::CopyB, Drawn::BlkN>("B: the columns of C's tile", 7, 14, 1, "n"),
                                    sums(8, 7, 1, 1)})},
          {"barriers", barriers(run)}};
}

}  // namespace tilestep
