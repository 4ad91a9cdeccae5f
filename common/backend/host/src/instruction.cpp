// The table of a worker's instructions: empty, or with one more.

#include <tilestep/backend/virtual_gpu/instruction.hpp>  // what is implemented here

#include <algorithm>  // std::fill

namespace tilestep::virtual_gpu {

void Instructions::begin_launch(int threads) {
  threads_ = threads;
  all_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
}

Instruction& Instructions::add(void const* path) {
  if (2 * all_.size() >= slots_.size()) {  // keep the table at most half full
    slots_.assign(2 * slots_.size(), Slot{});
    --shift_;
    for (auto const& each : all_) slot(each->path) = {each->path, each.get()};
  }
  all_.push_back(std::make_unique<Instruction>());
  Instruction& added = *all_.back();
  added.path = path;
  added.number = int(all_.size());
  added.last.resize(std::size_t(threads_));
  slot(path) = {path, &added};
  return added;
}

}  // namespace tilestep::virtual_gpu
