#pragma once
// The exercise: say how a product of 4900 x 4100 fills a machine of 132 multiprocessors. A tile of C is 128 x 256, a
// multiprocessor runs one block at a time, and a block computes one tile.

namespace tilestep {

/// Tiles of C.
inline int const tiles = 0;
/// Waves of blocks.
inline int const waves = 0;
/// Multiprocessors that have nothing to do in the last wave.
inline int const idle = 0;
/// The same tiles on persistent blocks, one for each multiprocessor: the most tiles that one of them computes.
inline int const most = 0;

}  // namespace tilestep
