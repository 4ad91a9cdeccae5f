#pragma once
// The solution. 4900 rows are 39 tiles of 128, the last one ragged, and 4100 columns are 17 tiles of 256: 663.
// 663 / 132 is 5.02: six waves, and the last has 663 - 5 x 132 = 3 blocks, so 129 multiprocessors are idle. Persistent
// blocks do not change that: three of them compute six tiles, the others five.

namespace tilestep {

/// Tiles of C.
inline int const tiles = 663;
/// Waves of blocks.
inline int const waves = 6;
/// Multiprocessors that have nothing to do in the last wave.
inline int const idle = 129;
/// The same tiles on persistent blocks, one for each multiprocessor: the most tiles that one of them computes.
inline int const most = 6;

}  // namespace tilestep
