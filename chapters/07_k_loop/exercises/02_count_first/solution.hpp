#pragma once
// The solution: two blocks, each of which walks over three tiles of K.

namespace tilestep {

/// The tile is 64 x 64 x 32, computed by four warps with mma.m16n8k16. A load of a warp moves 16 bytes for each lane.
/// Of the whole launch, all blocks together:
int const barriers = 2 * 3 * 2;                            // two for each tile
int const load_requests = 2 * 3 * 2 * 64 * 32 * 2 / 512;  // A and B: 4,096 bytes each, 512 for each request
int const matrix_instructions = 2 * 3 * (64 / 16) * (64 / 8) * (32 / 16);

}  // namespace tilestep
