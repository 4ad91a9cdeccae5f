// Who runs when. A warp runs until each of its lanes waits for the block or has ended; then the next warp does; when
// all have, the block passes its barrier. Lanes that wait for their own warp only are released in between. Nothing can
// hang: when no thread can run and they do not all wait at the same place, that is reported and the block ends.

#include <tilestep/backend/virtual_gpu/access.hpp>    // poison
#include <tilestep/backend/virtual_gpu/schedule.hpp>  // make_order
#include <tilestep/backend/virtual_gpu/worker.hpp>    // what is implemented here

#include <algorithm>  // std::min, std::any_of
#include <bit>        // std::countr_zero
#include <cstring>    // std::memset

namespace tilestep::virtual_gpu {

namespace {

constexpr std::size_t shared_alignment = 1024;

}  // namespace

void Worker::begin_launch(Launch const& launch) {
  launch_ = launch;
  check = launch.check;
  warp_size = launch.target->warp_size;
  fma = 0;
  overlaps_ = launch.program->overlaps;
  any_began_ = any_early_ = false;
  counters = Counters{};
  hazards.clear();
  error = nullptr;
  clock_ = Clock{};
  clock_.warp_shift = std::countr_zero(unsigned(warp_size));
  trace_.begin_launch(*launch.target, counters);
  instructions_.begin_launch(launch.program->threads * launch.program->cluster);
  uniform_values_.begin_launch();
  copies_.clear();
  copy_conflicts_.clear();
  watched_sources_ = 0;
  Program const& program = *launch.program;
  threads_.assign(std::size_t(program.threads * program.cluster), Thread{});
  block_bytes_ = (std::size_t(program.shared_bytes) + shared_alignment - 1) / shared_alignment * shared_alignment;
  hopper_.reset();
  if (program.only_on != nullptr)
    hopper_ = std::make_unique<Hopper>(*this, int(threads_.size()), program.threads, std::int64_t(block_bytes_));
  clock_.block_threads = program.threads;
  clock_.order = hopper_ ? &hopper_->order() : nullptr;

  auto const bytes = program.cluster == 1 ? std::size_t(program.shared_bytes)
                                          : block_bytes_ * std::size_t(program.cluster);
  if (bytes + shared_alignment > shared_capacity_) {
    shared_capacity_ = bytes + shared_alignment;
    shared_storage_ = std::make_unique_for_overwrite<unsigned char[]>(shared_capacity_);
  }
  auto const storage = reinterpret_cast<std::uintptr_t>(shared_storage_.get());
  shared_ = shared_storage_.get() + (shared_alignment - storage % shared_alignment) % shared_alignment;
}

void Worker::end_launch() {
  counters.fma = fma;
  report_uninitialised(uninitialised_global_, raced_global_);
  shared_views_.clear();
  shared_histories_ = HistoryArray();
  global_views_.clear();
  recent_pointers_.fill({});
  block_starts_.clear();
}

void Worker::run_blocks(std::int64_t number, std::int64_t turn) {
  begin_block(number, turn);
  run_threads();
  end_interval();
  if (hopper_) hopper_->end_cluster();
  if (!copies_.empty()) drop_copies();
  drop_waiting_threads();
}

void Worker::begin_block(std::int64_t number, std::int64_t turn) {
  block = first_block_ = number;
  turn_ = turn;
  interval_ = 0;
  clock_.begin_block();
  if (launch_.careful) block_starts_.emplace_back(clock_.block, number);
  for (int each = 0; each < launch_.program->cluster; ++each) {
    if (launch_.program->shared_bytes > 0)
      std::memset(shared_ + std::size_t(each) * block_bytes_, poison, std::size_t(launch_.program->shared_bytes));
  }
  if (hopper_) hopper_->begin_cluster();
  for (auto const& view : shared_views_) view->tensors->clear();
  for (Thread& thread_of_block : threads_) {
    thread_of_block.state = State::fresh;
    thread_of_block.began = false;
  }
}

void Worker::run_threads() {
  int const threads = int(threads_.size());
  int const warps = (threads + warp_size - 1) / warp_size;
  for (passes_ = 0;; ++passes_) {
    std::uint64_t const salt = mix(std::uint64_t(first_block_)) + interval_ +
                               (hopper_ ? std::uint64_t(passes_) << 32 : 0);
    make_order(launch_.schedule, warps, salt, warp_order_);
    for (int const warp_number : warp_order_) {
      int const first = warp_number * warp_size, lanes = std::min(warp_size, threads - first);
      make_order(launch_.schedule, lanes, mix(salt) + std::uint64_t(warp_number), lane_order_);
      Progress progress = Progress::again;
      while (progress == Progress::again) {
        run_warp_until_it_waits(first, lanes);
        progress = meet_warp(first, lanes);
      }
      if (progress == Progress::broken) return;
    }
    if (hopper_ && hopper_->wake()) continue;
    if (meet_blocks()) continue;
    if (!hopper_) return;
    bool const somebody_waits =
        std::any_of(threads_.begin(), threads_.end(), [](Thread const& each) { return each.state != State::done; });
    if (somebody_waits && hopper_->land_a_load()) continue;
    return hopper_->report_deadlock();
  }
}

void Worker::run_warp_until_it_waits(int first, int lanes) {
  first_thread_ = first;
  next_lane_ = 0;
  while (next_lane_ < std::size_t(lanes)) {
    int const index = first + lane_order_[next_lane_];
    Thread& next = threads_[std::size_t(index)];
    if (next.state == State::fresh) {
      if (idle_fibers_.empty()) {
        auto const body = [](void* worker) { static_cast<Worker*>(worker)->run_fresh_threads(); };
        fibers_.push_back(std::make_unique<Fiber>(body, this));
        idle_fibers_.push_back(fibers_.back().get());
      }
      running_fiber_ = idle_fibers_.back();
      idle_fibers_.pop_back();
      running_fiber_->resume();  // takes this thread, and the next ones as long as none waits
    } else {
      ++next_lane_;
      if (next.state != State::ready) continue;
      become(index);
      running_fiber_ = next.fiber;
      running_fiber_->resume();
    }
  }
}

// What a fiber does all its life.
[[gnu::noinline]] void Worker::run_fresh_threads() {
  Fiber* const self = running_fiber_;
  self->threads_frame = static_cast<Frame const*>(__builtin_frame_address(0));
  for (;;) {
    for (int index = take_fresh_thread(); index >= 0; index = take_fresh_thread()) {
      become(index);
      try {
        launch_.program->run(launch_.program->kernel, shared_ + std::size_t(rank) * block_bytes_,
                             launch_.program->params);
      } catch (...) {
        if (!error) error = std::current_exception();
      }
      threads_[std::size_t(index_)].state = State::done;
    }
    idle_fibers_.push_back(self);
    self->suspend();
  }
}

int Worker::take_fresh_thread() {
  if (next_lane_ == lane_order_.size()) return -1;
  int const index = first_thread_ + lane_order_[next_lane_];
  if (threads_[std::size_t(index)].state != State::fresh) return -1;
  ++next_lane_;
  return index;
}

void Worker::become(int index) {
  index_ = index;
  rank = index / block_threads();
  thread = index - rank * block_threads();
  block = first_block_ + rank;
  clock_.run_block(rank);
  lane = index - first_thread_;
  warp = (first_thread_ - rank * block_threads()) >> clock_.warp_shift;
}

[[gnu::noinline]] void Worker::stop_here(State state) {
  Thread& self = threads_[std::size_t(index_)];
  self.state = state;
  self.fiber = running_fiber_;
  self.frame = static_cast<Frame const*>(__builtin_frame_address(0));
  self.fiber->suspend();
}

Worker::Progress Worker::meet_warp(int first, int lanes) {
  int full = 0, barrier = 0, collective = 0, elsewhere = 0, woken = 0;
  for (int index = first; index < first + lanes; ++index) {
    State const state = threads_[std::size_t(index)].state;
    full += state == State::trace_full;
    barrier += state == State::at_warp_barrier;
    collective += state == State::at_collective;
    woken += state == State::ready;  // by a lane that came last to a barrier of a group
    elsewhere += state >= State::at_mbarrier && state <= State::at_products;
  }
  if (check) trace_.flush();
  if (full == 0 && !uniform_values_.empty()) report_unlike_values(first);
  if (full > 0) {
    for (int index = first; index < first + lanes; ++index) {
      State& state = threads_[std::size_t(index)].state;
      if (state == State::trace_full) state = State::ready;
    }
    return Progress::again;
  }
  if (woken > 0) return Progress::again;
  if (barrier + collective == 0 || elsewhere > 0) return Progress::stopped;  // lanes that wait elsewhere may still come
  if ((barrier != lanes && collective != lanes) || !all_meet(first, first + lanes)) {
    report_divergence(first, first + lanes);
    return Progress::broken;
  }
  if (collective > 0) {
    run_collective(first, lanes);
  } else {
    share_begin(first, first + lanes);
    clock_.meet_warp(first >> clock_.warp_shift);
    if (hopper_) hopper_->meet(first, first + lanes);
    ++counters.warp_syncs;
  }
  for (int index = first; index < first + lanes; ++index) threads_[std::size_t(index)].state = State::ready;
  return Progress::again;
}

bool Worker::meet_blocks() {
  int const threads = block_threads();
  bool any_met = false;
  for (int first = 0; first < int(threads_.size()); first += threads) {
    int waiting = 0;
    for (int index = first; index < first + threads; ++index)
      waiting += threads_[std::size_t(index)].state == State::at_block_barrier;
    if (waiting == 0) continue;
    if (waiting != threads || !all_meet(first, first + threads)) {
      if (hopper_) continue;
      report_divergence(first, first + threads);
      return false;
    }
    ++counters.barriers;
    ++interval_;
    end_interval();
    share_begin(first, first + threads);
    clock_.meet_block(first / threads, threads_[std::size_t(first)].all_memory);
    if (hopper_) hopper_->meet(first, first + threads);
    for (int index = first; index < first + threads; ++index) threads_[std::size_t(index)].state = State::ready;
    any_met = true;
  }
  return any_met;
}

void Worker::end_interval() {
  if (!copy_conflicts_.empty()) report_copy_conflicts();
  report_uninitialised(uninitialised_shared_, raced_shared_);
}

// After a hazard threads wait for ever: their fibers and what is on their stacks are dropped.
void Worker::drop_waiting_threads() {
  for (Thread& each : threads_) {
    if (each.state == State::done || each.state == State::fresh) continue;
    std::erase_if(fibers_, [&](auto const& fiber) { return fiber.get() == each.fiber; });
    each.state = State::done;
  }
}

// The same barrier or collective, at the same place of the kernel.
bool Worker::meets(Thread const& one, Thread const& other) const {
  if (one.state != other.state) return false;
  if (one.state == State::at_collective && one.collective != other.collective) return false;
  std::source_location const &a = one.place, &b = other.place;
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

bool Worker::all_meet(int first, int last) const {
  for (int index = first + 1; index < last; ++index) {
    if (!meets(threads_[std::size_t(first)], threads_[std::size_t(index)])) return false;
  }
  return true;
}

void Worker::run_collective(int first, int lanes) {
  std::array<void*, 64> data;
  for (int i = 0; i < lanes; ++i) data[std::size_t(i)] = threads_[std::size_t(first + i)].data;
  Collective const& collective = *threads_[std::size_t(first)].collective;
  collective.run(*this, Lanes{data.data(), lanes});
}

void Worker::wait_for_block(std::source_location const& place, bool all_memory) {
  if (in_timeline()) [[unlikely]] add_to_timeline(TimelineEvent::Kind::barrier, "", 0);
  threads_[std::size_t(index_)].place = place;
  threads_[std::size_t(index_)].all_memory = all_memory;
  stop_here(State::at_block_barrier);
}

void Worker::wait_for_warp(std::source_location const& place) {
  threads_[std::size_t(index_)].place = place;
  stop_here(State::at_warp_barrier);
}

void Worker::meet_in_warp(Collective const& collective, void* data, std::source_location const& place) {
  if (in_timeline()) [[unlikely]] add_to_timeline(TimelineEvent::Kind::instruction, collective.name, 0);
  Thread& self = threads_[std::size_t(index_)];
  self.place = place;
  self.collective = &collective;
  self.data = data;
  stop_here(State::at_collective);
}

}  // namespace tilestep::virtual_gpu
