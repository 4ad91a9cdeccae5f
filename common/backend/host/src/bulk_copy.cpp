// Copies by tensor map: in flight from their issue until they land, one at a time, when nobody else can go on; stores
// when they are waited for.

#include <tilestep/backend/tma_map.hpp>                 // make_tensor_map
#include <tilestep/backend/virtual_gpu/access.hpp>      // poison
#include <tilestep/backend/virtual_gpu/hopper.hpp>      // what is implemented here
#include <tilestep/backend/virtual_gpu/schedule.hpp>    // mix
#include <tilestep/backend/virtual_gpu/worker.hpp>      // Worker

#include <algorithm>  // std::clamp
#include <bit>        // std::popcount
#include <cstring>    // std::memcpy, std::memset

namespace tilestep {

TensorMap make_tensor_map(TensorTile const& tile) {
  check_tensor_tile(tile);
  return {tile};
}

namespace virtual_gpu {

namespace {

// Calls visit(offset in the matrix, first element and number of elements that move, offset of the row in the box) for
// every row. A load takes what the matrix has; a store does not end within 16 bytes.
template <class Visit>
void for_each_row(TensorTile const& tile, std::int64_t const* origin, bool loads, Visit&& visit) {
  std::int64_t const unit = loads ? 1 : piece_bytes / tile.element_size,
                     row_end = (tile.extent[0] + unit - 1) / unit * unit;
  std::int64_t const begin = std::clamp<std::int64_t>(-origin[0], 0, tile.box[0]),
                     end = std::clamp<std::int64_t>(row_end - origin[0], begin, tile.box[0]);
  std::int64_t row = 0;
  for (int z = 0; z < tile.box[2]; ++z) {
    for (int y = 0; y < tile.box[1]; ++y, ++row) {
      std::int64_t const gy = origin[1] + y, gz = origin[2] + z;
      bool const there = gy >= 0 && gy < tile.extent[1] && gz >= 0 && gz < tile.extent[2];
      std::int64_t const first = gy * tile.stride[1] + gz * tile.stride[2] + origin[0] + begin;
      visit(first * tile.element_size, begin, there ? end - begin : 0, row * tile.box[0] * tile.element_size);
    }
  }
}

}  // namespace

// Copies a box to or from shared memory at `at` of the cluster's; a load brings zeros where the matrix has nothing.
void Hopper::move_box(TensorTile const& tile, std::int64_t const* origin, std::uint32_t at, bool loads) const {
  std::uint32_t const block = at / std::uint32_t(block_bytes_) * std::uint32_t(block_bytes_), in_block = at - block;
  unsigned char* const shared = worker_.shared_ + block;
  auto* const matrix = static_cast<unsigned char*>(const_cast<void*>(tile.base));
  std::int64_t const size = tile.element_size;
  for_each_row(tile, origin, loads, [&](std::int64_t from, std::int64_t first, std::int64_t count, std::int64_t row) {
    for (std::int64_t piece = 0; piece < tile.box[0] * size; piece += piece_bytes) {
      unsigned char* const there = shared + swizzled(in_block + std::uint32_t(row + piece), tile.swizzle);
      std::int64_t const begin = std::clamp<std::int64_t>(first * size - piece, 0, piece_bytes);
      std::int64_t const end = std::clamp<std::int64_t>((first + count) * size - piece, begin, piece_bytes);
      if (loads) std::memset(there, 0, piece_bytes);
      if (end == begin) continue;
      unsigned char* const here = matrix + from + (piece + begin - first * size);
      if (loads) std::memcpy(there + begin, here, std::size_t(end - begin));
      else std::memcpy(here, there + begin, std::size_t(end - begin));
    }
  });
}

// What the copy does to global memory, as accesses of the thread that runs.
void Hopper::note_box(TensorTile const& tile, std::int64_t const* origin, bool loads, Instruction const& call) {
  if (!checks()) return;
  auto const address = reinterpret_cast<std::uintptr_t>(tile.base);
  GlobalView& view = *worker_.global_view(address, loads);
  Counters& counters = worker_.counters;
  std::int64_t bytes = 0, sectors = 0;
  for_each_row(tile, origin, loads, [&](std::int64_t from, std::int64_t, std::int64_t count, std::int64_t) {
    if (count == 0) return;
    std::int64_t const offset = std::int64_t(address - view.begin) + from, size = count * tile.element_size;
    bytes += size;
    sectors += (offset + size + 31) / 32 - offset / 32;
    if (!view.contains(offset, int(size)))
      return worker_.report_outside(loads ? "copies from" : "copies to", view, offset, int(size), call);
    worker_.check_early(!loads, view, offset, int(size), call);
    if (!loads) worker_.note_write(view, offset, int(size), call);
    else if (!view.plain_reads) worker_.note_global_read(view, offset, int(size), call);
  });
  (loads ? counters.global_load_requests : counters.global_store_requests) += 1;
  (loads ? counters.global_load_bytes : counters.global_store_bytes) += bytes;
  (loads ? counters.global_load_sectors : counters.global_store_sectors) += sectors;
  (loads ? counters.global_load_sectors_ideal : counters.global_store_sectors_ideal) += sectors;
}

[[gnu::noinline]]
void Hopper::load(std::uintptr_t to, TensorMap const& map, SharedPtr<Mbarrier> barrier, unsigned blocks,
                  int const* origin, int rank, Where const& place) {
  TensorTile const& tile = map.tile;
  if (rank != tile.rank) worker_.abandon_thread("a copy names as many coordinates as its tensor map has modes");
  std::uint32_t const here = shared_offset(to);
  Instruction const& call = worker_.instruction(__builtin_frame_address(0), place);
  bool const multicast = blocks != 0;
  if (!multicast) blocks = 1u << worker_.rank;
  if (int(std::bit_width(blocks)) > threads_ / block_threads_)
    worker_.abandon_thread("a multicast names a block that the cluster does not have");
  if (here % line_bytes != 0)
    worker_.abandon_thread("a copy's tile begins at a multiple of 128 bytes of shared memory");
  std::int64_t const from[3] = {origin[0], origin[1], rank == 3 ? origin[2] : 0};
  note_box(tile, from, true, call);
  for (int block = 0; block < threads_ / block_threads_; ++block) {
    if ((blocks >> block & 1) == 0) continue;
    int const number = find("copies for", barrier, block, call);
    std::uint32_t const at = here + block_begin(block), bytes = std::uint32_t(tile.box_bytes());
    if (!in_bounds(at, bytes))
      worker_.abandon_thread("a copy's tile reaches past the end of the block's shared memory");
    MbarrierState const& target = barriers_[std::size_t(number)];
    if (!has_fence(states_[std::size_t(target.maker)].mbarrier_fences, target.made, target.maker)) {
      report("missing fence", &call, 40, "issues a copy that lands at mbarrier", target.at,
             ": let the thread that makes it call fence_mbarrier_init() before the barrier");
    }
    for (std::uint32_t piece = at; piece < at + bytes; piece += piece_bytes) {
      if (checks()) {
        check_engine_write(piece, call);
        if (piece % line_bytes == 0) check_readers(piece / line_bytes, call);
      }
      ++pieces_[piece / piece_bytes].loading;
      pieces_[piece / piece_bytes].by = short_number(call.number);
    }
    std::memset(worker_.shared_ + at, poison, bytes);
    loads_.push_back({tile, {from[0], from[1], from[2]}, at, number, me(), &call});
  }
}

bool Hopper::land_a_load() {
  if (loads_.empty()) return false;
  std::size_t next = 0;
  Schedule const schedule = worker_.launch_.schedule;
  if (schedule.kind == Schedule::Kind::reverse) next = loads_.size() - 1;
  if (schedule.kind == Schedule::Kind::random) next = std::size_t(mix(schedule.seed ^ mix(++landed_)) % loads_.size());
  Load const load = loads_[next];
  loads_.erase(loads_.begin() + std::ptrdiff_t(next));
  move_box(load.tile, load.origin, load.to, true);
  MbarrierState& barrier = barriers_[std::size_t(load.barrier)];
  int const agent = order_.copies_of(load.barrier);
  for (std::uint32_t piece = load.to / piece_bytes;
       piece < (load.to + std::uint32_t(load.tile.box_bytes())) / piece_bytes; ++piece) {
    --pieces_[piece].loading;
    pieces_[piece].time = pieces_[piece].landed = now();
    pieces_[piece].writer = std::uint16_t(agent);
  }
  barrier.unseen = true;
  barrier.gathering[std::size_t(agent)] = barrier.near_gathering[std::size_t(agent)] = now();
  tick();
  barrier.bytes -= load.tile.box_bytes();
  worker_.become(load.issuer);
  if (barrier.pending == 0) end_phase_if_complete(barrier, *load.call);
  return true;
}

[[gnu::noinline]]
void Hopper::store(TensorMap const& map, std::uintptr_t from, int const* origin, int rank, Where const& place) {
  TensorTile const& tile = map.tile;
  if (rank != tile.rank) worker_.abandon_thread("a copy names as many coordinates as its tensor map has modes");
  std::uint32_t const in_block = shared_offset(from), at = in_block + block_begin(worker_.rank),
                      bytes = std::uint32_t(tile.box_bytes());
  if (in_block % line_bytes != 0)
    worker_.abandon_thread("a copy's tile begins at a multiple of 128 bytes of shared memory");
  if (!in_bounds(at, bytes)) worker_.abandon_thread("a copy's tile reaches past the end of the block's shared memory");
  Instruction const& call = worker_.instruction(__builtin_frame_address(0), place);
  if (origin[0] < 0 || origin[1] < 0 || (rank == 3 && origin[2] < 0)) {
    report("out of bounds", &call, 41, "issues a copy to before the first element of a matrix, from", at,
           ": a load may begin there, a store may not, and stops the kernel: begin at 0 or after");
  }
  if (origin[0] * tile.element_size % std::int64_t{piece_bytes} != 0)
    worker_.abandon_thread("a store's box begins at a multiple of 16 bytes of a row, or the instruction is illegal");
  for (std::uint32_t piece = at; piece < at + bytes; piece += piece_bytes) {
    if (checks()) check_engine_read(piece, "issues a copy that reads", call);
    ++pieces_[piece / piece_bytes].storing;
  }
  ThreadState& mine = states_[std::size_t(me())];
  mine.stores.push_back({tile, {origin[0], origin[1], rank == 3 ? origin[2] : 0}, at, mine.store_groups, &call});
}

void Hopper::commit_stores() { ++states_[std::size_t(me())].store_groups; }

// @param thread  who has waited for it, or -1: nobody
void Hopper::finish_store(int thread, Store const& store) {
  if (thread >= 0) note_box(store.tile, store.origin, false, *store.call);  // keeps what the matrix had before
  move_box(store.tile, store.origin, store.from, false);
  for (std::uint32_t piece = store.from; piece < store.from + std::uint32_t(store.tile.box_bytes());
       piece += piece_bytes) {
    --pieces_[piece / piece_bytes].storing;
    if (thread < 0) continue;
    note_line_read(piece, worker_.thread, *store.call);
    line_stored_[piece / line_bytes] = {now(), thread, store.call};
  }
}

void Hopper::wait_for_stores(int groups) {
  ThreadState& mine = states_[std::size_t(me())];
  std::size_t done = 0;
  for (; done < mine.stores.size() && mine.stores[done].group + std::uint64_t(groups) < mine.store_groups; ++done)
    finish_store(me(), mine.stores[done]);
  mine.stores.erase(mine.stores.begin(), mine.stores.begin() + std::ptrdiff_t(done));
}

}  // namespace virtual_gpu

}  // namespace tilestep
