// Draws who copies what, by hand and by a TiledCopy, and which warp has which instruction of C, by asking the
// partitions of identity tensors.

#include "by_hand.hpp"  // ByHandGemm
#include "kernel.hpp"   // BlockGemm, tile_copy

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/harness/gemm_kinds.hpp>       // the tiles, GemmConfig
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <string>  // captions

namespace tilestep {

namespace {

std::string name(char const* letter, int number) { return letter + std::to_string(number); }

/// A block's tile of C, one cell for each matrix instruction of a step along K: which warp issues it, and as which of
/// its own.
template <class Op, class BlkTile, int Lanes>
Grid warps(std::string const& target) {
  using Config = GemmConfig<Op, BlkTile, half_t, Contiguous::k, Contiguous::k, 8>;
  // (BLK_M,BLK_N) -> (m,n)
  auto const tile = make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkN{}));
  Grid grid(BlkTile::m / Op::M, BlkTile::n / Op::N);
  grid.caption = target + ": " + std::to_string(BlkTile::m) + " x " + std::to_string(BlkTile::n) + " of C, cells of " +
                 std::to_string(Op::M) + " x " + std::to_string(Op::N);
  for (int warp = 0; warp < Config::threads / Lanes; ++warp) {
    auto const part = Config::Mma::slice(warp * Lanes).partition_C(tile);  // (MMA,MMA_M,MMA_N) -> (m,n)
    for (int i = 0; i < size<1>(part); ++i) {
      for (int j = 0; j < size<2>(part); ++j) {
        auto const c = part(0, i, j);
        grid.at(get<0>(c) / Op::M, get<1>(c) / Op::N) = {
            name("W", warp),
            name("warp ", warp) + ", its instruction " + detail::coordinate(i, j) + ", from C" + to_string(c), warp};
      }
    }
  }
  return grid;
}

/// The first elements of a tile of A, 128 x 32, one cell for each vector of 8: who copies it. @param rows, cols of
/// vectors that are drawn
template <Contiguous Along>
Grid vectors(std::string const& caption, int rows, int cols) {
  using Config = GemmConfig<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, half_t, Along, Along, 8>;
  constexpr int in_m = Along == Contiguous::mn ? 8 : 1, in_k = 8 / in_m;
  // (BLK_M,BLK_K) -> (m,k)
  auto const tile = make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkK{}));
  using Kernel = shared_memory_tiling::BlockGemm<Config, float, float>;
  auto const copy_a = Kernel::template tile_copy<Along, typename Config::BlkM, typename Config::BlkK>();
  Grid grid(rows, cols);
  grid.caption = caption;
  grid.row_axis = in_m > 1 ? "m / 8" : "m";
  grid.col_axis = in_k > 1 ? "k / 8" : "k";
  for (int thread = 0; thread < Config::threads; ++thread) {
    auto const part = copy_a.slice(thread).partition_S(tile);  // (CPY,CPY_M,CPY_K) -> (m,k)
    for (int i = 0; i < size<1>(part); ++i) {
      for (int j = 0; j < size<2>(part); ++j) {
        auto const c = part(0, i, j);
        int const row = int(get<0>(c)) / in_m, col = int(get<1>(c)) / in_k;
        if (row >= rows || col >= cols) continue;
        grid.at(row, col) = {
            name("T", thread),
            name("thread ", thread) + ", its vector " + detail::coordinate(i, j) + ", from A" + to_string(c),
            thread / 32 * 4 + thread % 4};
      }
    }
  }
  return grid;
}

/// The first rows of A's tile, 128 x 8, as the loop by hand copies it: a cell for each element.
Grid elements() {
  using shared_memory_tiling::ByHandGemm;
  constexpr int rows = 10, cols = ByHandGemm::BlkK::value, threads = ByHandGemm::threads;
  Grid grid = make_grid(rows, cols, [](std::int64_t row, std::int64_t col) {
    int const i = int(row) * cols + int(col), thread = i % threads;
    return Cell{name("T", thread),
                name("thread ", thread) + ", i = " + std::to_string(i) + ": A" + detail::coordinate(int(row), int(col)),
                thread % 8};
  });
  grid.caption = "A along K: the first rows";
  grid.row_axis = "m";
  grid.col_axis = "k";
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"by_hand", to_svg({elements()})},
          {"warps", to_svg({warps<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, 32>("sm80"),
                            warps<CDNA_32x32x8_F32F16F16F32, CdnaTile<32>, 64>("gfx942")})},
          {"vectors", to_svg({vectors<Contiguous::k>("A along K: the first rows", 10, 4),
                              vectors<Contiguous::mn>("A along M: the first columns", 16, 6)})}};
}

}  // namespace tilestep
