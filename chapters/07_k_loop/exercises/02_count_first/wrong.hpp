#pragma once
// Wrong answers to the exercise, one at a time.
// 1. One barrier for each tile. Says: barriers: you say 6, and the virtual GPU counts more
// 2. One block, not two. Says: barriers: you say 6, and the virtual GPU counts more
// 3. A load for each element. Says: load requests of a warp: you say 768, and the virtual GPU counts fewer
// 4. Instructions of one warp alone. Says: matrix instructions of a warp: you say 96, and the virtual GPU counts more

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

int const blocks = wrong_answer(2) ? 1 : 2, vector = wrong_answer(3) ? 1 : 8;
int const barriers = blocks * 3 * (wrong_answer(1) ? 1 : 2);
int const load_requests = blocks * 3 * 2 * 64 * 32 / vector / 32;
int const matrix_instructions = blocks * 3 * (64 / 16) * (64 / 8) * (32 / 16) / (wrong_answer(4) ? 4 : 1);

}  // namespace tilestep
