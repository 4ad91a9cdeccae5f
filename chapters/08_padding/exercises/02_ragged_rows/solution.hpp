#pragma once
// The solution: single elements up to the first multiple of 16 bytes, whole vectors, and what is left after them.

#include <tilestep/backend/kernel.hpp>   // lane_index
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, load
#include <tilestep/core.hpp>             // min

#include <cstdint>  // std::int64_t

namespace tilestep {

/// This lane's part of the sum of elements first .. first + count - 1; the caller adds the parts of the 32 lanes.
/// @param matrix  begins at a multiple of 16 bytes, so element i does where i is a multiple of 4
TS_DEVICE inline float part_of_sum(GlobalPtr<float const> matrix, std::int64_t first, int count) {
  int const head = min(count, int(-first & 3)), body = (count - head) / 4 * 4, tail = count - head - body;
  float sum = 0;
  if (lane_index() < head) sum += matrix[first + lane_index()];
  for (int i = 4 * lane_index(); i < body; i += 128) {
    float four[4];
    load<4>(matrix + (first + head + i), four);
    for (float const value : four) sum += value;
  }
  if (lane_index() < tail) sum += matrix[first + head + body + lane_index()];
  return sum;
}

}  // namespace tilestep
