// Where threads of a Hopper kernel meet beside the barrier of the block, and what is said when they never do.

#include <tilestep/backend/virtual_gpu/hopper.hpp>  // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>  // Worker

#include <string>  // messages

namespace tilestep::virtual_gpu {

[[gnu::noinline]] void Hopper::meet_group(int id, int threads, bool waits, Where const& place) {
  using enum Worker::State;
  if (id < 1 || id > 15) worker_.abandon_thread("group barriers have numbers 1 to 15");
  Instruction const& call = worker_.instruction(__builtin_frame_address(0), place);
  int const number = worker_.rank * 16 + id;
  Group& group = groups_[std::size_t(number)];
  if (group.arrived == 0) group.threads = threads;
  if (group.threads != threads) {
    worker_.hazards.add({"divergent barrier", 0, {&call, 60}}, worker_.turn_, [&] {
      return worker_.who(me()) + " comes to group barrier " + std::to_string(id) + " of " + std::to_string(threads) +
             " threads at " + line_of(&call) + ", where others wait for " + std::to_string(group.threads) +
             ": give every group barrier a number of its own";
    });
    worker_.stop_here(abandoned);
  }
  release(group.known);
  if (++group.arrived < group.threads) {
    if (!waits) return;
    Worker::Thread& self = worker_.threads_[std::size_t(me())];
    self.place = place;
    self.object = number;
    return worker_.stop_here(at_group);
  }
  for (int i = worker_.rank * block_threads_; i < (worker_.rank + 1) * block_threads_; ++i) {
    Worker::Thread& other = worker_.threads_[std::size_t(i)];
    if (other.state != at_group || other.object != number) continue;
    learn(order_.of(i), group.known);
    other.state = ready;
  }
  if (waits) learn(order_.of(me()), group.known);
  worker_.share_begin(worker_.rank * block_threads_, (worker_.rank + 1) * block_threads_);
  std::fill(group.known.begin(), group.known.end(), 0);
  group.arrived = 0;
}

void Hopper::meet_cluster(Where const& place) {
  worker_.threads_[std::size_t(me())].place = place;
  worker_.stop_here(Worker::State::at_cluster);
}

[[gnu::noinline]] void Hopper::set_registers(int registers, bool takes, Where const& place) {
  Instruction const& call = worker_.instruction(__builtin_frame_address(0), place);
  int& mine = states_[std::size_t(me())].registers;
  int const before = mine > 0 ? mine : std::min(255, 65536 / block_threads_ / 8 * 8);
  if (takes ? registers < before : registers > before) {
    worker_.hazards.add({"broken requirement", 0, {&call, 61}}, worker_.turn_, [&] {
      return worker_.who(me()) + (takes ? " takes " : " gives back all but ") + std::to_string(registers) +
             " registers at " + line_of(&call) + " and has " + std::to_string(before) + ": " +
             (takes ? "give_registers() makes them fewer" : "take_registers() makes them more");
    });
  }
  mine = registers;
}

// @return  can anybody go on now?
bool Hopper::wake() {
  using enum Worker::State;
  bool any = false;
  int in_cluster = 0;
  for (int i = 0; i < threads_; ++i) {
    Worker::Thread& each = worker_.threads_[std::size_t(i)];
    any = any || each.state == ready;
    in_cluster += each.state == at_cluster;
    if (each.state != at_mbarrier || !has_ended(each.object, each.detail)) continue;
    each.state = ready;
    any = true;
  }
  if (in_cluster == threads_) {
    meet(0, threads_);
    for (Worker::Thread& each : worker_.threads_) each.state = ready;
    return true;
  }
  for (int first = 0; first + warpgroup_size <= threads_; first += warpgroup_size) {
    auto const begin = worker_.threads_.begin() + first;
    bool const all = std::all_of(begin, begin + warpgroup_size, [&](auto const& each) {
      return each.state == at_products && each.detail == begin->detail;
    });
    if (!all) continue;
    finish_products(first / warpgroup_size, std::uint64_t(begin->detail));
    for (auto each = begin; each != begin + warpgroup_size; ++each) each->state = ready;
    any = true;
  }
  return any;
}

void Hopper::report_deadlock() {
  using enum Worker::State;
  auto const& threads = worker_.threads_;
  int hopper_waits = 0, block_waits = 0;
  for (auto const& each : threads) {
    if (each.state == abandoned) return;  // it cannot come, and why has been reported
    hopper_waits += each.state >= at_mbarrier && each.state <= at_products;
    block_waits += each.state == at_block_barrier || each.state == at_warp_barrier || each.state == at_collective;
  }
  if (hopper_waits + block_waits == 0) return;
  if (hopper_waits == 0 && threads_ == block_threads_) return worker_.report_divergence(0, threads_);
  auto const what = [&](Worker::Thread const& each) -> std::string {
    if (each.state == done) return "have ended";
    std::string const place = " at " + line_of(&worker_.instruction(each));
    switch (each.state) {
      case at_mbarrier: return "wait " + waits_for(each.object, each.detail) + place;
      case at_group: {
        Group const& group = groups_[std::size_t(each.object)];
        return "wait at group barrier " + std::to_string(each.object % 16) + ", which lacks " +
               std::to_string(group.threads - group.arrived) + " of " + std::to_string(group.threads) + " threads," +
               place;
      }
      case at_cluster: return "wait in sync_cluster()" + place;
      case at_products: return "wait in wgmma_wait(), for the others of their warpgroup," + place;
      case at_block_barrier: return "wait in sync_threads()" + place;
      case at_warp_barrier: return "wait in sync_warp()" + place;
      case at_collective: return std::string("wait in ") + each.collective->name + place;
      default: return "have ended";
    }
  };
  worker_.hazards.add({"deadlock", 0, {nullptr, 62}}, worker_.turn_, [&] {
    std::string text = "kernel " + worker_.launch_.program->name + ": nobody can go on.";
    for (int first = 0; first < threads_;) {
      std::string const doing = what(threads[std::size_t(first)]);
      int last = first;
      while (last + 1 < threads_ && (last + 1) % block_threads_ != 0 && what(threads[std::size_t(last + 1)]) == doing)
        ++last;
      text += " Block " + std::to_string(worker_.first_block_ + first / block_threads_) + ", threads " +
              std::to_string(first % block_threads_) + " to " + std::to_string(last % block_threads_) + " " + doing +
              ".";
      first = last + 1;
    }
    return text;
  });
}

}  // namespace tilestep::virtual_gpu
