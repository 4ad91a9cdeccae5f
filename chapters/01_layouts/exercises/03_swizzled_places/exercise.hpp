#pragma once
// The exercise: say where a swizzle puts three elements of a tile of 8 rows of 64 elements, row after row.
// Swizzle<3, 3, 3> xors the three bits above the lowest three with the three bits above those. An offset is
// 64 row + column: its lowest three bits say where in a chunk of 8 elements it lies, the next three which chunk of the
// row, the next three which row.

namespace tilestep {

/// Offsets, in elements, of (1,0), (3,20) and (7,63).
inline int const places[3] = {0, 0, 0};

}  // namespace tilestep
