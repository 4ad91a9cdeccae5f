#pragma once
// A solution: half as many threads, two sums in each, one load of B for both.

#include <tilestep/backend/kernel.hpp>   // block_index, thread_index, fma
#include <tilestep/backend/pointer.hpp>  // global

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

  TS_HOST_DEVICE static std::int64_t pairs_of_rows(TwoParams const& p) { return (p.M + 1) / 2; }
  TS_HOST_DEVICE static std::int64_t blocks(TwoParams const& p) {
    return (pairs_of_rows(p) * p.N + threads - 1) / threads;
  }

  TS_DEVICE void operator()(Shared&, TwoParams const& p) const {
    std::int64_t const pair = block_index() * threads + thread_index();
    if (pair >= pairs_of_rows(p) * p.N) return;
    std::int64_t const m = pair / p.N * 2;
    std::int64_t const n = pair % p.N;
    bool const both = m + 1 < p.M;  // the last row of an odd M has no partner

    auto const a = global(p.a) + m * p.K;
    auto const b = global(p.b) + n;
    float sum = 0;
    float sum_below = 0;
    for (std::int64_t k = 0; k < p.K; ++k) {
      float const b_nk = b[k * p.N];
      float const a_mk = a[k];
      sum = fma(a_mk, b_nk, sum);
      if (both) {
        float const a_below = a[p.K + k];
        sum_below = fma(a_below, b_nk, sum_below);
      }
    }
    auto const c = global(p.c) + (m * p.N + n);
    c[0] = sum;
    if (both) c[p.N] = sum_below;
  }
};

}  // namespace tilestep
