#pragma once
// Wrong answers to the exercise, one at a time.
// 1. One pass, an element at a time. Says: load requests: 516, at most 132 are allowed
// 2. Reads the bias again for each row. Says: load requests: 192, at most 132 are allowed
// 3. Adds the residual before the activation. Says: C(0,0) is
// 4. Every warp takes the first 16 rows. Says: race

#include <tilestep/backend/kernel.hpp>        // thread_index
#include <tilestep/backend/pointer.hpp>       // GlobalPtr, load, store
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// C = relu(C + bias) + residual, all in f32. All 128 threads call it.
inline TS_DEVICE void finish(GlobalPtr<float> c, GlobalPtr<float const> bias, GlobalPtr<float const> residual) {
  if (wrong_answer(1)) {
    int const n = thread_index();
    float const b = bias[n];
    for (int m = 0; m < 64; ++m) {
      float const y = float(c[m * 128 + n]) + b;
      c[m * 128 + n] = (y < 0 ? 0 : y) + float(residual[m * 128 + n]);
    }
    return;
  }
  int const n = thread_index() % 32 * 4;
  float b[4], x[4], r[4];
  load<4>(bias + n, b);
  for (int i = 0; i < 16; ++i) {
    int const m = wrong_answer(4) ? i : i * 4 + thread_index() / 32;
    if (wrong_answer(2) && i > 0) load<4>(bias + n, b);
    load<4>(c + (m * 128 + n), x);
    load<4>(residual + (m * 128 + n), r);
    for (int v = 0; v < 4; ++v) {
      float const y = x[v] + b[v] + (wrong_answer(3) ? r[v] : 0);
      x[v] = (y < 0 ? 0 : y) + (wrong_answer(3) ? 0 : r[v]);
    }
    store<4>(c + (m * 128 + n), x);
  }
}

}  // namespace tilestep
