#pragma once
// The orders in which things run. Every order is a function of the schedule and of what is ordered, never of the
// workers, so a run can be repeated.

#include <tilestep/backend/report.hpp>  // Schedule

#include <cstdint>  // std::int64_t, std::uint64_t
#include <numeric>  // std::gcd, std::iota
#include <utility>  // std::swap
#include <vector>   // std::vector

namespace tilestep::virtual_gpu {

/// A well-mixed number from a counter (splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Which block runs as the i-th of `blocks`. Random is i -> (a i + b) mod blocks with gcd(a, blocks) = 1: a permutation
/// that needs no table.
class BlockOrder {
 public:
  BlockOrder(Schedule schedule, std::int64_t blocks) : kind_(schedule.kind), blocks_(blocks) {
    if (kind_ != Schedule::Kind::random || blocks < 2) return;
    shift_ = std::int64_t(mix(schedule.seed) % std::uint64_t(blocks));
    factor_ = std::int64_t(mix(schedule.seed + 1) % std::uint64_t(blocks));
    while (std::gcd(factor_, blocks) != 1) factor_ = (factor_ + 1) % blocks;
  }
  [[nodiscard]] std::int64_t operator()(std::int64_t i) const {  // blocks < 2^31, so products fit
    if (kind_ == Schedule::Kind::in_order) return i;
    if (kind_ == Schedule::Kind::reverse) return blocks_ - 1 - i;
    return (i * factor_ + shift_) % blocks_;
  }

 private:
  Schedule::Kind kind_;
  std::int64_t blocks_, factor_ = 1, shift_ = 0;
};

/// Writes an order of 0 .. count-1 into `order`. `salt` says what is ordered: a random schedule shuffles anew for each.
inline void make_order(Schedule schedule, int count, std::uint64_t salt, std::vector<int>& order) {
  order.resize(std::size_t(count));
  std::iota(order.begin(), order.end(), 0);
  if (schedule.kind == Schedule::Kind::reverse) {
    for (int i = 0; i < count; ++i) order[std::size_t(i)] = count - 1 - i;
  } else if (schedule.kind == Schedule::Kind::random) {
    std::uint64_t state = mix(schedule.seed ^ mix(salt));
    for (int i = count - 1; i > 0; --i) {
      state = mix(state);
      std::swap(order[std::size_t(i)], order[std::size_t(state % std::uint64_t(i + 1))]);
    }
  }
}

}  // namespace tilestep::virtual_gpu
