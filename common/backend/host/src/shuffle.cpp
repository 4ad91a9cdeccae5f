// A shuffle: each lane takes what another lane of its warp brought.

#include <tilestep/backend/virtual_gpu/rendezvous.hpp>  // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>      // Worker

#include <array>  // std::array

namespace tilestep::virtual_gpu {

namespace {

struct Exchange {
  std::uint64_t value;  // what the lane brings, and then takes away
  int source;           // whose value it wants
};

void exchange(Worker& worker, Lanes const& lanes) {
  std::array<std::uint64_t, 64> brought;
  for (int i = 0; i < lanes.count; ++i) brought[std::size_t(i)] = lanes.of<Exchange>(i).value;
  for (int i = 0; i < lanes.count; ++i) {
    auto& [value, source] = lanes.of<Exchange>(i);
    if (source < 0 || source >= worker.warp_size) continue;  // no such lane: it keeps its own
    if (source < lanes.count) {
      value = brought[std::size_t(source)];
    } else {
      worker.report_missing_lane(i, source);
      value = ~std::uint64_t(0);
    }
  }
  ++worker.counters.shuffles;
}

constexpr Collective shuffle{"a shuffle", exchange};

}  // namespace

std::uint64_t exchange_in_warp(std::uint64_t value, int source, std::source_location const& place) {
  Exchange mine{value, source};
  meet_in_warp(shuffle, &mine, place);
  return mine.value;
}

}  // namespace tilestep::virtual_gpu
