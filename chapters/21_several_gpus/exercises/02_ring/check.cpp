// Grades the exercise: plays the ring for 1 to 6 ranks. A rank may send what it has, and receives no shard twice.

#include EXERCISE_HEADER

#include <cstdio>  // messages
#include <vector>  // shards

using namespace tilestep;

namespace {

/// 0 right, 1 wrong.
int check(int ranks) {
  auto const count = std::size_t(ranks);
  std::vector<std::vector<bool>> has(count, std::vector<bool>(count));
  for (int rank = 0; rank < ranks; ++rank) has[std::size_t(rank)][std::size_t(rank)] = true;
  for (int step = 0; step < ranks - 1; ++step) {
    auto const before = has;  // all send at once
    for (int rank = 0; rank < ranks; ++rank) {
      int const shard = shard_to_send(rank, step, ranks), next = (rank + 1) % ranks;
      if (shard < 0 || shard >= ranks) {
        std::printf("rank %d sends shard %d in step %d: there are shards 0 to %d\n", rank, shard, step, ranks - 1);
        return 1;
      }
      if (!before[std::size_t(rank)][std::size_t(shard)]) {
        std::printf("rank %d sends shard %d in step %d, and does not have it\n", rank, shard, step);
        return 1;
      }
      if (has[std::size_t(next)][std::size_t(shard)]) {
        std::printf("rank %d receives shard %d twice, with %d ranks\n", next, shard, ranks);
        return 1;
      }
      has[std::size_t(next)][std::size_t(shard)] = true;
    }
  }
  return 0;
}

}  // namespace

int main() {
  for (int ranks = 1; ranks <= 6; ++ranks) {
    if (check(ranks) != 0) return 1;
  }
  std::puts("right: every rank has every shard, and each crossed each link once");
  return 0;
}
