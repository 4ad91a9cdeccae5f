#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Rows and columns of the tile exchanged. Says: tiles of C: you say 660
// 2. The last wave is not counted. Says: waves: you say 5
// 3. The blocks of the last wave instead of what it lacks. Says: idle multiprocessors: you say 3
// 4. Tiles by multiprocessors, rounded down. Says: tiles of one persistent block: you say 5

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Tiles of C.
inline int const tiles = wrong_answer(1) ? 20 * 33 : 663;
/// Waves of blocks.
inline int const waves = wrong_answer(2) ? 5 : 6;
/// Multiprocessors that have nothing to do in the last wave.
inline int const idle = wrong_answer(3) ? 3 : 129;
/// The same tiles on persistent blocks, one for each multiprocessor: the most tiles that one of them computes.
inline int const most = wrong_answer(4) ? 5 : 6;

}  // namespace tilestep
