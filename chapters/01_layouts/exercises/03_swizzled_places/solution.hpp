#pragma once
// The solution. Chunk c of row r moves to chunk c xor r of the same row; inside of a chunk nothing moves. (1,0): chunk
// 0 xor 1 = 1, so 64 + 8 = 72. (3,20): chunk 2 xor 3 = 1, and 4 elements into it, so 192 + 8 + 4 = 204. (7,63): chunk
// 7 xor 7 = 0, and 7 into it, so 448 + 7 = 455.

namespace tilestep {

/// Offsets, in elements, of (1,0), (3,20) and (7,63).
inline int const places[3] = {72, 204, 455};

}  // namespace tilestep
