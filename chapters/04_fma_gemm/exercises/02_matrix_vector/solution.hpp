#pragma once
// The solution: the lanes of a warp load 32 neighbours of a row, so that a request touches 4 sectors. Each lane has a
// part of the sum, and five exchanges add the parts.

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

  static constexpr int warps = 4;  // of a block, each with a row

  static std::int64_t blocks(VectorParams const& p) { return (p.M + warps - 1) / warps; }

  TS_DEVICE void operator()(Shared&, VectorParams const& p) const {
    std::int64_t const m = block_index() * warps + warp_index();
    if (m >= p.M) return;  // the whole warp returns, or none of its lanes
    auto const a = global(p.a) + m * p.K;
    auto const x = global(p.x);
    float sum = 0;
    for (std::int64_t k = lane_index(); k < p.K; k += 32) sum = fma(float(a[k]), float(x[k]), sum);
    for (int mask = 16; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);  // of 2 lanes, of 4, .. of 32
    if (lane_index() == 0) (global(p.y) + m)[0] = sum;
  }
};

}  // namespace tilestep
