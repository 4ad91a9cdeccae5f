#pragma once
// The exercise: a fourth way to share a product, as layouts. P ranks hold the columns of the product and nothing else
// is shared by rows: rank r has tile r of N of B and of C, and all ranks together have A, in slices of K: rank r has
// slice r. An all-gather of A along K, and every rank multiplies.

#include "kernel.hpp"  // Holder, make_holder

namespace tilestep {

/// (tile of M, tile of K) -> rank: one tile of M, P slices of K.
constexpr Holder holder_of_a([[maybe_unused]] std::int64_t ranks) { return make_holder(1, 0, 1, 1, 0); }

/// (tile of N, tile of K) -> rank: P tiles of N, and all P slices of K of a tile on its rank.
constexpr Holder holder_of_b([[maybe_unused]] std::int64_t ranks) { return make_holder(1, 0, 1, 1, 0); }

/// (tile of M, tile of N) -> rank: one tile of M, P tiles of N.
constexpr Holder holder_of_c([[maybe_unused]] std::int64_t ranks) { return make_holder(1, 0, 1, 1, 0); }

}  // namespace tilestep
