#pragma once
// Wrong answers to the exercise, one at a time.
// 1. One element a lane, as in the stub. Says: load requests
// 2. Vectors from the row's first element on. Says: misaligned
// 3. What is left after the vectors is forgotten. Says: sum(
// 4. The last vector runs past the end of the row. Says: out of bounds

#include <tilestep/backend/kernel.hpp>        // lane_index
#include <tilestep/backend/pointer.hpp>       // GlobalPtr, load
#include <tilestep/core.hpp>                  // min
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

#include <cstdint>  // std::int64_t

namespace tilestep {

TS_DEVICE inline float part_of_sum(GlobalPtr<float const> matrix, std::int64_t first, int count) {
  int const head = wrong_answer(1) ? count : wrong_answer(2) ? 0 : min(count, int(-first & 3));
  int const body = wrong_answer(4) ? (count - head + 3) / 4 * 4 : (count - head) / 4 * 4;
  float sum = 0;
  for (int i = lane_index(); i < head; i += 32) sum += matrix[first + i];
  for (int i = 4 * lane_index(); i < body; i += 128) {
    float four[4];
    load<4>(matrix + (first + head + i), four);
    for (float const value : four) sum += value;
  }
  if (lane_index() < count - head - body && !wrong_answer(3)) sum += matrix[first + head + body + lane_index()];
  return sum;
}

}  // namespace tilestep
