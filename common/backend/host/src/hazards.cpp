// Hazards in words: kernel, block, thread, tensor and coordinate, and for a race both threads.

#include <tilestep/backend/virtual_gpu/worker.hpp>  // what is implemented here

#include <algorithm>    // std::upper_bound
#include <string>       // std::to_string
#include <string_view>  // file names

namespace tilestep::virtual_gpu {

namespace {

// "sA(3,7), element 115": the coordinate only where the tensor was described.
std::string element_name(MemoryView const& view, std::int64_t offset) {
  std::int64_t const element =
      offset >= 0 ? offset / view.element_size : -((-offset + view.element_size - 1) / view.element_size);
  return view.name + view.tensors->coordinate(offset) + ", element " + std::to_string(element);
}

HazardLog::Cause cause(Kind kind, MemoryView const& view, void const* call, int variant = 0) {
  return {kind, view.identity, call, variant};
}

}  // namespace

std::string place_name(std::source_location const& place) {
  std::string_view file = place.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);
  return std::string(file) + ":" + std::to_string(place.line());
}

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
                            void const* call) {
  hazards.add(cause("out of bounds", view, call), turn_, [&] {
    std::string const action = who(block, thread) + " " + verb + " ";
    if (view.name.empty() && view.bytes == 0)
      return action + std::to_string(bytes) + " bytes through a pointer that points to no device memory";
    std::int64_t const elements = view.bytes / view.element_size;
    return action + element_name(view, offset) + ": " + (offset < 0 ? "before the first" : "past the last") +
           " of its " + std::to_string(elements) + " elements" +
           (bytes > view.element_size ? " (" + std::to_string(bytes) + " bytes in one access)" : "");
  });
}

void Worker::report_misaligned(char const* verb, MemoryView const& view, std::int64_t offset, int bytes,
                               void const* call) {
  hazards.add(cause("misaligned access", view, call), turn_, [&] {
    return who(block, thread) + " " + verb + " " + std::to_string(bytes) + " bytes in one access at " +
           element_name(view, offset) + ": byte " + std::to_string(offset) + " is not a multiple of " +
           std::to_string(bytes);
  });
}

void Worker::report_race(bool is_write, MemoryView const& view, std::int64_t offset, Conflict const& conflict,
                         void const* call, bool is_global_memory) {
  hazards.add(cause("race", view, call, is_write + 2 * conflict.was_write), turn_, [&] {
    char const* const other = conflict.was_write ? "writes" : "reads";
    char const* const verb = is_write ? "writes" : "reads";
    std::int64_t const other_block = block_at(conflict.time);
    if (other_block != block) {
      return "kernel " + launch_.program->name + ": block " + std::to_string(other_block) + ", thread " +
             std::to_string(conflict.thread % block_threads()) + " " + other + " " + element_name(view, offset) +
             ", and block " + std::to_string(block) + ", thread " + std::to_string(thread) + " " + verb +
             " it: nothing orders blocks of one launch";
    }
    return "kernel " + launch_.program->name + ", block " + std::to_string(block) + ": " +
           thread_name(conflict.thread) + " " + other + " " + element_name(view, offset) + ", and thread " +
           std::to_string(thread) + " " + verb + " it, with no barrier between them" +
           (is_global_memory && conflict.time < clock_.barrier
                ? " that orders global memory: sync_shared() orders shared memory alone, sync_threads() both"
                : "");
  });
}

void Worker::report_unwritten_store(GlobalView const& view, std::int64_t offset, void const* call) {
  hazards.add(cause("register never written", view, call), turn_, [&] {
    return who(block, thread) + " stores a register that it never wrote to " + element_name(view, offset) +
           ": clear() or copy() to the fragment first";
  });
}

void Worker::report_unwritten_use(char const* where, void const* call) {
  hazards.add({"register never written", 0, call, 1}, turn_, [&] {
    return who(block, thread) + " computes with a register that it never wrote, in " + where +
           ": clear() or copy() to the fragment first";
  });
}

void Worker::report_unwritten_operand(int lane_of_warp, Collective const& collective, std::string const& element) {
  Thread const& each = threads_[std::size_t(first_thread_ + lane_of_warp)];
  hazards.add({"register never written", std::uint64_t(each.place.line()), &collective, element[0]}, turn_, [&] {
    return who(first_thread_ + lane_of_warp) + " brings " + element + " to " + collective.name + " at " +
           place_name(each.place) + " in a register that it never wrote: clear() or copy() to the fragment first";
  });
}

template <class View>
void Worker::report_uninitialised(std::vector<UninitialisedRead<View>>& reads,
                                  std::unordered_set<std::uintptr_t>& raced) {
  for (UninitialisedRead<View> const& read : reads) {
    MemoryView const& view = *read.view;
    if (raced.contains(view.begin + std::uintptr_t(read.offset))) continue;
    hazards.add(cause("uninitialised read", view, read.call), read.turn, [&] {
      char const* const why = std::is_same_v<View, SharedView> ? ": no thread of the block wrote it before"
                                                               : ": it was never uploaded or written";
      return who(read.block, read.thread) + " reads " + element_name(view, read.offset) + why;
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
    hazards.add(cause(no_barrier ? Kind("race") : Kind("copy in flight"), *c.view, c.call, variant), turn_, [&] {
      std::string const element = element_name(*c.view, c.offset);
      char const* const verbs[] = {" reads ", " writes ", " issues a copy into "};
      std::string const verb = verbs[c.action];
      std::string const wait = c.in_group ? "wait for the copy with async_wait"
                                          : "close the copy's group with async_commit, wait with async_wait";
      if (own) return who(c.other) + verb + element + " while its own copy into it is in flight: " + wait + " first";
      std::string const other = thread_name(c.other), copier = thread_name(c.copier);
      std::string const where = "kernel " + launch_.program->name + ", block " + std::to_string(block) + ": ";
      if (!no_barrier) {
        return where + other + verb + element + " while the copy that " + copier +
               " issued into it is in flight: " + wait + ", then pass a barrier";
      }
      std::string const barrier = !comes_later ? "pass a barrier before the copy, or after the wait for it"
                                  : waited     ? "pass a barrier after the wait for the copy"
                                               : wait + ", then pass a barrier";
      return where + copier + " issues a copy into " + element + ", and " + other + verb +
             "it, with no barrier between them: " + barrier;
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
  hazards.add(cause("copy in flight", *oldest->to_view, nullptr), turn_, [&] {
    return who(index) + " ends while " +
           (count == 1 ? "a copy of its own is" : std::to_string(count) + " copies of its own are") +
           " in flight, the oldest into " +
           element_name(*oldest->to_view, std::int64_t(oldest->to - oldest->to_view->begin)) +
           ": wait for all copies with async_wait<0>";
  });
}

void Worker::report_write_to_source(GlobalView const& view, std::int64_t offset, int copier, void const* call) {
  raced_global_.insert(view.begin + std::uintptr_t(offset));
  hazards.add(cause("copy in flight", view, call, copier == index_), turn_, [&] {
    return who(block, thread) + " writes " + element_name(view, offset) + " while " +
           (copier == index_ ? "its own copy" : "a copy of " + thread_name(copier)) +
           " that reads it is in flight: wait for the copy with async_wait" +
           (copier == index_ ? " first" : ", then pass a barrier");
  });
}

void Worker::report_early(bool is_write, GlobalView const& view, std::int64_t offset, std::string const& before,
                          void const* call) {
  hazards.add(cause("race", view, call, 8 + is_write), turn_, [&] {
    return who(block, thread) + (is_write ? " writes " : " reads ") + element_name(view, offset) + ", and kernel " +
           before + " before it " + (is_write ? "uses" : "writes") +
           " it and may still run: call begin_among_kernels() first";
  });
}

void Worker::report_unlike_values(int first) {
  uniform_values_.compare([&](std::source_location const& place, int one, std::int64_t value, int two,
                              std::int64_t other) {
    hazards.add({"not uniform", std::uint64_t(place.line()), nullptr, 0}, turn_, [&] {
      return who(first + one) + " brings " + std::to_string(value) + " to uniform() at " + place_name(place) +
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
    std::string const place = place_name(threads_[std::size_t(index)].place);
    switch (state_of(index)) {
      case State::at_block_barrier: return "waits in sync_threads() at " + place;
      case State::at_warp_barrier: return "waits in sync_warp() at " + place;
      case State::at_collective:
        return std::string("waits in ") + threads_[std::size_t(index)].collective->name + " at " + place;
      default: return std::string("has ended");
    }
  };
  HazardLog::Cause const cause{"divergent barrier", std::uint64_t(threads_[std::size_t(one)].place.line()), nullptr,
                               int(state_of(two))};
  hazards.add(cause, turn_, [&] {
    return who(one) + " " + doing(one) + ", but thread " + std::to_string(two % block_threads()) + " " + doing(two) +
           (whole_warp ? ": every lane of a warp must come to the same place"
                       : ": every thread of a block must come to the same place");
  });
}

void Worker::report_missing_lane(int missing_for, int wanted) {
  Thread const& each = threads_[std::size_t(first_thread_ + missing_for)];
  HazardLog::Cause const cause{"divergent barrier", std::uint64_t(each.place.line()), nullptr, -1};
  hazards.add(cause, turn_, [&] {
    return who(first_thread_ + missing_for) + " takes the value of lane " + std::to_string(wanted) + " in " +
           each.collective->name + " at " + place_name(each.place) +
           ", but the block's last warp has no such lane: make the number of threads a multiple of " +
           std::to_string(warp_size);
  });
}

void Worker::report_collective(Kind kind, Collective const& collective, std::string const& problem) {
  Thread const& first = threads_[std::size_t(first_thread_)];
  hazards.add({kind, std::uint64_t(first.place.line()), &collective, 0}, turn_, [&] {
    return who(first_thread_) + " and its warp come to " + collective.name + " at " + place_name(first.place) +
           problem;
  });
}

}  // namespace tilestep::virtual_gpu
