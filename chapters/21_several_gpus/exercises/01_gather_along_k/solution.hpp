#pragma once
// The solution: a mode of stride 0 says that a coordinate does not choose the rank.

#include "kernel.hpp"  // Holder, make_holder

namespace tilestep {

/// (tile of M, tile of K) -> rank: one tile of M, P slices of K.
constexpr Holder holder_of_a(std::int64_t ranks) { return make_holder(1, 0, 1, ranks, 1); }  // (1,(1,P)):(0,(0,1))

/// (tile of N, tile of K) -> rank: P tiles of N, and all P slices of K of a tile on its rank.
constexpr Holder holder_of_b(std::int64_t ranks) { return make_holder(ranks, 1, ranks, 1, 0); }  // (P,(P,1)):(1,(0,0))

/// (tile of M, tile of N) -> rank: one tile of M, P tiles of N.
constexpr Holder holder_of_c(std::int64_t ranks) { return make_holder(1, 0, 1, ranks, 1); }  // (1,(1,P)):(0,(0,1))

}  // namespace tilestep
