#pragma once
// What threads know of one another where barriers of the whole block do not say it: mbarriers, barriers of a few warps,
// clusters. Whoever lets others go on tells them what it knows, so each knows up to which time the others' accesses
// came before its own.

#include <algorithm>  // std::max, std::copy
#include <cstdint>    // std::uint32_t
#include <vector>     // std::vector

namespace tilestep::virtual_gpu {

/// Up to which time the accesses of each agent are known to be over. Agents are threads, the tensor cores of a
/// warpgroup, and the copies that land at one mbarrier.
using Knowledge = std::vector<std::uint32_t>;

inline void learn(Knowledge& to, Knowledge const& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
}

/// The knowledge of each thread of a cluster.
class Order {
 public:
  static constexpr int most_mbarriers = 64;  // with agents of their own; further ones share them

  explicit Order(int threads)
      : threads_(threads), groups_((threads + 127) / 128),
        known_(std::size_t(threads), Knowledge(std::size_t(agents()))) {}

  [[nodiscard]] int agents() const { return threads_ + groups_ + most_mbarriers; }
  [[nodiscard]] int warpgroup(int group) const { return threads_ + group; }
  [[nodiscard]] int copies_of(int mbarrier) const { return threads_ + groups_ + mbarrier % most_mbarriers; }
  [[nodiscard]] bool is_thread(int agent) const { return agent < threads_; }

  /// Does `me` know that what `agent` did at `time` is over?
  [[nodiscard]] bool before(std::uint32_t time, int agent, int me) const {
    return known_[std::size_t(me)][std::size_t(agent)] >= time;
  }
  [[nodiscard]] Knowledge& of(int thread) { return known_[std::size_t(thread)]; }

  /// The threads [first, last) have met at `now`: each knows what any of them knew, and what all of them did.
  void meet(int first, int last, std::uint32_t now) {
    Knowledge all = known_[std::size_t(first)];
    for (int i = first + 1; i < last; ++i) learn(all, known_[std::size_t(i)]);
    std::fill(all.begin() + first, all.begin() + last, now);
    for (int i = first; i < last; ++i) known_[std::size_t(i)] = all;
  }

 private:
  int threads_, groups_;
  std::vector<Knowledge> known_;
};

}  // namespace tilestep::virtual_gpu
