#pragma once
// The solution. A matrix is eight rows of 16 bytes, and the banks are eight groups of 16 bytes. Row r begins in group r
// pitch / 8 mod 8.

namespace tilestep {

/// Elements of 16 bits from one row of the tile to the next, of a packed tile that is not swizzled.
int const pitches[4] = {32, 40, 48, 64};
/// Passes over the 32 banks of sm80 that the four matrices take together, at each of these pitches.
///   32: groups 0 4 0 4 ..: four rows in each of two   40: groups 0 5 2 7 4 1 6 3, all different
///   48: groups 0 6 4 2 0 ..: two rows in each of four   64: group 0 alone, all eight rows
int const wavefronts[4] = {4 * 4, 4 * 1, 4 * 2, 4 * 8};

}  // namespace tilestep
