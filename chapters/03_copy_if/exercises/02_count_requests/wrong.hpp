#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Each of 8 warps of 4 blocks loads its 4 elements. Says: you say 128, and the virtual GPU counts fewer
// 2. Rows above the source make requests too. Says: you say 80, and the virtual GPU counts fewer
// 3. As many requests as the 32 x 40 elements fill. Says: you say 40, and the virtual GPU counts more
// 4. The second tile along N is forgotten. Says: you say 32, and the virtual GPU counts more

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

#include <cstdint>  // std::int64_t

namespace tilestep {

/// Load requests of all warps in one launch.
inline std::int64_t const answer = wrong_answer(1)   ? 8 * 4 * 4
                                   : wrong_answer(2) ? 40 * 2
                                   : wrong_answer(3) ? 32 * 40 / 32
                                   : wrong_answer(4) ? 32
                                                     : 32 * 2;

}  // namespace tilestep
