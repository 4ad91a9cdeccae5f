#pragma once
// The exercise: predict the wavefronts of one ldmatrix.x4 of A, 16 x 16, for tiles of four pitches. Replace the zeros.

namespace tilestep {

/// Elements of 16 bits from one row of the tile to the next, of a packed tile that is not swizzled.
int const pitches[4] = {32, 40, 48, 64};
/// Passes over the 32 banks of sm80 that the four matrices take together, at each of these pitches.
int const wavefronts[4] = {0, 0, 0, 0};

}  // namespace tilestep
