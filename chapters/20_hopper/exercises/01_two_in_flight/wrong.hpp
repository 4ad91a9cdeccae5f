#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Releases the stage of the tile before, as the chapter does. Says: race
// 2. Releases k_tiles - 1 stages: the next tile of C waits forever. Says: deadlock
// 3. Releases two stages at the end, where K may be one tile. Says: 1 tiles along K
// 4. Does not wait for the last products. Says: wgmma in flight

#include "products.hpp"  // Products, StageRing

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// C = A B over the tiles of the ring from `at` on. When it returns, all products are over and every stage is released,
/// once.
/// @pre the ring has three stages at least: two are held while a third is awaited
template <class Config>
TS_DEVICE void multiply_two_in_flight(Products<Config>& c, RingMemory<Config>& memory,
                                      RingPlace<Config::stages>& at, int k_tiles) {
  auto const ring = StageRing<Config>::of(memory);
  typename Products<Config>::Mma mma;
  auto const thr_mma = mma.slice(c.group * warpgroup_size);
  auto const tCrA = thr_mma.partition_fragment_A(memory.sA());  // (1,MMA_M,MMA_K,PIPE)
  auto const tCrB = thr_mma.partition_fragment_B(memory.sB());  // (1,MMA_N,MMA_K,PIPE)
  // so many tiles ago
  auto const stage_before = [&](int tiles) { return (at.stage + Config::stages - tiles) % Config::stages; };
  for (int i = 0; i < k_tiles; ++i) {
    ring.await(at);
    wgmma_fence();
    mma.accumulate_ = i > 0 ? ScaleOut::One : ScaleOut::Zero;
    static_for<decltype(size<2>(tCrA))::value>([&](auto k) TS_INLINE_LAMBDA {
      gemm(mma, tCrA(_, _, k, at.stage), tCrB(_, _, k, at.stage), c.tCrC);
      mma.accumulate_ = ScaleOut::One;
    });
    wgmma_commit();
    wgmma_wait<2>();
    if (wrong_answer(1)) {
      if (i > 0) ring.release(stage_before(1));
    } else if (i > 1) {
      ring.release(stage_before(2));
    }
    at.advance();
  }
  if (!wrong_answer(4)) wgmma_wait<0>();
  if ((k_tiles > 1 && !wrong_answer(1) && !wrong_answer(2)) || wrong_answer(3)) ring.release(stage_before(2));
  ring.release(stage_before(1));
}

}  // namespace tilestep
