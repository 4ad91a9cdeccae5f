#pragma once
// The exercise: an all-gather in a ring. In each step a rank sends one shard to the next rank, (rank + 1) % ranks, and
// receives one from the rank before. After ranks - 1 steps all have all shards.

namespace tilestep {

/// Which shard does a rank send in a step? Shard r is the one that rank r has at first.
/// @param step  0 .. ranks - 2   @return 0 .. ranks - 1
constexpr int shard_to_send([[maybe_unused]] int rank, [[maybe_unused]] int step, [[maybe_unused]] int ranks) {
  return 0;
}

}  // namespace tilestep
