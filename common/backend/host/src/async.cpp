// Asynchronous copies: issue, in flight, landing at the wait. The shadow of shared memory takes a copy for a write of
// its thread that has no time yet; whoever touches the memory meanwhile conflicts with it.

#include <tilestep/backend/virtual_gpu/access.hpp>        // poison
#include <tilestep/backend/virtual_gpu/async_copies.hpp>  // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>        // Worker

#include <cstring>  // std::memcpy, std::memset

namespace tilestep::virtual_gpu {

namespace {

using Source = CopyInFlight::Source;

// A thread that has nothing to do with copies does not wait for them: what it touches comes after the wait of the
// copy's thread, as far as can be told.
constexpr std::uint64_t no_wait = ~std::uint64_t(0);

void* memory(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

void check_destination(Worker& worker, Lanes const& lanes) {
  std::uintptr_t const first = lanes.of<WarpDestination>(0).address;
  int const most = worker.target().async_copy_warp, bytes = lanes.of<WarpDestination>(0).bytes;
  bool const here = bytes == 4 ? most >= 4 : bytes == most;
  for (int lane = 0; lane < lanes.count; ++lane) {
    std::uintptr_t& address = lanes.of<WarpDestination>(lane).address;
    if (here && address != first) {
      worker.report_collective("broken requirement", warp_destination,
                               ", but lane " + std::to_string(lane) + " names a destination " +
                                   std::to_string(std::int64_t(address - first)) +
                                   " bytes from lane 0's: the warp has one destination, and its lanes' elements follow "
                                   "one another from there");
    }
    address = here ? first : 0;
  }
}

}  // namespace

constinit Collective const warp_destination{"async_copy_warp()", check_destination};

void no_warp_copies() {
  worker().abandon_thread(
      "this target has no async_copy_warp of these bytes a lane, which is CDNA's load to shared memory (4 bytes, on "
      "gfx950 16 "
      "too): take async_copy on NVIDIA, and copy through registers elsewhere");
  __builtin_unreachable();
}

// Not inlined: a frame of their own is where the path of calls begins.
[[gnu::noinline]] void issue_thread_copy(CopyEnd<SharedView> to, CopyEnd<GlobalView> from, int bytes, bool active) {
  if (!worker().target().async_copy) {
    worker().abandon_thread(
        "this target has no async_copy, which is NVIDIA's cp.async: take async_copy_warp on CDNA, and copy through "
        "registers elsewhere");
  }
  worker().issue_copy(to, from, bytes, active, worker().instruction(__builtin_frame_address(0)));
}
[[gnu::noinline]] void issue_lane_copy(CopyEnd<SharedView> to, CopyEnd<GlobalView> from, int bytes, bool active) {
  worker().issue_copy(to, from, bytes, active, worker().instruction(__builtin_frame_address(0)));
}

void commit_copies() { worker().commit_copies(); }
void wait_for_copies(int groups, int copies_per_group) { worker().wait_for_copies(groups, copies_per_group); }

ThreadCopies& Worker::my_copies() {
  if (copies_.empty()) copies_.resize(threads_.size());
  return copies_[std::size_t(index_)];
}

void Worker::issue_copy(CopyEnd<SharedView> to, CopyEnd<GlobalView> from, int bytes, bool active,
                        Instruction const& call) {
  if (active && from.view != nullptr && in_timeline()) [[unlikely]] {
    add_to_timeline(TimelineEvent::Kind::copy, from.view->name, std::int64_t(from.address - from.view->begin));
  }
  ThreadCopies& mine = my_copies();
  CopyInFlight copy{active ? Source::memory : Source::zeros,
                    from.address,
                    to.address,
                    bytes,
                    nullptr,
                    to.view,
                    mine.groups(),
                    clock_.now,
                    &call,
                    false};
  copy.waits = mine.waits();
  if (to.view != nullptr && from.view != nullptr) {
    bool const writes = allowed("writes", *to.view, std::int64_t(to.address - to.view->begin), bytes, call);
    auto const offset = std::int64_t(from.address - from.view->begin);
    if (active && !allowed("reads", *from.view, offset, bytes, call)) copy.source = Source::nothing;
    // The two sides are requests of two memories.
    bool const reads = writes && copy.source == Source::memory;
    trace(call, Traffic::global_load, bytes, reads ? trace_address(*from.view, from.address) : no_address);
    trace(instructions_.second_of(call), Traffic::shared_store, bytes,
          writes ? trace_address(*to.view, to.address) : no_address);
    if (!writes) return;
    if (reads) {
      check_early(false, *from.view, offset, bytes, call);
      if (!from.view->plain_reads) note_global_read(*from.view, offset, bytes, call);
      copy.from_view = from.view;
      copy.watched = launch_.careful || !from.view->read_only;
      watched_sources_ += copy.watched;
    }
  }
  if (to.view != nullptr) note_copy(*to.view, copy, call);
  mine.issue(copy);
  std::memset(memory(copy.to), poison, std::size_t(bytes));
}

void Worker::note_copy(SharedView& view, CopyInFlight const& copy, Instruction const& call) {
  auto const offset = std::int64_t(copy.to - view.begin);
  shared_histories_.for_each(view.offset + offset, copy.bytes, [&](History& history, std::int64_t at, int) {
    bool const was_first = history.write_time() < clock_.block;
    Conflict const conflict = history.begin_copy(index_, clock_, clock_.block, call.number);
    if (!conflict.found) return;
    std::int64_t const place = at - view.offset;
    LineOrder const lines = lines_of(conflict, call), order{lines.mine_first, lines.theirs_first};
    if (conflict.was_copy) return note_copy_conflict(CopyConflict::copies, view, place, conflict, call);
    raced_shared_.insert(view.begin + std::uintptr_t(place));
    copy_conflicts_.push_back({conflict.was_write ? CopyConflict::writes : CopyConflict::reads, &view, place,
                               instructions_.at(conflict.instruction), &call, index_, conflict.thread,
                               copies_[std::size_t(index_)].issued() + 1, no_wait, false, was_first, true, false,
                               order});
  });
}

// The thread that runs touches what a copy writes to.
void Worker::note_copy_conflict(CopyConflict::Action action, SharedView& view, std::int64_t offset,
                                Conflict const& conflict, Instruction const& call) {
  std::uintptr_t const address = view.begin + std::uintptr_t(offset);
  raced_shared_.insert(address);
  ThreadCopies &theirs = copies_[std::size_t(conflict.thread)], &mine = copies_[std::size_t(index_)];
  CopyConflict found{action,
                     &view,
                     offset,
                     &call,
                     instructions_.at(conflict.instruction),
                     conflict.thread,
                     index_,
                     theirs.writing_to(address),
                     mine.used() ? mine.waits() : no_wait,
                     false,
                     conflict.was_first,
                     true,
                     false,
                     lines_of(conflict, call)};
  if (CopyInFlight* const copy = theirs.find(found.copy)) {
    copy->told = true;
    found.after_issue = !History::concurrent(copy->issued, conflict.thread, index_, clock_, clock_.block);
    found.left_in_flight = mine.used() && mine.waits() > copy->waits;
    found.in_group = !launch_.target->async_copy || copy->group < theirs.groups();
  }
  copy_conflicts_.push_back(found);
}

void Worker::commit_copies() { my_copies().commit(); }

void Worker::wait_for_copies(int groups, int copies_per_group) {
  if (in_timeline()) [[unlikely]] add_to_timeline(TimelineEvent::Kind::wait, "", groups);
  ThreadCopies& mine = my_copies();
  bool const by_groups = launch_.target->async_copy;
  auto const left = std::size_t(groups) * std::size_t(copies_per_group);
  mine.begin_wait();
  while (mine.in_flight() > 0) {
    if (by_groups ? mine.oldest().group + std::uint64_t(groups) >= mine.groups() : mine.in_flight() <= left) return;
    land(mine.oldest());
    mine.land();
  }
}

void Worker::land(CopyInFlight const& copy) {
  if (copy.source == Source::memory) std::memcpy(memory(copy.to), memory(copy.from), std::size_t(copy.bytes));
  if (copy.source == Source::zeros) std::memset(memory(copy.to), 0, std::size_t(copy.bytes));
  if (copy.to_view == nullptr) return;
  if (hopper_) hopper_->wrote(copy.to_view->offset + std::uint32_t(copy.to - copy.to_view->begin), copy.bytes, index_,
                              *copy.call);
  auto const end_copy = [&](History& history, std::int64_t, int) { history.end_copy(index_, clock_); };
  shared_histories_.for_each(copy.to_view->offset + std::int64_t(copy.to - copy.to_view->begin), copy.bytes, end_copy);
  if (!copy.watched) return;
  --watched_sources_;
  if (!launch_.careful) return;
  // It may have read its source as late as now. What was written meanwhile has been reported.
  auto const read_late = [&](History& history, std::int64_t, int) {
    (void)history.read(index_, clock_, clock_.launch, copy.call->number);
  };
  copy.from_view->allocation->histories().for_each(std::int64_t(copy.from - copy.from_view->begin), copy.bytes,
                                                   read_late);
}

// Copies that nobody waited for do not outlive their block.
void Worker::drop_copies() {
  for (index_ = 0; index_ < int(copies_.size()); ++index_) {
    ThreadCopies& mine = copies_[std::size_t(index_)];
    if (mine.in_flight() > 0 && threads_[std::size_t(index_)].state == State::done) report_unfinished_copies(index_);
    for (; mine.in_flight() > 0; mine.land()) land(mine.oldest());
    mine.clear();
  }
}

bool Worker::note_write_to_source(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call) {
  std::uintptr_t const address = view.begin + std::uintptr_t(offset);
  for (int copier = 0; copier < int(copies_.size()); ++copier) {
    ThreadCopies& copies = copies_[std::size_t(copier)];
    for (std::uint64_t number = copies.landed() + 1; number <= copies.issued(); ++number) {
      CopyInFlight const& copy = *copies.find(number);
      if (!copy.watched || address >= copy.from + std::uintptr_t(copy.bytes) ||
          copy.from >= address + std::uintptr_t(bytes))
        continue;
      if (launch_.careful) report_write_to_source(view, offset, copier, copy, call);
      else view.allocation->doubt();
      return true;
    }
  }
  return false;
}

}  // namespace tilestep::virtual_gpu
