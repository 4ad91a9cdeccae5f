#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The offsets without the swizzle. Says: (1,0): you say 64, and chunk 0 of row 1 lies elsewhere
// 2. The row is added to the chunk, not xored. Says: (3,20): you say 236, and chunk 2 of row 3 lies elsewhere
// 3. Elements are exchanged instead of chunks of 8. Says: (1,0): you say 65, and chunk 0 of row 1 lies elsewhere

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Offsets, in elements, of (1,0), (3,20) and (7,63).
inline int const places[3] = {wrong_answer(1)   ? 64
                              : wrong_answer(3) ? 64 + (0 ^ 1)
                                                : 72,
                              wrong_answer(2) ? 192 + 8 * (2 + 3) + 4 : 204, 455};

}  // namespace tilestep
