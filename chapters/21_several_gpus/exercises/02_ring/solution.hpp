#pragma once
// The solution: a rank passes on what came in the step before, and begins with its own.

namespace tilestep {

/// Which shard does a rank send in a step? Shard r is the one that rank r has at first.
/// @param step  0 .. ranks - 2   @return 0 .. ranks - 1
constexpr int shard_to_send(int rank, int step, int ranks) { return (rank - step + ranks) % ranks; }

}  // namespace tilestep
