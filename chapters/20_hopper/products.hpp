#pragma once
// The products of the tiles of a ring, by wgmma, which reads them where they are. The sums are in registers.

#include "slab.hpp"        // WarpgroupSums
#include "stage_ring.hpp"  // StageRing

#include <tilestep/algorithm/gemm.hpp>  // gemm

namespace tilestep {

// [wgmma]
/// A warpgroup's sums by wgmma. @tparam Config  of any layout
template <class Config>
struct Products : WarpgroupSums<typename Config::AlongK> {
  using Sums = WarpgroupSums<typename Config::AlongK>;
  using Ring = StageRing<Config>;
  using Operation = SM90_64xNx16_SS<Config::N, Config::type, Config::major_a, Config::major_b>;
  using Mma = typename Sums::template TileMma<Operation>;
  using Sums::group, Sums::tCrC;

  TS_DEVICE explicit Products(int consumer) : Sums(consumer) {}

  /// C = A B over the tiles of the ring from `at` on. The last products are still in flight when it returns.
  TS_DEVICE TS_INLINE void multiply(RingMemory<Config>& memory, typename Ring::Place& at, int k_tiles) {
    auto const ring = Ring::of(memory);
    // [loop]
    Mma mma;
    auto const thr_mma = mma.slice(group * warpgroup_size);
    auto const tCrA = thr_mma.partition_fragment_A(memory.sA());         // (1,MMA_M,MMA_K,PIPE)
    auto const tCrB = thr_mma.partition_fragment_B(memory.sB());         // (1,MMA_N,MMA_K,PIPE)
    for (int i = 0; i < k_tiles; ++i) {
      ring.await(at);
      mma.accumulate_ = i > 0 ? ScaleOut::One : ScaleOut::Zero;
      wgmma_fence();
      auto const a = tCrA(_, _, _, at.stage);                            // (1,MMA_M,MMA_K)
      auto const b = tCrB(_, _, _, at.stage);                            // (1,MMA_N,MMA_K)
      unroll<decltype(size<2>(tCrA))::value>([&](auto k) TS_INLINE_LAMBDA {
        gemm(mma, a(_, _, k), b(_, _, k), tCrC);
        mma.accumulate_ = ScaleOut::One;
      });
      wgmma_commit();
      wgmma_wait<1>();  // the products of the tile before are complete
      if (i > 0) ring.release(at.previous());
      at.advance();
    }
    // [loop]
  }
  TS_DEVICE TS_INLINE void finish(RingMemory<Config>& memory, typename Ring::Place const& at) const {
    wgmma_wait<0>();
    Ring::of(memory).release(at.previous());
  }
  // [wgmma]
};

}  // namespace tilestep
