#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Each of the two sums loads its element of B, as two threads did. Says: bytes loaded: 524288, at most 393216
// 2. The last row of an odd M has a partner. Says: out of bounds
// 3. The number of pairs is rounded down. Says: C(32,0) is -1234.5
// 4. The second sum takes the row of A that lies M / 2 below. Says: C(1,0) is 105 and should be -75

#include <tilestep/backend/kernel.hpp>        // block_index, thread_index, fma
#include <tilestep/backend/pointer.hpp>       // global
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

#include <cstdint>  // std::int64_t

namespace tilestep {

/// C = A B, without gaps: A(m,k) is a[m * K + k], B(n,k) is b[k * N + n], C(m,n) is c[m * N + n].
struct TwoParams {
  float const* a;
  float const* b;
  float* c;
  std::int64_t M, N, K;
};

/// Two elements of a column of C per thread, C(m,n) and C(m+1,n): both need the same elements of B.
struct TwoElements {
  using Shared = NoShared;
  static constexpr char const* name = "TwoElements";
  static constexpr int threads = 256;

  static std::int64_t pairs_of_rows(TwoParams const& p) { return wrong_answer(3) ? p.M / 2 : (p.M + 1) / 2; }
  static std::int64_t blocks(TwoParams const& p) { return (pairs_of_rows(p) * p.N + threads - 1) / threads; }

  TS_DEVICE void operator()(Shared&, TwoParams const& p) const {
    std::int64_t const pair = block_index() * threads + thread_index();
    if (pair >= pairs_of_rows(p) * p.N) return;
    std::int64_t const m = pair / p.N * 2;
    std::int64_t const n = pair % p.N;
    bool const both = wrong_answer(2) || m + 1 < p.M;
    std::int64_t const below = wrong_answer(4) && m + p.M / 2 < p.M ? p.M / 2 : 1;

    auto const a = global(p.a) + m * p.K;
    auto const b = global(p.b) + n;
    float sum = 0;
    float sum_below = 0;
    for (std::int64_t k = 0; k < p.K; ++k) {
      float b_nk = b[k * p.N];
      float const a_mk = a[k];
      sum = fma(a_mk, b_nk, sum);
      if (both) {
        float const a_below = a[below * p.K + k];
        if (wrong_answer(1)) b_nk = b[k * p.N];
        sum_below = fma(a_below, b_nk, sum_below);
      }
    }
    auto const c = global(p.c) + (m * p.N + n);
    c[0] = sum;
    if (both) c[p.N] = sum_below;
  }
};

}  // namespace tilestep
