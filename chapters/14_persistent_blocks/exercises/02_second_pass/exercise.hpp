#pragma once
// The exercise: predict how many load requests the second pass of split-K issues. A request is one load instruction of
// one warp with at least one lane that loads. Type your number here, then let the virtual GPU count.

namespace tilestep {

/// C has 96 x 100 elements in f32, contiguous along N, and K is in 5 slices; beta is 0. AddSlices in
/// common/include/tilestep/block/split_k.hpp is the second pass: a block of 256 threads has 8 x 64 elements of C.
int const answer = 0;

}  // namespace tilestep
