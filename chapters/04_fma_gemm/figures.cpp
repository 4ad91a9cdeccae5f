#include "kernel.hpp"  // RegisterTiledGemm

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <string>  // labels

namespace tilestep {

namespace {

/// Which thread owns which element of an 8 x 8 tile of C shared by 4 x 4 threads.
Grid threads_over_c() {
  auto const thr = RegisterTiledGemm<float, 8, 8, 4, 4>::threads_of_tile();    // (THR_M,THR_N) -> thread
  auto const tile = make_identity_tensor(Shape<_8, _8>{});                     // (BLK_M,BLK_N) -> (m,n)
  Grid grid(8, 8);
  for (int thread = 0; thread < size(thr); ++thread) {
    auto const mine = local_partition(tile, thr, thread);                      // (m,n)
    for (int value = 0; value < size(mine.layout()); ++value) {
      auto const [m, n] = mine(value);
      std::string const owner = std::to_string(thread);
      grid.at(m, n) = {owner,
                       "C(" + std::to_string(m) + "," + std::to_string(n) + "): thread " + owner + ", element " +
                           std::to_string(value),
                       thread};
    }
  }
  grid.caption = "threads " + to_string(thr) + " over an 8 x 8 tile of C";
  return tiled(grid, 4, 4);
}

/// The order in which (V,M) x (V,N) => (V,M,N) walks a 4 x 4 tile.
Grid serpentine_order() {
  Grid grid(4, 4);
  int step = 0;
  for (int m = 0; m < 4; ++m) {
    for (int i = 0; i < 4; ++i, ++step) {
      int const n = detail::serpentine(m, i, 4);
      grid.at(m, n) = {std::to_string(step),
                       "step " + std::to_string(step) + ": C(" + std::to_string(m) + "," + std::to_string(n) + ")",
                       step / 4};
    }
  }
  grid.caption = "the order of the multiply-adds";
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"threads_over_c", to_svg(threads_over_c())}, {"serpentine", to_svg(serpentine_order())}};
}

}  // namespace tilestep
