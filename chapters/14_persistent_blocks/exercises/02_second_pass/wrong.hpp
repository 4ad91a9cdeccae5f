#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Counts the slices that are loaded but do not exist: 8, not 5. Says: load requests of the second pass: you say
//    3072, and the virtual GPU counts fewer
// 2. Leaves out the warps with 4 columns. Says: you say 1440, and the virtual GPU counts more
// 3. Counts bytes. Says: you say 192000, and the virtual GPU counts fewer
// 4. Loads C as well. Says: you say 2304, and the virtual GPU counts fewer

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

inline int const answer = wrong_answer(1)   ? 24 * 8 * 2 * 8
                          : wrong_answer(2) ? (12 * 8 + 12 * 4) * 2 * 5
                          : wrong_answer(3) ? 96 * 100 * 5 * 4
                          : wrong_answer(4) ? 24 * 8 * 2 * 6
                                            : 24 * 8 * 2 * 5;

}  // namespace tilestep
