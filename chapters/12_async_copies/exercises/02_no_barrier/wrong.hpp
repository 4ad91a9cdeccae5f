#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Nothing waits. Says: copy in flight
// 2. A barrier for each row. Says: right, but barriers: 18, at most 0
// 3. The wait is for all rows. Says: right, but a wait leaves 0 groups in flight when 3 of 9 rows
// 4. No empty groups at the end. Says: copy in flight
// 5. Threads past the last column write, too. Says: out of bounds
// 6. One row ahead. Says: right, but when row 0 of 9 is added 2 rows have been requested, and not 4

#include <tilestep/backend/async.hpp>         // async_copy, async_commit, async_wait
#include <tilestep/backend/kernel.hpp>        // block_index, thread_index, sync_threads
#include <tilestep/backend/pointer.hpp>       // global, shared, load
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// out(n) = sum over m of in(m,n), in row-major. N is a multiple of 4.
struct ColumnSumsParams {
  float const* in;
  float* out;
  int M, N;
};

/// A block has 512 columns, a thread four of them: those from 512 block_index() + 4 thread_index() on. The last block
/// may reach past N.
struct ColumnSums {
  using Params = ColumnSumsParams;
  static constexpr char const* name = "ColumnSums";
  static constexpr int threads = 128, stages = 4;
  struct Shared {
    SharedArray<float, stages * 4 * threads> ring;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const ring = shared(memory.ring, "ring") + 4 * thread_index();
    int const n = int(block_index()) * 4 * threads + 4 * thread_index();
    auto const send = [&](int m) {  // a group for each row, empty ones included
      if (m < p.M && n < p.N) async_copy<4>(ring + m % stages * 4 * threads, global(p.in) + (m * p.N + n), true);
      if (m < p.M || !wrong_answer(4)) async_commit();
    };
    float sum[4] = {};
    int const ahead = wrong_answer(6) ? 1 : stages - 1;
    for (int m = 0; m < ahead; ++m) send(m);
    for (int m = 0; m < p.M; ++m) {
      if (wrong_answer(2)) sync_threads();
      if (wrong_answer(3) || wrong_answer(6)) async_wait<0>();
      else if (!wrong_answer(1)) async_wait<stages - 2, 1>();  // row m has arrived
      send(m + ahead);  // to the place of row m - 1, which this thread has read
      float row[4];
      if (n < p.N) load<4>(ring + m % stages * 4 * threads, row);
      for (int i = 0; i < 4 && n < p.N; ++i) sum[i] += row[i];
    }
    for (int i = 0; i < 4 && (n < p.N || wrong_answer(5)); ++i) global(p.out)[n + i] = sum[i];
  }
};

}  // namespace tilestep
