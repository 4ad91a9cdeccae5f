#pragma once
// Wrong answers to the exercise, one at a time.
// 1. A by rows, as the chapter's gather has it. Says: A has 4 x 1 tiles and should have 1 x 4
// 2. B in slices of K, as scatter has it. Says: B has 1 x 4 tiles and should have 4 x 4
// 3. Every tile of C on rank 0. Says: C(0,1) is 0 and should be 1
// 4. The slices of B dealt out to the ranks. Says: B(0,1) is 1 and should be 0

#include "kernel.hpp"  // Holder, make_holder

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// (tile of M, tile of K) -> rank: one tile of M, P slices of K.
inline Holder holder_of_a(std::int64_t ranks) {
  return wrong_answer(1) ? make_holder(ranks, 1, 1, 1, 0) : make_holder(1, 0, 1, ranks, 1);
}

/// (tile of N, tile of K) -> rank: P tiles of N, and all P slices of K of a tile on its rank.
inline Holder holder_of_b(std::int64_t ranks) {
  if (wrong_answer(2)) return make_holder(1, 0, 1, ranks, 1);
  return wrong_answer(4) ? make_holder(ranks, 0, 1, ranks, 1) : make_holder(ranks, 1, ranks, 1, 0);
}

/// (tile of M, tile of N) -> rank: one tile of M, P tiles of N.
inline Holder holder_of_c(std::int64_t ranks) { return make_holder(1, 0, 1, ranks, wrong_answer(3) ? 0 : 1); }

}  // namespace tilestep
