#pragma once
// The solution: a warp has 32 neighbours of a row in two rows of a block's 8, so it loads twice for each slice. C is
// 12 x 2 blocks; in the second column of blocks half of the warps have 32 elements of a row and half have the last 4,
// and both are a request. The three slices of the second four that do not exist load nothing.

namespace tilestep {

/// Blocks, warps of a block, rows of a warp, slices.
int const answer = (12 * 2) * 8 * 2 * 5;

}  // namespace tilestep
