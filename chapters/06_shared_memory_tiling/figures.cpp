// Draws which warp has which instruction of C, who copies what, and what ldmatrix is told and gives, by asking the
// partitions of identity tensors.
#include "figures.hpp"

#include <tilestep/harness/gemm_kinds.hpp>  // the tiles, GemmConfig
#include <tilestep/show.hpp>               // Grid, to_svg

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
  Grid grid(rows, cols);
  grid.caption = caption;
  grid.row_axis = in_m > 1 ? "m / 8" : "m";
  grid.col_axis = in_k > 1 ? "k / 8" : "k";
  for (int thread = 0; thread < Config::threads; ++thread) {
    auto const part = Config::CopyA::slice(thread).partition_S(tile);  // (CPY,CPY_M,CPY_K) -> (m,k)
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

// One ldmatrix.x4 that feeds B of two instructions.
using TwoAtoms = decltype(make_tiled_mma(MmaAtom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_1, _1, _1>>{},
                                         Tile<Underscore, _16, Underscore>{}));

/// 16 x 16 of B as it is stored, one cell for each element. @param Stored the modes of a row and of a column: 0 is n, 1
/// is k
template <class Operation, int Row>
Grid addresses() {
  auto const tile = make_identity_tensor(make_shape(_16{}, _16{}));  // (N,K) -> (n,k)
  Grid grid(16, 16);
  grid.caption = "the lane that points at it";
  grid.row_axis = Row == 0 ? "n" : "k";
  grid.col_axis = Row == 0 ? "k" : "n";
  grid.tile_rows = grid.tile_cols = 8;
  for (int lane = 0; lane < 32; ++lane) {
    // (CPY,1,1) -> (n,k)
    auto const part = make_tiled_copy_B(CopyAtom<Operation, half_t>{}, TwoAtoms{}).slice(lane).partition_S(tile);
    for (int i = 0; i < size(part); ++i) {
      auto const c = part(i);
      grid.at(get<Row>(c), get<1 - Row>(c)) = {i == 0 ? name("L", lane) : "",
                                               name("lane ", lane) + " gives the address of these 16 bytes", lane};
    }
  }
  return grid;
}
template <class Operation, int Row>
Grid received() {
  auto const tile = make_identity_tensor(make_shape(_16{}, _16{}));  // (N,K) -> (n,k)
  Grid grid(16, 16);
  grid.caption = "the lane that receives it, and as which value";
  grid.row_axis = Row == 0 ? "n" : "k";
  grid.col_axis = Row == 0 ? "k" : "n";
  grid.tile_rows = grid.tile_cols = 8;
  for (int lane = 0; lane < 32; ++lane) {
    auto const part = TwoAtoms::slice(lane).partition_B(tile);  // (MMA,2,1) -> (n,k)
    for (int v = 0; v < size<0>(part); ++v) {
      for (int atom = 0; atom < size<1>(part); ++atom) {
        auto const c = part(v, atom, 0);
        grid.at(get<Row>(c), get<1 - Row>(c)) = {name("L", lane) + "\n" + name(atom == 0 ? "V" : "W", v),
                                                 name("lane ", lane) + ", value " + std::to_string(v) + " of the " +
                                                     (atom == 0 ? "first" : "second") + " instruction",
                                                 lane};
      }
    }
  }
  return grid;
}

}  // namespace

std::vector<Figure> tiling_figures() {
  return {{"warps", to_svg({warps<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, 32>("sm80"),
                            warps<CDNA_32x32x8_F32F16F16F32, CdnaTile<32>, 64>("gfx942")})},
          {"vectors", to_svg({vectors<Contiguous::k>("A along K: the first rows", 10, 4),
                              vectors<Contiguous::mn>("A along M: the first columns", 16, 6)})},
          {"ldmatrix", to_svg({addresses<SM75_U32x4_LDSM_N, 0>(), received<SM75_U32x4_LDSM_N, 0>()})},
          {"ldmatrix_trans", to_svg({addresses<SM75_U16x8_LDSM_T, 1>(), received<SM75_U16x8_LDSM_T, 1>()})}};
}

}  // namespace tilestep
