#pragma once
// The exercise: this kernel is right, but it reads B more often than it must. Let each thread compute two elements of
// C.

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

  TS_HOST_DEVICE static std::int64_t blocks(TwoParams const& p) { return (p.M * p.N + threads - 1) / threads; }

  TS_DEVICE void operator()(Shared&, TwoParams const& p) const {
    std::int64_t const element = block_index() * threads + thread_index();
    if (element >= p.M * p.N) return;
    std::int64_t const m = element / p.N;
    std::int64_t const n = element % p.N;

    auto const a = global(p.a) + m * p.K;
    auto const b = global(p.b) + n;
    float sum = 0;
    for (std::int64_t k = 0; k < p.K; ++k) {
      float const a_mk = a[k];
      float const b_nk = b[k * p.N];
      sum = fma(a_mk, b_nk, sum);
    }
    (global(p.c) + m * p.N)[n] = sum;
  }
};

}  // namespace tilestep
