#pragma once
// The solution: a lane has four neighbours, 16 bytes, so a warp has a row and the block has four. Each element of C and
// of the residual is read once, C is written once, and a thread reads the bias of its columns before the loop.

#include <tilestep/backend/kernel.hpp>   // thread_index
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, load, store

namespace tilestep {

/// C = relu(C + bias) + residual, all in f32. All 128 threads call it.
/// @param c  64 x 128, rows of 128 elements, at a multiple of 16 bytes   @param residual  the same
/// @param bias  one for each of the 128 columns
inline TS_DEVICE void finish(GlobalPtr<float> c, GlobalPtr<float const> bias, GlobalPtr<float const> residual) {
  int const n = thread_index() % 32 * 4;
  float b[4], x[4], r[4];
  load<4>(bias + n, b);
  for (int m = thread_index() / 32; m < 64; m += 4) {
    load<4>(c + (m * 128 + n), x);
    load<4>(residual + (m * 128 + n), r);
    for (int v = 0; v < 4; ++v) {
      float const y = x[v] + b[v];
      x[v] = (y < 0 ? 0 : y) + r[v];
    }
    store<4>(c + (m * 128 + n), x);
  }
}

}  // namespace tilestep
