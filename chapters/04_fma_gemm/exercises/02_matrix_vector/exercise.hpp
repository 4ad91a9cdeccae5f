#pragma once
// The exercise: make a matrix times a vector load each sector once. This kernel is right, but neighbouring threads
// have neighbouring rows of A, and a row is stored in one piece: a request of a warp touches 32 sectors. Give each row
// to a warp.

#include <tilestep/backend/kernel.hpp>   // block_index, warp_index, lane_index, shuffle_xor, fma
#include <tilestep/backend/pointer.hpp>  // global

#include <cstdint>  // std::int64_t

namespace tilestep {

/// y(m) = sum over k of A(m,k) x(k). A(m,k) is a[m * K + k].
struct VectorParams {
  float const* a;
  float const* x;
  float* y;
  std::int64_t M, K;
};

struct MatrixVector {
  using Shared = NoShared;
  static constexpr char const* name = "MatrixVector";
  static constexpr int threads = 128;

  static std::int64_t blocks(VectorParams const& p) { return (p.M + threads - 1) / threads; }

  TS_DEVICE void operator()(Shared&, VectorParams const& p) const {
    std::int64_t const m = block_index() * threads + thread_index();
    if (m >= p.M) return;
    auto const a = global(p.a) + m * p.K;
    auto const x = global(p.x);
    float sum = 0;
    for (std::int64_t k = 0; k < p.K; ++k) sum = fma(float(a[k]), float(x[k]), sum);
    (global(p.y) + m)[0] = sum;
  }
};

}  // namespace tilestep
