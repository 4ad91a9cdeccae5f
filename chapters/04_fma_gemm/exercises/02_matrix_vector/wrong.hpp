#pragma once
// Wrong answers to the exercise, one at a time.
// 1. A warp has a row, and each lane a piece of it. Says: right, but sectors loaded: 4160, at most 2080
// 2. The last exchange is forgotten. Says: y(0,0) is 8 and should be -58
// 3. No exchange adds the parts of the lanes. Says: y(0,0) is 28 and should be -58
// 4. Lanes beyond K leave before the exchange. Says: divergent
// 5. As many blocks as before. Says: y(4,0) is -1234.5

#include <tilestep/backend/kernel.hpp>        // block_index, warp_index, lane_index, shuffle_xor, fma
#include <tilestep/backend/pointer.hpp>       // global
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

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

  static std::int64_t blocks(VectorParams const& p) { return (p.M + warps - 1) / (wrong_answer(5) ? threads : warps); }

  TS_DEVICE void operator()(Shared&, VectorParams const& p) const {
    std::int64_t const m = block_index() * warps + warp_index();
    if (m >= p.M) return;  // the whole warp returns, or none of its lanes
    auto const a = global(p.a) + m * p.K;
    auto const x = global(p.x);
    float sum = 0;
    if (wrong_answer(4) && lane_index() >= p.K) return;
    std::int64_t const piece = (p.K + 31) / 32;
    for (std::int64_t i = 0; i < piece; ++i) {
      std::int64_t const k = wrong_answer(1) ? lane_index() * piece + i : lane_index() + 32 * i;
      if (k < p.K) sum = fma(float(a[k]), float(x[k]), sum);
    }
    int const last = wrong_answer(2) ? 1 : wrong_answer(3) ? 16 : 0;
    for (int mask = 16; mask > last; mask /= 2) sum += shuffle_xor(sum, mask);
    if (lane_index() == 0) (global(p.y) + m)[0] = sum;
  }
};

}  // namespace tilestep
