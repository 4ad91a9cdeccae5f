#pragma once
// The obvious GEMM: one thread computes one element of C and reads what it needs from global memory. It uses plain
// pointers and whole numbers; of the library it takes only what starts a kernel and lets the virtual GPU count.

#include <tilestep/backend/kernel.hpp>   // block_index, thread_index, fma
#include <tilestep/backend/pointer.hpp>  // global

#include <cstdint>  // std::int64_t

namespace tilestep {

// [params]
/// What a launch gets: C(m,n) = alpha * (sum over k of A(m,k) * B(n,k)) + beta * C(m,n), for each of L products.
/// All steps count elements: A(m,k) of product l is a[m * a_m + k * a_k + l * a_l].
struct ObviousParams {
  float const* a;
  float const* b;
  float* c;
  std::int64_t M, N, K, L;
  std::int64_t a_m, a_k, a_l;
  std::int64_t b_n, b_k, b_l;
  std::int64_t c_m, c_n, c_l;
  float alpha, beta;
};
// [params]

// [kernel]
/// Where the neighbours of a thread work: on the next elements of a row of C, or of a column.
enum class Neighbours { along_row, along_column };

/// One element of C per thread.
template <Neighbours NEIGHBOURS> struct ObviousGemm {
  using Shared = NoShared;
  static constexpr char const* name = NEIGHBOURS == Neighbours::along_row ? "ObviousGemm<row>" : "ObviousGemm<column>";
  static constexpr int threads = 256;  // of a block

  TS_HOST_DEVICE static std::int64_t blocks(ObviousParams const& p) {
    return (p.M * p.N * p.L + threads - 1) / threads;
  }

  TS_DEVICE void operator()(Shared&, ObviousParams const& p) const {
    // Number all threads of all blocks. The last block may have more threads than there are elements left.
    std::int64_t const element = block_index() * threads + thread_index();
    if (element >= p.M * p.N * p.L) return;

    // Find this thread's element of C.
    constexpr bool along_row = NEIGHBOURS == Neighbours::along_row;
    std::int64_t const l = element / (p.M * p.N);
    std::int64_t const m = along_row ? element / p.N % p.M : element % p.M;
    std::int64_t const n = along_row ? element % p.N : element / p.M % p.N;

    // Point to where this thread's row of A, row of B and element of C begin.
    auto const a = global(p.a) + (m * p.a_m + l * p.a_l);
    auto const b = global(p.b) + (n * p.b_n + l * p.b_l);
    auto const c = global(p.c) + (m * p.c_m + n * p.c_n + l * p.c_l);

    // Two loads and one multiply-add for each k.
    float sum = 0;
    for (std::int64_t k = 0; k < p.K; ++k) {
      float const a_mk = a[k * p.a_k];
      float const b_nk = b[k * p.b_k];
      sum = fma(a_mk, b_nk, sum);
    }

    // With beta = 0 do not read C: it may not have been written.
    if (p.beta == 0) c[0] = p.alpha * sum;
    else c[0] = p.alpha * sum + p.beta * float(c[0]);
  }
};
// [kernel]

}  // namespace tilestep
