#pragma once
// The solution: a thread reads nothing but what it has copied itself, so its own wait is enough.

#include <tilestep/backend/async.hpp>    // async_copy, async_commit, async_wait
#include <tilestep/backend/kernel.hpp>   // block_index, thread_index
#include <tilestep/backend/pointer.hpp>  // global, shared, load

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
      async_commit();
    };
    float sum[4] = {};
    for (int m = 0; m < stages - 1; ++m) send(m);
    for (int m = 0; m < p.M; ++m) {
      async_wait<stages - 2, 1>();  // row m has arrived
      send(m + stages - 1);         // to the place of row m - 1, which this thread has read
      float row[4];
      if (n < p.N) load<4>(ring + m % stages * 4 * threads, row);
      for (int i = 0; i < 4 && n < p.N; ++i) sum[i] += row[i];
    }
    for (int i = 0; i < 4 && n < p.N; ++i) global(p.out)[n + i] = sum[i];
  }
};

}  // namespace tilestep
