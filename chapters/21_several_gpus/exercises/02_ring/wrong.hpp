#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Its own shard in every step. Says: rank 1 receives shard 0 twice
// 2. The shards in the other direction. Says: rank 0 sends shard 1 in step 1, and does not have it
// 3. A number that is no shard. Says: rank 0 sends shard -1 in step 1: there are shards 0 to 2

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Which shard does a rank send in a step? Shard r is the one that rank r has at first.
/// @param step  0 .. ranks - 2   @return 0 .. ranks - 1
inline int shard_to_send(int rank, int step, int ranks) {
  if (wrong_answer(1)) return rank;
  if (wrong_answer(2)) return (rank + step) % ranks;
  if (wrong_answer(3)) return rank - step;
  return (rank - step + ranks) % ranks;
}

}  // namespace tilestep
