// Hazards in words: kernel, block, thread, tensor, coordinate and line, and for a race those of both threads.

#include <tilestep/backend/virtual_gpu/worker.hpp>  // what is implemented here

#include <algorithm>  // std::upper_bound
#include <string>       // std::to_string

namespace tilestep::virtual_gpu {

namespace {

// "sA(3,7), element 115": the coordinate only where the tensor was described.
std::string element_name(MemoryView const& view, std::int64_t offset) {
  return view.name + view.tensors->element(offset, view.element_size);
}

// " (kernel.hpp:36)", after what is done there.
std::string at(Instruction const* call) {
  std::string const line = line_of(call);
  return line.empty() ? "" : " (" + line + ")";
}
std::string at(Instruction const& call) { return at(&call); }

std::uint64_t identity(Collective const& collective) { return reinterpret_cast<std::uintptr_t>(&collective); }

}  // namespace

std::string Worker::who(std::int64_t block_number, int index) const {
  return "kernel " + launch_.program->name + ", block " + std::to_string(block_number) + ", thread " +
         std::to_string(index);
}

std::string Worker::who(int index) const {
  return who(first_block_ + index / block_threads(), index % block_threads());
}

std::string Worker::thread_name(int index) const {
  int const other = index / block_threads();
  return "thread " + std::to_string(index % block_threads()) +
         (other == rank ? "" : " of block " + std::to_string(first_block_ + other));
}

Instruction const& Worker::instruction(Thread const& waiting) {
  note_place(waiting.place);
  Instruction& found = instructions_.find(waiting.frame, waiting.fiber->threads_frame);
  found.place = waiting.place;
  return found;
}

std::string Worker::element_at(std::uint32_t at) const {
  for (auto const& view : shared_views_) {
    if (at >= view->offset && at < view->offset + view->bytes)
      return element_name(*view, std::int64_t(at - view->offset));
  }
  return "shared memory at byte " + std::to_string(block_bytes_ == 0 ? at : at % block_bytes_);
}

std::int64_t Worker::block_at(std::uint32_t time) const {
  auto const after = std::upper_bound(block_starts_.begin(), block_starts_.end(), time,
                                      [](std::uint32_t t, auto const& start) { return t < start.first; });
  return after == block_starts_.begin() ? block : std::prev(after)->second;
}

void Worker::report_outside(char const* verb, MemoryView const& view, std::int64_t offset, int bytes,
                            Instruction const& call) {
  hazards.add({"out of bounds", view.identity, {&call}}, turn_, [&] {
    std::string const action = who(block, thread) + " " + verb + " ";
    if (view.name.empty() && view.bytes == 0)
      return action + std::to_string(bytes) + " bytes through a pointer that points to no device memory" + at(call);
    std::int64_t const elements = view.bytes / view.element_size;
    return action + element_name(view, offset) + at(call) + ": " + (offset < 0 ? "before the first" : "past the last") +
           " of its " + std::to_string(elements) + " elements" +
           (bytes > view.element_size ? " (" + std::to_string(bytes) + " bytes in one access)" : "");
  });
}

void Worker::report_misaligned(char const* verb, MemoryView const& view, std::int64_t offset, int bytes,
                               Instruction const& call) {
  hazards.add({"misaligned access", view.identity, {&call}}, turn_, [&] {
    return who(block, thread) + " " + verb + " " + std::to_string(bytes) + " bytes in one access at " +
           element_name(view, offset) + at(call) + ": byte " + std::to_string(offset) + " is not a multiple of " +
           std::to_string(bytes);
  });
}

void Worker::report_race(bool is_write, MemoryView const& view, std::int64_t offset, Conflict const& conflict,
                         Instruction const& call, bool is_global_memory) {
  Instruction const* const theirs = instructions_.at(conflict.instruction);
  hazards.add({"race", view.identity, {&call, is_write}, {theirs, conflict.was_write}}, turn_, [&] {
    char const* const other = conflict.was_write ? "writes" : "reads";
    char const* const verb = is_write ? "writes" : "reads";
    std::int64_t const other_block = block_at(conflict.time);
    if (other_block != block) {
      return "kernel " + launch_.program->name + ": block " + std::to_string(other_block) + ", thread " +
             std::to_string(conflict.thread % block_threads()) + " " + other + " " + element_name(view, offset) +
             at(theirs) + ", and block " + std::to_string(block) + ", thread " + std::to_string(thread) + " " + verb +
             " it" + at(call) + ": nothing orders blocks of one launch";
    }
    return "kernel " + launch_.program->name + ", block " + std::to_string(block) + ": " +
           thread_name(conflict.thread) + " " + other + " " + element_name(view, offset) + at(theirs) +
           ", and thread " + std::to_string(thread) + " " + verb + " it" + at(call) +
           ", with no barrier between them" +
           (is_global_memory && conflict.time < clock_.barrier
                ? " that orders global memory: sync_shared() orders shared memory alone, sync_threads() both"
                : missing_barrier(lines_of(conflict, call), theirs, call));
  });
}

LineOrder Worker::lines_of(Conflict const& conflict, Instruction const& call) const {
  Instruction const* const theirs = instructions_.at(conflict.instruction);
  return {theirs != nullptr && theirs->last[std::size_t(index_)] >= clock_.barrier,
          call.last[std::size_t(conflict.thread)] >= clock_.barrier};
}

// Where a barrier would order the two sides of a race.
std::string Worker::missing_barrier(LineOrder const& lines, Instruction const* theirs, Instruction const& call) const {
  if (between(theirs, &call).empty()) return "";
  std::string const missing = hopper_ ? ": a barrier or an mbarrier is missing" : ": sync_threads() is missing";
  if (lines.theirs_first) return missing + between(theirs, &call);
  return missing + (lines.mine_first ? between(&call, theirs) : " between the two");
}

void Worker::report_unwritten_store(GlobalView const& view, std::int64_t offset, Instruction const& call) {
  hazards.add({"register never written", view.identity, {&call}}, turn_, [&] {
    return who(block, thread) + " stores a register that it never wrote to " + element_name(view, offset) + at(call) +
           ": clear() or copy() to the fragment first";
  });
}

void Worker::report_unwritten_use(char const* where, Instruction const& call) {
  hazards.add({"register never written", 0, {&call, 1}}, turn_, [&] {
    return who(block, thread) + " computes with a register that it never wrote, in " + where + at(call) +
           ": clear() or copy() to the fragment first";
  });
}

void Worker::report_unwritten_operand(int lane_of_warp, Collective const& collective, std::string const& element) {
  Thread const& each = threads_[std::size_t(first_thread_ + lane_of_warp)];
  Instruction const& call = instruction(each);
  hazards.add({"register never written", identity(collective), {&call, element[0]}}, turn_, [&] {
    return who(first_thread_ + lane_of_warp) + " brings " + element + " to " + collective.name + " at " +
           line_of(&call) + " in a register that it never wrote: clear() or copy() to the fragment first";
  });
}

template <class View>
void Worker::report_uninitialised(std::vector<UninitialisedRead<View>>& reads,
                                  std::unordered_set<std::uintptr_t>& raced) {
  for (UninitialisedRead<View> const& read : reads) {
    MemoryView const& view = *read.view;
    if (raced.contains(view.begin + std::uintptr_t(read.offset))) continue;
    hazards.add({"uninitialised read", view.identity, {read.call}}, read.turn, [&] {
      char const* const why = std::is_same_v<View, SharedView> ? ": no thread of the block wrote it before"
                                                               : ": it was never uploaded or written";
      return who(read.block, read.thread) + " reads " + element_name(view, read.offset) + at(read.call) + why;
    });
  }
  reads.clear();
  raced.clear();
}
template void Worker::report_uninitialised(std::vector<UninitialisedRead<SharedView>>&,
                                           std::unordered_set<std::uintptr_t>&);
template void Worker::report_uninitialised(std::vector<UninitialisedRead<GlobalView>>&,
                                           std::unordered_set<std::uintptr_t>&);

void Worker::report_copy_conflicts() {
  for (CopyConflict const& c : copy_conflicts_) {
    CopyInFlight const* const copy = copies_[std::size_t(c.copier)].find(c.copy);
    bool const own = c.copier == c.other;
    // before the touch, as the program goes
    bool const waited = copy == nullptr || (copy->landed_by > 0 && c.waits >= copy->landed_by);
    bool const no_barrier = !own && (waited || !c.after_issue);
    // a read before the copy would find nothing
    bool const comes_later = c.was_first && c.action == CopyConflict::reads;
    int const variant = c.action + 4 * own + 8 * waited + 16 * c.after_issue + 32 * comes_later + 64 * c.in_group;
    Kind const kind = no_barrier ? Kind("race") : Kind("copy in flight");
    HazardLog::Side const issue{no_barrier ? c.issue : nullptr};  // one wait ends all copies of its group
    hazards.add({kind, c.view->identity, {c.call, int(c.action)}, issue, variant}, turn_, [&] {
      std::string const element = element_name(*c.view, c.offset), here = at(c.call), there = at(c.issue);
      std::string const span = between(c.issue, c.call);
      char const* const verbs[] = {" reads ", " writes ", " issues a copy into "};
      std::string const verb = verbs[c.action];
      std::string const wait = c.in_group ? "wait for the copy with async_wait"
                                          : "close the copy's group with async_commit, wait with async_wait";
      std::string const wait_for_all = wait + ", then pass a barrier" + (span.empty() ? "" : "," + span);
      std::string const leaves = "async_wait in between leaves it in flight: let it leave fewer" +
                                 std::string(launch_.target->async_copy ? " groups, or commit more before it" : "");
      bool const leaves_it = c.left_in_flight && c.in_group;
      if (own) {
        return who(c.other) + verb + element + here + " while its own copy into it" + there + " is in flight: " +
               (leaves_it ? leaves : wait + (span.empty() ? " first" : span));
      }
      std::string const other = thread_name(c.other), copier = thread_name(c.copier);
      std::string const where = "kernel " + launch_.program->name + ", block " + std::to_string(block) + ": ";
      if (!no_barrier) {
        return where + other + verb + element + here + " while the copy that " + copier + " issued into it" + there +
               " is in flight: " + (leaves_it ? leaves : wait_for_all);
      }
      std::string const race = where + copier + " issues a copy into " + element + there + ", and " + other + verb +
                               "it" + here + ", with no barrier between them";
      bool const touch_first = c.lines.mine_first && !c.lines.theirs_first && !c.after_issue && !comes_later;
      if (touch_first)
        return race + (span.empty() ? ": pass a barrier before the copy" : missing_barrier(c.lines, c.issue, *c.call));
      if (!comes_later && !c.after_issue && c.lines.mine_first == c.lines.theirs_first)
        return race + ": pass a barrier before the copy, or after the wait for it";
      if (!waited) return race + ": " + wait_for_all;
      return race + ": pass a barrier after the wait for the copy" +
             (span.empty() ? "" : " and before " + line_of(c.call));
    });
  }
  copy_conflicts_.clear();
}

void Worker::report_unfinished_copies(int index) {
  ThreadCopies& copies = copies_[std::size_t(index)];
  std::int64_t count = 0;
  CopyInFlight const* oldest = nullptr;
  for (std::uint64_t number = copies.landed() + 1; number <= copies.issued(); ++number) {
    CopyInFlight const& copy = *copies.find(number);
    if (copy.told || copy.to_view == nullptr) continue;
    if (count++ == 0) oldest = &copy;
  }
  if (count == 0) return;
  hazards.add({"copy in flight", oldest->to_view->identity, {}}, turn_, [&] {
    return who(index) + " ends while " +
           (count == 1 ? "a copy of its own is" : std::to_string(count) + " copies of its own are") +
           " in flight, the oldest into " +
           element_name(*oldest->to_view, std::int64_t(oldest->to - oldest->to_view->begin)) + at(oldest->call) +
           ": wait for all copies with async_wait<0>";
  });
}

void Worker::report_write_to_source(GlobalView const& view, std::int64_t offset, int copier, CopyInFlight const& copy,
                                    Instruction const& call) {
  raced_global_.insert(view.begin + std::uintptr_t(offset));
  hazards.add({"copy in flight", view.identity, {&call}, {copy.call}, copier == index_}, turn_, [&] {
    std::string const span = between(copy.call, &call);
    return who(block, thread) + " writes " + element_name(view, offset) + at(call) + " while " +
           (copier == index_ ? "its own copy" : "a copy of " + thread_name(copier)) + " that reads it" + at(copy.call) +
           " is in flight: wait for the copy with async_wait" +
           (copier == index_ ? (span.empty() ? " first" : span)
                             : ", then pass a barrier" + (span.empty() ? "" : "," + span));
  });
}

void Worker::report_early(bool is_write, GlobalView const& view, std::int64_t offset, std::string const& before,
                          Instruction const& call) {
  hazards.add({"race", view.identity, {&call, 8 + is_write}}, turn_, [&] {
    return who(block, thread) + (is_write ? " writes " : " reads ") + element_name(view, offset) + at(call) +
           ", and kernel " + before + " before it " + (is_write ? "uses" : "writes") +
           " it and may still run: call begin_among_kernels() first";
  });
}

void Worker::report_unlike_values(int first) {
  uniform_values_.compare([&](Instruction const& call, int one, std::int64_t value, int two, std::int64_t other) {
    hazards.add({"not uniform", 0, {&call}}, turn_, [&] {
      return who(first + one) + " brings " + std::to_string(value) + " to uniform() at " + line_of(&call) +
             ", and thread " + std::to_string((first + two) % block_threads()) + " of its warp, lane " +
             std::to_string(two) + ", brings " + std::to_string(other) +
             ": what is uniform is the same in all lanes of a warp";
    });
  });
}

void Worker::report_divergence(int first, int last) {
  // The first thread that waits, and the first that does something else.
  auto const state_of = [&](int index) { return threads_[std::size_t(index)].state; };
  for (int index = first; index < last; ++index) {
    if (state_of(index) == State::abandoned) return;  // it cannot come, and why has been reported
  }
  auto const waits = [&](int index) { return state_of(index) != State::done && state_of(index) != State::fresh; };
  bool const whole_warp = last - first < block_threads() || state_of(first) == State::at_warp_barrier ||
                          state_of(first) == State::at_collective;
  int one = first;
  while (one < last && !(waits(one) && (!whole_warp || state_of(one) != State::at_block_barrier))) ++one;
  if (one == last) one = first;
  int two = first;
  while (two < last && meets(threads_[std::size_t(one)], threads_[std::size_t(two)])) ++two;
  auto const doing = [&](int index) {
    if (!waits(index)) return std::string("has ended");
    std::string const place = line_of(&instruction(threads_[std::size_t(index)]));
    switch (state_of(index)) {
      case State::at_block_barrier: return "waits in sync_threads() at " + place;
      case State::at_warp_barrier: return "waits in sync_warp() at " + place;
      case State::at_collective:
        return std::string("waits in ") + threads_[std::size_t(index)].collective->name + " at " + place;
      default: return std::string("has ended");
    }
  };
  auto const side = [&](int index) -> HazardLog::Side {
    return {waits(index) ? &instruction(threads_[std::size_t(index)]) : nullptr, int(state_of(index))};
  };
  hazards.add({"divergent barrier", 0, side(one), side(two)}, turn_, [&] {
    return who(one) + " " + doing(one) + ", but thread " + std::to_string(two % block_threads()) + " " + doing(two) +
           (whole_warp ? ": every lane of a warp must come to the same place"
                       : ": every thread of a block must come to the same place");
  });
}

void Worker::report_missing_lane(int missing_for, int wanted) {
  Thread const& each = threads_[std::size_t(first_thread_ + missing_for)];
  Instruction const& call = instruction(each);
  hazards.add({"divergent barrier", 0, {&call, -1}}, turn_, [&] {
    return who(first_thread_ + missing_for) + " takes the value of lane " + std::to_string(wanted) + " in " +
           each.collective->name + " at " + line_of(&call) +
           ", but the block's last warp has no such lane: make the number of threads a multiple of " +
           std::to_string(warp_size);
  });
}

void Worker::report_collective(Kind kind, Collective const& collective, std::string const& problem) {
  Instruction const& call = instruction(threads_[std::size_t(first_thread_)]);
  hazards.add({kind, identity(collective), {&call}}, turn_, [&] {
    return who(first_thread_) + " and its warp come to " + collective.name + " at " + line_of(&call) + problem;
  });
}

}  // namespace tilestep::virtual_gpu
