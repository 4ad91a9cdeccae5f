// Mbarriers: phases, arrivals, bytes. An arriving thread passes on what it knows; a waiting one learns it.

#include <tilestep/backend/virtual_gpu/hopper.hpp>   // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>   // worker

#include <algorithm>  // std::find_if
#include <string>     // messages

namespace tilestep::virtual_gpu {

Hopper& hopper() {
  Worker& self = worker();
  if (Hopper* const state = self.hopper()) return *state;
  self.abandon_thread(
      "this kernel uses an instruction that Hopper alone has, and does not say so: give it `only_on = \"sm90\"`");
  __builtin_unreachable();
}

void Hopper::note_arrival_elsewhere(int rank) {
  auto& arrivals = states_[std::size_t(me())].arrivals;
  auto const at = std::find_if(arrivals.begin(), arrivals.end(), [&](auto const& each) { return each.first == rank; });
  if (at == arrivals.end()) arrivals.emplace_back(rank, now());
  else at->second = now();
}

// A block may not end before arrivals at its mbarriers: one of its threads must have learnt of them.
void Hopper::check_arrivals_elsewhere() {
  for (int thread = 0; thread < threads_; ++thread) {
    for (auto const& [rank, time] : states_[std::size_t(thread)].arrivals) {
      bool is_known = false;
      for (int i = rank * block_threads_; i < (rank + 1) * block_threads_; ++i)
        is_known = is_known || order_.before(time, thread, i);
      if (is_known) continue;
      worker_.become(thread);
      worker_.hazards.add({"race", 0, {nullptr, 33}}, worker_.turn_, [&] {
        return worker_.who(thread) + " arrives at an mbarrier of block " + std::to_string(worker_.first_block_ + rank) +
               ", which may have ended: let the blocks of a cluster end together, with sync_cluster()";
      });
    }
  }
}

[[gnu::noinline]] void Hopper::init(SharedPtr<Mbarrier> where, int arrivals, Where const& place) {
  Instruction const& call = worker_.instruction(__builtin_frame_address(0), place);
  if (!is_in_array("makes an mbarrier of", where, call)) return;
  std::uint32_t const at = shared_offset(where.address()) + block_begin(worker_.rank);
  if (arrivals < 1 || arrivals > (1 << 20) - 1)
    worker_.abandon_thread("an mbarrier is made for 1 to 2^20 - 1 arrivals");
  for (MbarrierState const& other : barriers_) {
    if (other.at == at) report("broken requirement", &call, 30, "makes mbarrier", at, " a second time");
  }
  Knowledge const nothing(std::size_t(order_.agents()));
  barriers_.push_back({at, arrivals, arrivals, 0, 0, me(), now(), &call, nothing, nothing, nothing, nothing});
  tick();
}

bool Hopper::is_in_array(char const* does, SharedPtr<Mbarrier> barrier, Instruction const& call) {
  if (barrier.view() == nullptr) return true;  // without checks
  SharedView const& array = *barrier.view();
  auto const offset = std::int64_t(barrier.address() - array.begin);
  if (array.contains(offset, sizeof(Mbarrier))) return true;
  worker_.report_outside(does, array, offset, sizeof(Mbarrier), call);
  return false;
}

// The mbarrier's number. A thread that comes to none stops.
int Hopper::find(char const* does, SharedPtr<Mbarrier> where, int rank, Instruction const& call) {
  if (!is_in_array(does, where, call)) {
    worker_.stop_here(Worker::State::abandoned);
    __builtin_unreachable();
  }
  std::uint32_t const at = shared_offset(where.address()) + block_begin(rank < 0 ? worker_.rank : rank);
  for (std::size_t i = 0; i < barriers_.size(); ++i) {
    if (barriers_[i].at != at) continue;
    if (barriers_[i].maker != me() && concurrent(barriers_[i].made, barriers_[i].maker)) {
      report("race", &call, 31, "uses mbarrier", at,
             ", which " + worker_.thread_name(barriers_[i].maker) + " makes@, with no barrier between them",
             barriers_[i].made_by);
    }
    return int(i);
  }
  report("broken requirement", &call, 32, "uses mbarrier", at,
         ", which nobody has made: call mbarrier_init() and pass a barrier first");
  worker_.stop_here(Worker::State::abandoned);
  __builtin_unreachable();
}

void Hopper::release(Knowledge& to) {
  Knowledge& mine = order_.of(me());
  mine[std::size_t(me())] = now();
  learn(to, mine);
  tick();
}

[[gnu::noinline]] void Hopper::arrive(SharedPtr<Mbarrier> where, int rank, std::int64_t bytes, Where const& place) {
  if (rank >= threads_ / block_threads_)
    worker_.abandon_thread("mbarrier_arrive_at names a block that the cluster does not have");
  Instruction const& call = worker_.instruction(__builtin_frame_address(0), place);
  MbarrierState& barrier = barriers_[std::size_t(find("arrives at", where, rank, call))];
  if (barrier.pending == 0) {
    report("broken requirement", &call, 34, "arrives at mbarrier", barrier.at,
           ", whose phase has had all of its " + std::to_string(barrier.arrivals) +
               " arrivals: wait for its end first, or make the mbarrier for more");
    return;
  }
  if (rank >= 0 && rank != worker_.rank) note_arrival_elsewhere(rank);
  release(barrier.gathering);
  if (rank < 0 || rank == worker_.rank) learn(barrier.near_gathering, order_.of(me()));
  barrier.bytes += bytes;
  --barrier.pending;
  end_phase_if_complete(barrier, call);
}

void Hopper::end_phase_if_complete(MbarrierState& barrier, Instruction const& call) {
  if (barrier.pending > 0 || barrier.bytes > 0) return;
  if (barrier.bytes < 0) {
    report("byte count", &call, 35, "uses mbarrier", barrier.at,
           ", to which copies brought " + std::to_string(-barrier.bytes) +
               " bytes more than it was told of: announce all of them with mbarrier_arrive_expect");
    barrier.bytes = 0;
  }
  std::swap(barrier.ended, barrier.gathering);
  std::swap(barrier.near_ended, barrier.near_gathering);
  std::fill(barrier.gathering.begin(), barrier.gathering.end(), 0);
  std::fill(barrier.near_gathering.begin(), barrier.near_gathering.end(), 0);
  ++barrier.phase;
  barrier.pending = barrier.arrivals;
}

bool Hopper::has_ended(int barrier, int parity) const {
  return int(barriers_[std::size_t(barrier)].phase & 1) != (parity & 1);
}

[[gnu::noinline]] void Hopper::wait(SharedPtr<Mbarrier> where, int parity, bool cluster, Where const& place) {
  int const barrier = find("waits for", where, -1, worker_.instruction(__builtin_frame_address(0), place));
  if (!has_ended(barrier, parity)) {
    Worker::Thread& self = worker_.threads_[std::size_t(me())];
    self.place = place;
    self.object = barrier;
    self.detail = parity;
    worker_.stop_here(Worker::State::at_mbarrier);
  }
  MbarrierState& found = barriers_[std::size_t(barrier)];
  if (found.phase > 0) worker_.share_begin(0, threads_);  // who arrived may have begun among the kernels
  learn(order_.of(me()), cluster ? found.ended : found.near_ended);
  if (found.phase > 0) found.unseen = false;
}

std::string Hopper::waits_for(int number, int parity) const {
  MbarrierState const& barrier = barriers_[std::size_t(number)];
  std::string text = "for parity " + std::to_string(parity) + " of mbarrier " + worker_.element_at(barrier.at) +
                     ", whose phase " + std::to_string(barrier.phase);
  if (barrier.pending > 0)
    text += " lacks " + std::to_string(barrier.pending) + " of " + std::to_string(barrier.arrivals) + " arrivals";
  if (barrier.bytes != 0)
    text += std::string(barrier.pending > 0 ? " and" : " lacks") + " " + std::to_string(barrier.bytes) + " bytes";
  return text;
}

}  // namespace tilestep::virtual_gpu
