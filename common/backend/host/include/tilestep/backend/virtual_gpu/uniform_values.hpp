#pragma once
// Values that the lanes of a warp have to bring alike. The lanes run one after another, so what hardware would see in
// one instruction arrives far apart: it belongs together if it comes from the same instruction of the kernel and is the
// same lane's n-th use of it. Lanes that use an instruction more often than others are in branches of their own, and
// which of their uses belong together is not known: they are not compared.

#include <tilestep/backend/virtual_gpu/instruction.hpp>  // Instruction

#include <array>    // std::array
#include <cstdint>  // std::int64_t
#include <vector>   // std::vector

namespace tilestep::virtual_gpu {

/// What the lanes of the warp that runs have brought since it last stopped.
class UniformValues {
 public:
  static constexpr std::size_t most_uses = 1024;  // of one lane; later ones are not compared

  /// Forgets all instructions: another launch begins.
  void begin_launch() { sites_.clear(), is_empty_ = true; }
  [[nodiscard]] bool empty() const { return is_empty_; }

  void add(Instruction const& call, int lane, std::int64_t value) {
    std::size_t i = 0;
    while (i < sites_.size() && sites_[i].call != &call) ++i;
    if (i == sites_.size()) sites_.push_back({&call, {}});
    is_empty_ = false;
    auto& mine = sites_[i].values[std::size_t(lane)];
    if (mine.size() < most_uses) mine.push_back(value);
  }

  /// Calls report(instruction, first lane, its value, other lane, its value) for every instruction to which lanes
  /// brought different values, and forgets all.
  template <class Report>
  void compare(Report&& report) {
    is_empty_ = true;
    for (Site& site : sites_) {
      int first = -1, other = -1;
      std::size_t use = 0;
      bool as_often = true;
      for (int lane = 0; lane < int(site.values.size()); ++lane) {
        auto const& mine = site.values[std::size_t(lane)];
        if (mine.empty()) continue;
        if (first < 0) {
          first = lane;
          continue;
        }
        auto const& its = site.values[std::size_t(first)];
        as_often = as_often && mine.size() == its.size();
        if (!as_often || other >= 0) continue;
        for (std::size_t n = 0; n < mine.size() && other < 0; ++n) {
          if (mine[n] != its[n]) other = lane, use = n;
        }
      }
      if (as_often && other >= 0)
        report(*site.call, first, site.values[std::size_t(first)][use], other, site.values[std::size_t(other)][use]);
      for (auto& each : site.values) each.clear();
    }
  }

 private:
  struct Site {
    Instruction const* call;
    std::array<std::vector<std::int64_t>, 64> values;  // of each lane
  };
  std::vector<Site> sites_;
  bool is_empty_ = true;
};

}  // namespace tilestep::virtual_gpu
