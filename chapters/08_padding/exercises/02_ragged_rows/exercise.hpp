#pragma once
// The exercise: sum the rows of a matrix whose rows begin anywhere, in few load requests. The loop below is right, and
// asks for one element a lane.

#include <tilestep/backend/kernel.hpp>   // lane_index
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, load

#include <cstdint>  // std::int64_t

namespace tilestep {

/// This lane's part of the sum of elements first .. first + count - 1; the caller adds the parts of the 32 lanes.
/// @param matrix  begins at a multiple of 16 bytes, so element i does where i is a multiple of 4
/// Wanted: at most (count + 127) / 128 + 2 load requests of the warp. `load<4>(matrix + i, four)` reads four floats.
TS_DEVICE inline float part_of_sum(GlobalPtr<float const> matrix, std::int64_t first, int count) {
  float sum = 0;
  for (int i = lane_index(); i < count; i += 32) sum += matrix[first + i];
  return sum;
}

}  // namespace tilestep
