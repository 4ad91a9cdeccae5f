// Shared memory of a Hopper kernel: every 16 bytes know who wrote them and which copies and products are at work there.
// Ordinary accesses, TMA and the tensor cores check one another.

#include <tilestep/backend/virtual_gpu/hopper.hpp>  // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>  // Worker

#include <algorithm>  // std::lower_bound
#include <string>     // messages

namespace tilestep::virtual_gpu {

namespace {

// " (kernel.hpp:36)", after what is done there.
std::string line_after(Instruction const* call) {
  std::string const name = line_of(call);
  return name.empty() ? "" : " (" + name + ")";
}

}  // namespace

Hopper::Hopper(Worker& worker, int threads, int block_threads, std::int64_t block_bytes)
    : worker_(worker),
      threads_(threads),
      block_threads_(block_threads),
      block_bytes_(block_bytes),
      order_(threads),
      line_agents_(block_threads + (block_threads + warpgroup_size - 1) / warpgroup_size),
      states_(std::size_t(threads)),
      groups_(std::size_t(threads / block_threads) * 16),
      warpgroups_(std::size_t((threads + warpgroup_size - 1) / warpgroup_size)) {
  auto const bytes = std::size_t(block_bytes) * std::size_t(threads / block_threads);
  pieces_.resize(bytes / piece_bytes);
  line_read_.resize(bytes / line_bytes);
  line_stored_.resize(bytes / line_bytes);
  line_reads_.resize(bytes / line_bytes * std::size_t(line_agents_));
  line_readers_.resize(line_reads_.size());
}

void Hopper::begin_cluster() {
  states_.assign(std::size_t(threads_), ThreadState{});
  groups_.assign(groups_.size(), Group{});
  for (Group& group : groups_) group.known.resize(std::size_t(order_.agents()));
  warpgroups_.assign(warpgroups_.size(), WarpgroupState{});
  barriers_.clear();
  loads_.clear();
}

int Hopper::me() const { return worker_.index_; }
bool Hopper::checks() const { return worker_.check; }
std::uint32_t Hopper::now() const { return worker_.clock_.now; }
std::uint32_t Hopper::tick() { return worker_.clock_.now++; }
bool Hopper::is_new(std::uint32_t time) const { return time >= worker_.clock_.block; }

std::uint32_t Hopper::shared_offset(std::uintptr_t address) const {
  return std::uint32_t(address - reinterpret_cast<std::uintptr_t>(worker_.shared_)) - block_begin(worker_.rank);
}

bool Hopper::concurrent(std::uint32_t time, int agent) const {
  if (!is_new(time)) return false;
  if (order_.is_thread(agent)) return History::concurrent(time, agent, me(), worker_.clock_, worker_.clock_.block);
  return !order_.before(time, agent, me());
}

// Did `thread` come to one of the fences after `time`, and does the thread that runs know?
bool Hopper::has_fence(std::vector<std::uint32_t> const& fences, std::uint32_t time, int thread) const {
  auto const fence = std::lower_bound(fences.begin(), fences.end(), time);
  return fence != fences.end() && !concurrent(*fence, thread);
}

void Hopper::fence(bool for_accesses) {
  ThreadState& mine = states_[std::size_t(me())];
  mine.mbarrier_fences.push_back(now());
  if (for_accesses) mine.fences.push_back(now());
  tick();
}

void Hopper::meet(int first, int last) {
  worker_.share_begin(first, last);
  order_.meet(first, last, now());
  tick();
}

bool Hopper::in_bounds(std::uint32_t at, std::int64_t bytes) const {
  std::int64_t const in_block = at % std::uint32_t(block_bytes_);
  return at / std::uint32_t(block_bytes_) < std::uint32_t(threads_ / block_threads_) &&
         in_block + bytes <= worker_.launch_.program->shared_bytes;
}

void Hopper::report(Kind kind, Instruction const* call, int variant, std::string const& does, std::uint32_t at,
                    std::string const& remedy, Instruction const* other) {
  worker_.hazards.add({kind, 0, {call, variant}, {other}}, worker_.turn_, [&] {
    std::string text = remedy, span = between(other, call);
    if (std::size_t const there = text.find('@'); there != text.npos) text.replace(there, 1, line_after(other));
    if (std::size_t const there = text.find('#'); there != text.npos)
      text.replace(there, 1, span.empty() ? " first" : span);
    return worker_.who(me()) + " " + does + " " + worker_.element_at(at) + line_after(call) + text;
  });
}

Instruction const* Hopper::numbered(int number) const { return worker_.instructions_.at(number); }

std::string Hopper::for_phase(Piece const& piece, std::uint32_t at) const {
  int number = int(piece.writer) - order_.copies_of(0);
  for (Load const& load : loads_) {
    if (piece.loading > 0 && at - load.to < std::uint32_t(load.tile.box_bytes())) number = load.barrier;
  }
  bool const is_known = number >= 0 && number < int(barriers_.size()) && barriers_.size() <= Order::most_mbarriers;
  if (!is_known) return "for the end of its mbarrier's phase";
  return "for the end of its phase of mbarrier " + worker_.element_at(barriers_[std::size_t(number)].at);
}

Instruction const* Hopper::store_of(std::uint32_t at) const {
  for (ThreadState const& thread : states_) {
    for (Store const& store : thread.stores) {
      if (at - store.from < std::uint32_t(store.tile.box_bytes())) return store.call;
    }
  }
  return nullptr;
}

// ---- Ordinary accesses ----

bool Hopper::read(std::uint32_t at, int, Instruction const& call) {
  Piece const& piece = pieces_[at / piece_bytes];
  if (piece.loading > 0) {
    report("copy in flight", &call, 1, "reads", at,
           " while the copy into it@ is in flight: wait " + for_phase(piece, at) + "#",
           numbered(piece.by));
    return false;
  }
  if (!order_.is_thread(piece.writer) && concurrent(piece.time, piece.writer)) {
    report("race", &call, 2, "reads", at,
           ", which a copy@ brought: wait " + for_phase(piece, at) + "#", numbered(piece.by));
    return false;
  }
  note_line_read(at, worker_.thread, call);
  return true;
}

bool Hopper::has_landed(std::uint32_t at) const { return is_new(pieces_[at / piece_bytes].landed); }

bool Hopper::written_by_copy(std::uint32_t at) const {
  Piece const& piece = pieces_[at / piece_bytes];
  return is_new(piece.time) && !order_.is_thread(piece.writer);
}

void Hopper::write(std::uint32_t at, int, Instruction const& call) {
  Piece& piece = pieces_[at / piece_bytes];
  std::uint32_t const line = at / line_bytes;
  if (piece.loading > 0) {
    report("copy in flight", &call, 3, "writes", at,
           " while a copy into it@ is in flight: wait " + for_phase(piece, at) + "#", numbered(piece.by));
  } else if (piece.storing > 0) {
    report("copy in flight", &call, 4, "writes", at,
           " while a copy that reads it@ is in flight: wait with tma_store_wait_read#", store_of(at));
  } else if (piece.multiplying > 0) {
    report("wgmma in flight", &call, 5, "writes", at,
           " while a wgmma that reads it@ is in flight: wait with wgmma_wait#", product_of(at));
  } else if (!order_.is_thread(piece.writer) && concurrent(piece.time, piece.writer)) {
    report("race", &call, 6, "writes", at,
           ", which a copy@ brought: wait " + for_phase(piece, at) + "#", numbered(piece.by));
  } else if (Stored const& stored = line_stored_[line];
             stored.thread != me() && concurrent(stored.time, stored.thread)) {
    report("race", &call, 7, "writes", at,
           ", which a copy of " + worker_.thread_name(stored.thread) +
               "@ has read, with no barrier after that thread's tma_store_wait_read: pass one#", stored.call);
  }
  for (int group = 0; block_threads_ + group < line_agents_; ++group) {
    std::size_t const reader = line * std::size_t(line_agents_) + std::size_t(block_threads_ + group);
    if (concurrent(line_reads_[reader], order_.warpgroup(worker_.rank * block_threads_ / warpgroup_size + group))) {
      report("race", &call, 8, "writes", at,
             ", which a wgmma of warpgroup " + std::to_string(group) +
                 "@ reads, and is not told that it is over: let it arrive at an mbarrier after wgmma_wait, and wait "
                 "for that#",
             numbered(line_readers_[reader]));
    }
  }
  piece.time = now();
  piece.writer = std::uint16_t(me());
  piece.by = short_number(call.number);
}

void Hopper::wrote(std::uint32_t at, int bytes, int thread, Instruction const& call) {
  for (std::uint32_t piece = at / piece_bytes; piece <= (at + std::uint32_t(bytes) - 1) / piece_bytes; ++piece) {
    pieces_[piece].time = now();
    pieces_[piece].writer = std::uint16_t(thread);
    pieces_[piece].by = short_number(call.number);
  }
}

void Hopper::note_line_read(std::uint32_t at, int agent, Instruction const& call) {
  std::size_t const reader = at / line_bytes * std::size_t(line_agents_) + std::size_t(agent);
  line_reads_[reader] = now();
  line_readers_[reader] = short_number(call.number);
  line_read_[at / line_bytes] = now();
}

// ---- TMA and the tensor cores ----

// Is the last write over, and shown to them? @return false: reported
bool Hopper::check_writer(Piece const& piece, std::uint32_t at, char const* does, Instruction const& call) {
  if (!is_new(piece.time)) return true;
  if (!order_.is_thread(piece.writer)) {
    if (!concurrent(piece.time, piece.writer)) return true;
    report("race", &call, 11, does, at,
           ", which a copy@ brought: wait " + for_phase(piece, at) + "#", numbered(piece.by));
    return false;
  }
  if (concurrent(piece.time, piece.writer)) {
    report("race", &call, 12, does, at,
           ", which " + worker_.thread_name(piece.writer) + " writes@, with no barrier between them: pass one#",
           numbered(piece.by));
    return false;
  }
  if (has_fence(states_[piece.writer].fences, piece.time, piece.writer)) return true;
  report("missing fence", &call, 13, does, at,
         ", which " + worker_.thread_name(piece.writer) +
             " wrote as threads do@: let it call fence_proxy_async() after the write and before the barrier",
         numbered(piece.by));
  return false;
}

void Hopper::check_engine_read(std::uint32_t at, char const* does, Instruction const& call) {
  Piece const& piece = pieces_[at / piece_bytes];
  if (piece.loading > 0) {
    report("copy in flight", &call, 14, does, at,
           " while the copy into it@ is in flight: wait " + for_phase(piece, at) + "#",
           numbered(piece.by));
  } else if (!is_new(piece.time)) {
    report("uninitialised read", &call, 15, does, at, ": nobody in the block wrote it before");
  } else {
    check_writer(piece, at, does, call);
  }
}

void Hopper::check_engine_write(std::uint32_t at, Instruction const& call) {
  char const* const does = "issues a copy into";
  Piece const& piece = pieces_[at / piece_bytes];
  if (piece.loading > 0) {
    report("copy in flight", &call, 16, does, at,
           " while another into it@ is in flight: wait " + for_phase(piece, at) + "#", numbered(piece.by));
  } else if (piece.storing > 0) {
    report("copy in flight", &call, 17, does, at,
           " while a copy that reads it@ is in flight: wait with tma_store_wait_read#", store_of(at));
  } else if (piece.multiplying > 0) {
    report("wgmma in flight", &call, 18, does, at,
           " while a wgmma that reads it@ is in flight: let its warpgroup arrive at an mbarrier after wgmma_wait, and "
           "wait for that#", product_of(at));
  } else {
    check_writer(piece, at, does, call);
  }
}

// Are all reads of the line over before a copy into it is issued?
void Hopper::check_readers(std::uint32_t line, Instruction const& call) {
  if (!is_new(line_read_[line])) return;
  int const rank = int(line * line_bytes / std::uint32_t(block_bytes_)), first = rank * block_threads_;
  std::size_t const agents = line * std::size_t(line_agents_);
  for (int agent = 0; agent < line_agents_; ++agent) {
    std::uint32_t const time = line_reads_[agents + std::size_t(agent)];
    if (!is_new(time)) continue;
    bool const is_group = agent >= block_threads_;
    int const group = agent - block_threads_;
    if (!concurrent(time, is_group ? order_.warpgroup(first / warpgroup_size + group) : first + agent)) continue;
    // a read that came too early found nothing
    for (std::uint32_t at = line * line_bytes; at < (line + 1) * line_bytes; ++at) {
      worker_.raced_shared_.insert(reinterpret_cast<std::uintptr_t>(worker_.shared_) + at);
    }
    std::string const reader = is_group ? "a wgmma of warpgroup " + std::to_string(group)
                                        : worker_.thread_name(first + agent);
    report("race", &call, 19, "issues a copy into", line * line_bytes,
           ", which " + reader +
               " reads@, and is not told that it is over: let it arrive at an mbarrier after reading, and wait for the "
               "end of that phase#", numbered(line_readers_[agents + std::size_t(agent)]));
  }
}

// ---- What is left at the end ----

void Hopper::end_cluster() {
  using enum Worker::State;
  bool const ended = std::all_of(worker_.threads_.begin(), worker_.threads_.end(),
                                 [](auto const& each) { return each.state == done; });
  std::string const kernel = "kernel " + worker_.launch_.program->name + ", block ";
  for (Load const& load : loads_) {
    for (std::uint32_t at = load.to; at < load.to + std::uint32_t(load.tile.box_bytes()); at += piece_bytes)
      --pieces_[at / piece_bytes].loading;
  }
  for (int thread = 0; thread < threads_; ++thread) {
    for (Store const& store : states_[std::size_t(thread)].stores) {
      worker_.become(thread);
      if (ended)
        report("copy in flight", store.call, 21, "ends while its copy is in flight that reads", store.from,
               ": wait with tma_store_wait_read<0> before");
      finish_store(-1, store);
    }
  }
  for (std::size_t group = 0; group < warpgroups_.size(); ++group) {
    for (Product const& product : warpgroups_[group].products) {
      worker_.become(int(group) * warpgroup_size);
      if (ended)
        report("wgmma in flight", product.call, 22, "ends while its wgmma is in flight that reads",
               block_begin(worker_.rank) + product.b.address(), ": wait with wgmma_wait<0> before");
      if (checks()) count_readers(product, int(group), -1);
    }
  }
  if (!ended) return;
  check_arrivals_elsewhere();
  if (!loads_.empty()) {
    worker_.become(loads_[0].issuer);
    report("copy in flight", loads_[0].call, 23,
           "ends while " + std::to_string(loads_.size()) + " copies of the cluster are in flight, the oldest into",
           loads_[0].to, ": wait for the end of its mbarrier's phase");
  }
  for (MbarrierState const& barrier : barriers_) {
    if (!barrier.unseen || !loads_.empty()) continue;
    worker_.become(barrier.maker);
    report("copy in flight", barrier.made_by, 26, "ends though nobody has waited for the last copies at mbarrier",
           barrier.at, ": they may still be in flight");
  }
  for (MbarrierState const& barrier : barriers_) {
    if (barrier.bytes == 0 || !loads_.empty()) continue;
    worker_.become(barrier.maker);
    report("byte count", barrier.made_by, 24, "ends with mbarrier", barrier.at,
           barrier.bytes > 0
               ? ", which was told of " + std::to_string(barrier.bytes) + " bytes more than copies brought"
               : ", to which copies brought " + std::to_string(-barrier.bytes) + " bytes more than it was told of");
  }
  long registers = 0;
  for (int rank = 0; rank * block_threads_ < threads_; ++rank) {
    bool takes = false;
    registers = 0;
    for (int i = 0; i < block_threads_; ++i) {
      int const mine = states_[std::size_t(rank * block_threads_ + i)].registers;
      takes = takes || mine > 0;
      registers += mine > 0 ? mine : 65536 / block_threads_ / 8 * 8;
    }
    if (!takes || registers <= 65536) continue;
    worker_.hazards.add({"broken requirement", 0, {nullptr, 25}}, worker_.turn_, [&] {
      return kernel + std::to_string(worker_.first_block_ + rank) + ": its threads ask for " +
             std::to_string(registers) + " registers, a multiprocessor has 65536: take fewer";
    });
  }
}

}  // namespace tilestep::virtual_gpu
