// Rows of addresses: making room, counting them, emptying them.

#include <tilestep/backend/virtual_gpu/warp_trace.hpp>  // what is implemented here

#include <algorithm>  // std::fill_n

namespace tilestep::virtual_gpu {

void WarpTrace::begin_launch(TargetInfo const& target, Counters& counters) {
  target_ = &target;
  counters_ = &counters;
  warp_size_ = target.warp_size;
  sites_.clear();
  used_.clear();
  assumed_rules_ = false;
}

TraceSite* WarpTrace::add_site(Traffic traffic, int bytes) {
  sites_.push_back(std::make_unique<TraceSite>());
  TraceSite& site = *sites_.back();
  site.traffic = traffic;
  site.bytes = bytes;
  for (std::size_t lane = 0; lane < site.next.size(); ++lane) site.next[lane] = std::uint32_t(lane);
  return &site;
}

bool WarpTrace::make_room(TraceSite& site, std::uint32_t at) {
  if (site.end == 0) used_.push_back(&site);
  std::size_t const most = most_rows * std::size_t(warp_size_);
  if (at >= most) return false;
  if (at >= site.rows.size()) {
    site.rows.resize(site.rows.empty() ? 4 * std::size_t(warp_size_) : std::min(most, 4 * site.rows.size()),
                     no_address);
  }
  site.end = std::uint32_t(site.rows.size());
  return true;
}

void WarpTrace::flush() {
  for (TraceSite* const site : used_) {
    std::uint32_t used = 0;
    for (int lane = 0; lane < warp_size_; ++lane) {
      used = std::max(used, site->next[std::size_t(lane)] - std::uint32_t(lane));
      site->next[std::size_t(lane)] = std::uint32_t(lane);
    }
    for (std::uint32_t row = 0; row < used; row += std::uint32_t(warp_size_)) count(*site, &site->rows[row]);
    std::fill_n(site->rows.begin(), used, no_address);
    site->end = 0;
  }
  used_.clear();
}

void WarpTrace::count(TraceSite& site, std::uint32_t const* row) {
  bool const is_global = site.traffic == Traffic::global_load || site.traffic == Traffic::global_store;
  bool const is_store = site.traffic == Traffic::global_store || site.traffic == Traffic::shared_store;
  std::uint32_t const period = is_global ? std::uint32_t(target_->segment_bytes) : 4;
  Cost const cost = site.costs.cost(row, warp_size_, period, [&](std::uint32_t const* addresses) {
    return is_global ? global_cost(addresses, warp_size_, site.bytes, target_->segment_bytes)
                     : shared_cost(addresses, warp_size_, site.bytes, target_->phases(is_store, site.bytes));
  });
  if (cost.active == 0) return;
  if (!is_global && target_->phases(is_store, site.bytes).assumed) assumed_rules_ = true;
  auto const add = [&](std::int64_t& requests, std::int64_t& bytes, std::int64_t& units, std::int64_t& ideal) {
    requests += 1;
    bytes += std::int64_t(cost.active) * site.bytes;
    units += cost.units;
    ideal += cost.ideal;
  };
  Counters& c = *counters_;
  switch (site.traffic) {
    case Traffic::global_load:
      return add(c.global_load_requests, c.global_load_bytes, c.global_load_sectors, c.global_load_sectors_ideal);
    case Traffic::global_store:
      return add(c.global_store_requests, c.global_store_bytes, c.global_store_sectors, c.global_store_sectors_ideal);
    case Traffic::shared_load:
      return add(c.shared_load_requests, c.shared_load_bytes, c.shared_load_wavefronts, c.shared_load_wavefronts_ideal);
    case Traffic::shared_store:
      return add(c.shared_store_requests, c.shared_store_bytes, c.shared_store_wavefronts,
                 c.shared_store_wavefronts_ideal);
  }
}

}  // namespace tilestep::virtual_gpu
