#pragma once
// The exercise: predict what the virtual GPU counts for M = 128, N = 64, K = 96 in f16, A and B along K, on sm80.
// Replace the zeros.

namespace tilestep {

/// The tile is 64 x 64 x 32, computed by four warps with mma.m16n8k16. A load of a warp moves 16 bytes for each lane.
/// Of the whole launch, all blocks together:
int const barriers = 0;             // times that a block passes sync_threads()
int const load_requests = 0;        // load instructions of a warp from global memory
int const matrix_instructions = 0;  // mma.m16n8k16 of a warp

}  // namespace tilestep
