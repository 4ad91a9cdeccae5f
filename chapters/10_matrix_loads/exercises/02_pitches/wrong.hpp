#pragma once
// Wrong answers to the exercise, one at a time.
// 1. No conflicts at all. Says: wavefronts with rows of 32 elements: you say 4, and the virtual GPU counts more
// 2. Wavefronts of one matrix. Says: wavefronts with rows of 32 elements: you say 4, and the virtual GPU counts more
// 3. The longer the rows, the more wavefronts. Says: wavefronts with rows of 40 elements: you say 20, and the virtual
// GPU counts fewer
// 4. All lanes of the warp in one phase. Says: wavefronts with rows of 64 elements: you say 16, and the virtual GPU
// counts more

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

inline int wavefronts_at(int right, int pitch) {
  if (wrong_answer(1)) return 4;
  if (wrong_answer(2)) return right / 4;
  if (wrong_answer(3)) return pitch / 2;
  if (wrong_answer(4)) return pitch == 64 ? 16 : right;
  return right;
}
int const pitches[4] = {32, 40, 48, 64};
int const wavefronts[4] = {wavefronts_at(16, 32), wavefronts_at(4, 40), wavefronts_at(8, 48), wavefronts_at(32, 64)};

}  // namespace tilestep
