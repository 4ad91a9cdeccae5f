#pragma once
// Which block computes which tile of C, and when. Blocks that run at the same time share what they read in the L2, so
// their tiles should have rows of A and of B in common. A schedule numbers the tiles in the order in which blocks take
// them. The map from a number to a tile is a bijection: tests check that for grids of any size.

#include <tilestep/backend/kernel.hpp>  // uniform
#include <tilestep/core.hpp>            // idx2crd, min, transform

#include <cstdint>  // std::int64_t

namespace tilestep {

/// A kernel's tile, and how many of its blocks a compute unit holds at once.
struct TileOfBlock {
  int m, n, k, resident;
};

// [schedule]
/// A grid of tiles, and how blocks go through it. Where K is split, each slice of it has all tiles of C once more.
struct TileSchedule {
  int tiles_m = 0, tiles_n = 0, batches = 1, slices = 1;
  int group = 1;         ///< rows of tiles that are walked together: 1 is row by row, tiles_m is column by column
  int dies = 1;          ///< that blocks go to in turn, each with an L2 of its own
  int blocks = 0;        ///< how many are launched: if fewer than there are tiles, each takes several
  int slice_k_tiles = 0; ///< tiles along K of a slice

  TS_HOST_DEVICE constexpr int tiles() const { return tiles_m * tiles_n * batches * slices; }
};
// [schedule]

// [maps]
/// The tile of this number where groups of `group` rows of tiles are walked along N, down each column of the group
/// before the next. The last group has the rows that are left. @param number 0 .. tiles_m tiles_n - 1   @param group 1
/// .. tiles_m @return (m,n)
TS_HOST_DEVICE constexpr auto grouped_tile(int number, int tiles_m, int tiles_n, int group) {
  int const first = number / (group * tiles_n) * group;  // row of the group
  int const rows = min(group, tiles_m - first);
  auto const [m, n] = idx2crd(number - first * tiles_n, make_shape(rows, tiles_n));
  return make_coord(first + m, n);
}

/// Hardware gives number i to die i mod dies. Here the numbers of one die become neighbours: the first die has the
/// first of the new numbers, the next die those that follow. Where `count` is no multiple of `dies`, the first dies
/// have one more each. @param number 0 .. count - 1
TS_HOST_DEVICE constexpr int neighbours_on_die(int number, int count, int dies) {
  int const die = number % dies;
  return die * (count / dies) + min(die, count % dies) + number / dies;
}
// [maps]

/// @param number 0 .. tiles() - 1 @return (m,n,batch,slice)
TS_INLINE TS_HOST_DEVICE constexpr auto tile_coord(int number, TileSchedule const& s) {
  int const area = s.tiles_m * s.tiles_n;
  int const mine = s.dies == 1 ? number : neighbours_on_die(number, s.tiles(), s.dies);
  auto const [in_matrix, batch, slice] = idx2crd(mine, make_shape(area, s.batches, s.slices));
  auto const [m, n] = grouped_tile(in_matrix, s.tiles_m, s.tiles_n, s.group);
  return make_coord(m, n, batch, slice);
}

/// The number of a block's tile in its turn 0, 1, 2, ..: blocks that are launched for several tiles each go on by as
/// many as there are blocks.
TS_HOST_DEVICE constexpr int tile_number(int block, int turn, TileSchedule const& s) { return block + turn * s.blocks; }
/// How many turns a block has.
TS_HOST_DEVICE constexpr int turns(int block, TileSchedule const& s) {
  return (s.tiles() - block + s.blocks - 1) / s.blocks;
}

/// The place of the tile of this number as values that all threads of a warp share. @return (m,n,batch,slice)
TS_INLINE TS_DEVICE auto uniform_tile(int number, TileSchedule const& s) {
  return transform(tile_coord(number, s), [](int c) TS_INLINE_LAMBDA { return std::int64_t(uniform(c)); });
}

}  // namespace tilestep
