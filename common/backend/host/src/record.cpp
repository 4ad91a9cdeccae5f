// What happens at every access of a kernel, and where its threads wait: the functions that pointers and barriers call.

#include <tilestep/backend/virtual_gpu/record.hpp>      // what is implemented here
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>  // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>      // Worker

#include <algorithm>  // std::none_of
#include <bit>        // std::bit_cast

namespace tilestep::virtual_gpu {

constinit thread_local Current* current = nullptr;

GlobalView* Worker::global_view(std::uintptr_t address, bool is_read_only) {
  auto& recent = recent_pointers_[(address / 256 + is_read_only) % recent_pointers_.size()];
  if (recent.first == address && recent.second != nullptr && recent.second->read_only == is_read_only)
    return recent.second;

  Allocation* const allocation = device_memory().find(address);
  for (auto const& view : global_views_) {
    if (view->allocation != allocation || view->read_only != is_read_only) continue;
    recent = {address, view.get()};
    return view.get();
  }
  auto view = std::make_unique<GlobalView>();
  for (auto const& other : global_views_) {
    if (other->allocation == allocation) view->tensors = other->tensors;
  }
  view->allocation = allocation;
  view->read_only = is_read_only;
  if (allocation != nullptr) {
    view->begin = view->identity = allocation->begin();
    view->bytes = allocation->bytes();
    view->element_size = allocation->element_size();
    view->name = allocation->name();
    view->plain_reads =
        is_read_only && allocation->fully_initialised() && !launch_.careful && !allocation->watches_reads();
    if (!launch_.careful) allocation->note_view(is_read_only);
  }
  global_views_.push_back(std::move(view));
  recent = {address, global_views_.back().get()};
  return recent.second;
}

SharedView* Worker::shared_view(std::uintptr_t address, std::int64_t bytes, int element_size, char const* name) {
  for (auto const& view : shared_views_) {
    if (view->begin == address && view->bytes == bytes && view->element_size == element_size) return view.get();
  }
  std::uintptr_t const offset = address - reinterpret_cast<std::uintptr_t>(shared_);
  std::size_t const all = launch_.program->cluster == 1 ? std::size_t(launch_.program->shared_bytes)
                                                        : block_bytes_ * std::size_t(launch_.program->cluster);
  if (offset >= all) return nullptr;  // not in shared memory
  auto view = std::make_unique<SharedView>();
  view->begin = address;
  view->bytes = bytes;
  view->element_size = element_size;
  view->name = *name != '\0' ? name
                             : "shared memory at byte " +
                                   std::to_string(launch_.program->cluster == 1 ? offset : offset % block_bytes_);
  view->offset = std::uint32_t(offset);
  view->identity = launch_.program->cluster == 1 ? offset : offset % block_bytes_;
  if (!shared_histories_) shared_histories_ = HistoryArray(std::int64_t(all), element_size);
  shared_views_.push_back(std::move(view));
  return shared_views_.back().get();
}

namespace {

std::uint64_t thread_of_grid(Current const& c, int threads) {
  return std::uint64_t(c.block) * std::uint64_t(threads) + std::uint64_t(c.thread) + 1;
}

}  // namespace

// Whether the reader sees what is in memory.
inline bool Worker::note_read(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call) {
  if (!view.plain_reads) note_global_read(view, offset, bytes, call);
  return true;
}

void Worker::note_global_read(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call) {
  Allocation& allocation = *view.allocation;
  if (!launch_.careful) {
    if (!view.read_only) allocation.quick_read(offset, bytes, thread_of_grid(*this, launch_.program->threads));
    else if (allocation.watches_reads()) allocation.note_read_bytes(offset, bytes);
    if (!allocation.initialised(offset, bytes)) allocation.doubt();
    return;
  }
  Clock const clock = clock_.of_global_memory();
  allocation.histories().for_each(offset, bytes, [&](History& history, std::int64_t at, int size) {
    Conflict const conflict = history.read(index_, clock, clock.launch, call.number);
    if (conflict.found) {
      raced_global_.insert(view.begin + std::uintptr_t(at));
      report_race(false, view, at, conflict, call, true);
    } else if (!allocation.initialised(at, size)) {
      uninitialised_global_.push_back({&view, at, &call, turn_, block, thread});
    }
  });
}

void Worker::note_write(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call) {
  Allocation& allocation = *view.allocation;
  bool const is_told = watched_sources_ > 0 && note_write_to_source(view, offset, bytes, call);
  if (!launch_.careful) {
    allocation.quick_write(offset, bytes, thread_of_grid(*this, launch_.program->threads));
    return;
  }
  allocation.set_initialised(offset, bytes);
  Clock const clock = clock_.of_global_memory();
  allocation.histories().for_each(offset, bytes, [&](History& history, std::int64_t at, int) {
    Conflict const conflict = history.write(index_, clock, clock.launch, call.number);
    if (!conflict.found || is_told) return;
    raced_global_.insert(view.begin + std::uintptr_t(at));
    report_race(true, view, at, conflict, call, true);
  });
}

void Worker::note_early(bool is_write, GlobalView const& view, std::int64_t offset, int bytes,
                        Instruction const& call) {
  std::string const* const before = view.allocation->conflicting_kernel(offset, bytes, is_write);
  if (before != nullptr) report_early(is_write, view, offset, *before, call);
  else any_early_ = true;
}

void Worker::share_begin(int first, int last) {
  if (!overlaps_) return;
  auto const begin = threads_.begin() + first, end = threads_.begin() + last;
  if (std::none_of(begin, end, [](Thread const& each) { return each.began; })) return;
  std::for_each(begin, end, [](Thread& each) { each.began = true; });
}

// What a thread stores to global memory it must have written.
inline void Worker::check_stored(GlobalView const& view, std::int64_t offset, void const* registers, int bytes,
                                 Instruction const& call) {
  int const unit = unwritten_unit(view.element_size);
  std::int64_t const at = first_unwritten(registers, bytes, unit);
  if (at >= 0 && watches(unit)) [[unlikely]] report_unwritten_store(view, offset + at, call);
}

void Worker::check_used(void const* value, int size, char const* where, Instruction const& call) {
  int const unit = unwritten_unit(size);
  if (first_unwritten(value, size, unit) >= 0 && watches(unit)) report_unwritten_use(where, call);
}

// False where an asynchronous copy has not become visible to the reader.
inline bool Worker::note_read(SharedView& view, std::int64_t offset, int bytes, Instruction const& call) {
  bool visible = true;
  shared_histories_.for_each(view.offset + offset, bytes, [&](History& history, std::int64_t at, int) {
    if (history.read_adds_nothing(index_, clock_)) [[likely]] return;
    if (history.read_after_barrier(index_, clock_, call.number)) [[likely]] return;
    Conflict const conflict = history.read(index_, clock_, clock_.block, call.number);
    if (conflict.was_copy) [[unlikely]] {
      visible = false;
      note_copy_conflict(CopyConflict::reads, view, at - view.offset, conflict, call);
    } else if (conflict.found) [[unlikely]] {
      raced_shared_.insert(view.begin + std::uintptr_t(at - view.offset));
      report_race(false, view, at - view.offset, conflict, call);
    } else if (history.write_time() < clock_.block && !(hopper_ && hopper_->has_landed(std::uint32_t(at))))
        [[unlikely]] {
      uninitialised_shared_.push_back({&view, at - view.offset, &call, turn_, block, thread});
    }
  });
  return visible;
}

inline void Worker::note_write(SharedView& view, std::int64_t offset, int bytes, Instruction const& call) {
  shared_histories_.for_each(view.offset + offset, bytes, [&](History& history, std::int64_t at, int) {
    if (history.write_after_barrier(index_, clock_, call.number)) [[likely]] return;
    Conflict const conflict = history.write(index_, clock_, clock_.block, call.number);
    if (!conflict.found) return;
    if (conflict.was_copy) return note_copy_conflict(CopyConflict::writes, view, at - view.offset, conflict, call);
    raced_shared_.insert(view.begin + std::uintptr_t(at - view.offset));
    report_race(true, view, at - view.offset, conflict, call);
  });
}

namespace {

template <class View>
constexpr bool is_global = std::is_same_v<View, GlobalView>;

}  // namespace

template <class View>
inline bool Worker::read(View& view, std::uintptr_t address, int bytes, bool active, Instruction const& call) {
  auto const offset = std::int64_t(address - view.begin);
  using enum TimelineEvent::Kind;
  if (active && in_timeline()) [[unlikely]]
    add_to_timeline(is_global<View> ? global_load : shared_load, view.name, offset);
  if (active) active = allowed("reads", view, offset, bytes, call);
  bool visible = active;
  if constexpr (!is_global<View>) {
    if (active && hopper_) [[unlikely]] visible = hopper_->read(view.offset + std::uint32_t(offset), bytes, call);
    if (visible && !(hopper_ && hopper_->written_by_copy(view.offset + std::uint32_t(offset))))
      visible = note_read(view, offset, bytes, call);
  } else {
    if (active) check_early(false, view, offset, bytes, call);
    visible = active && note_read(view, offset, bytes, call);
  }
  trace(call, is_global<View> ? Traffic::global_load : Traffic::shared_load, bytes,
        active ? trace_address(view, address) : no_address);
  return visible;
}

template <class View>
inline bool Worker::write(View& view, std::uintptr_t address, void const* registers, int bytes, bool active,
                          Instruction const& call) {
  auto const offset = std::int64_t(address - view.begin);
  using enum TimelineEvent::Kind;
  if (active && in_timeline()) [[unlikely]]
    add_to_timeline(is_global<View> ? global_store : shared_store, view.name, offset);
  if (active) active = allowed("writes", view, offset, bytes, call);
  if constexpr (!is_global<View>) {
    if (active && hopper_) [[unlikely]] hopper_->write(view.offset + std::uint32_t(offset), bytes, call);
  }
  if constexpr (is_global<View>) {
    if (active) check_stored(view, offset, registers, bytes, call);
    if (active) check_early(true, view, offset, bytes, call);
  }
  if (active) note_write(view, offset, bytes, call);
  trace(call, is_global<View> ? Traffic::global_store : Traffic::shared_store, bytes,
        active ? trace_address(view, address) : no_address);
  return active;
}

GlobalView* find_view(std::uintptr_t address, bool read_only) {
  return current == nullptr || !current->check ? nullptr : worker().global_view(address, read_only);
}

SharedView* find_view(std::uintptr_t address, std::int64_t bytes, int element_size, char const* name) {
  return current == nullptr || !current->check ? nullptr : worker().shared_view(address, bytes, element_size, name);
}

// Not inlined: a frame of their own is where the path of calls begins.
[[gnu::noinline]] bool record_read(GlobalView& view, std::uintptr_t address, int bytes, bool active) {
  return worker().read(view, address, bytes, active, worker().instruction(__builtin_frame_address(0)));
}
[[gnu::noinline]] bool record_write(GlobalView& view, std::uintptr_t address, void const* registers, int bytes,
                                    bool active) {
  return worker().write(view, address, registers, bytes, active, worker().instruction(__builtin_frame_address(0)));
}
[[gnu::noinline]] bool record_read(SharedView& view, std::uintptr_t address, int bytes, bool active) {
  return worker().read(view, address, bytes, active, worker().instruction(__builtin_frame_address(0)));
}
[[gnu::noinline]] bool record_write(SharedView& view, std::uintptr_t address, void const* registers, int bytes,
                                    bool active) {
  return worker().write(view, address, registers, bytes, active, worker().instruction(__builtin_frame_address(0)));
}
[[gnu::noinline]] void check_use(void const* value, int size, char const* where) {
  if (current == nullptr || !current->check) return;
  worker().check_used(value, size, where, worker().instruction(__builtin_frame_address(0)));
}
[[gnu::noinline]] void check_factor(float value) {
  constexpr std::uint32_t of_f16 = 0x7FF4A000, of_bf16 = 0x7FA50000, quiet = 0x00400000;  // converted; what a CPU adds
  if (current == nullptr || !current->check) return;
  auto const bits = std::bit_cast<std::uint32_t>(value);
  Instruction const& call = worker().instruction(__builtin_frame_address(0));
  if (bits == of_f16 || (bits | quiet) == (of_bf16 | quiet)) worker().check_used(&unwritten_bits, 2, "fma()", call);
  else worker().check_used(&value, 4, "fma()", call);
}

void describe(GlobalView* view, std::uintptr_t base, TensorDescription const& tensor) {
  if (view != nullptr) view->tensors->add(std::int64_t(base - view->begin), tensor);
}
void describe(SharedView* view, std::uintptr_t base, TensorDescription const& tensor) {
  if (view != nullptr) view->tensors->add(std::int64_t(base - view->begin), tensor);
}

void wait_for_block(std::source_location const& place, bool all_memory) { worker().wait_for_block(place, all_memory); }
void begin_among_kernels() { worker().begin_among_kernels(); }
[[gnu::noinline]] void check_uniform(std::int64_t value, std::source_location const& place) {
  worker().note_uniform(value, worker().instruction(__builtin_frame_address(0), place));
}
void wait_for_warp(std::source_location const& place) { worker().wait_for_warp(place); }
void meet_in_warp(Collective const& collective, void* data, std::source_location const& place) {
  worker().meet_in_warp(collective, data, place);
}

}  // namespace tilestep::virtual_gpu
