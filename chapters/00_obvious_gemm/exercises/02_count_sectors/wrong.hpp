#pragma once
// Wrong answers to the exercise, one at a time.
// 1. As if the 32 elements of B were neighbours. Says: you say 40960, and the virtual GPU counts more
// 2. A is forgotten. Says: you say 262144, and the virtual GPU counts more
// 3. Each thread's element of A in a sector of its own. Says: you say 524288, and the virtual GPU counts fewer
// 4. A sector is kept for the next step of k, as a cache would. Says: you say 33792, and the virtual GPU counts more

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

#include <cstdint>  // std::int64_t

namespace tilestep {

/// Sectors that the loads of all warps touch, request by request, in one launch of 4,096 threads.
inline std::int64_t const answer = wrong_answer(1)   ? 128 * 64 * (1 + 4)
                                   : wrong_answer(2) ? 128 * 64 * 32
                                   : wrong_answer(3) ? 128 * 64 * (32 + 32)
                                   : wrong_answer(4) ? 128 * 8 * (1 + 32)
                                                     : 128 * 64 * (1 + 32);

}  // namespace tilestep
