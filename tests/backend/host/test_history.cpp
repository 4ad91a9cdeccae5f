// The rule for races against a brute-force oracle that keeps every access and compares all pairs.

#include <tilestep/backend/virtual_gpu/history.hpp>        // tested here
#include <tilestep/backend/virtual_gpu/history_array.hpp>  // tested here
#include <tilestep/backend/virtual_gpu/tensor_names.hpp>   // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <random>  // std::mt19937
#include <vector>  // std::vector

using namespace tilestep::virtual_gpu;

namespace {

constexpr int threads = 12, warp_shift = 2, warps = threads >> warp_shift;

struct Access {
  bool is_write;
  int thread;
  int block;
  int interval;             // barriers of the block so far
  std::vector<int> epochs;  // sync_warps of each warp so far
};

bool concurrent(Access const& a, Access const& b) {
  if (a.block != b.block) return true;
  if (a.thread == b.thread || a.interval != b.interval) return false;
  int const warp = a.thread >> warp_shift;
  if (warp != b.thread >> warp_shift) return true;
  return a.epochs[std::size_t(warp)] == b.epochs[std::size_t(warp)];
}

// One random sequence of accesses to one element, of the block (shared) or of the launch (global). Up to the first race
// History and oracle must agree exactly; after it History may forget, but it must not invent.
void check_sequence(unsigned seed, bool is_shared) {
  std::mt19937 random(seed);
  auto const below = [&](int n) { return int(random() % unsigned(n)); };
  Clock clock;
  clock.warp_shift = warp_shift;
  clock.begin_block();
  History history;
  std::vector<Access> accesses;
  int block = 0, interval = 0;
  std::vector<int> epochs(warps, 0);
  bool raced = false;
  int const writes_of_ten = 1 + below(5), active = 2 + below(threads - 1);

  for (int step = 0; step < 60; ++step) {
    int const what = below(20);
    if (what == 0) {
      clock.begin_block();
      ++block;
      if (is_shared) accesses.clear();
    } else if (what <= 3) {
      clock.meet_block();
      ++interval;
    } else if (what <= 8) {
      int const warp = below(warps);
      clock.meet_warp(warp);
      ++epochs[std::size_t(warp)];
    } else {
      Access const access{below(10) < writes_of_ten, below(active), block, interval, epochs};
      bool expected = false;
      for (Access const& earlier : accesses)
        expected |= concurrent(earlier, access) && (earlier.is_write || access.is_write);
      std::uint32_t const begin = is_shared ? clock.block : clock.launch;
      bool found = false;
      if (access.is_write) {
        if (!is_shared || !history.write_after_barrier(access.thread, clock))
          found = history.write(access.thread, clock, begin).found;
      } else {
        if (!is_shared || (!history.read_adds_nothing(access.thread, clock) &&
                           !history.read_after_barrier(access.thread, clock)))
          found = history.read(access.thread, clock, begin).found;
      }
      INFO("seed " << seed << ", step " << step << ", shared " << is_shared);
      if (!raced) REQUIRE(found == expected);
      if (found) REQUIRE(expected);
      raced = raced || expected;
      accesses.push_back(access);
    }
  }
}

}  // namespace

TEST_CASE("a history finds the first race of every sequence, and invents none", "[host][race]") {
  for (unsigned seed = 0; seed < 40000; ++seed) {
    check_sequence(seed, true);
    check_sequence(seed, false);
  }
}

TEST_CASE("a conflict names the other thread and what it did", "[host][race]") {
  Clock clock;
  clock.begin_block();
  History history;
  CHECK(!history.write(3, clock, clock.block).found);
  Conflict const conflict = history.read(4, clock, clock.block);
  CHECK(conflict.found);
  CHECK(conflict.was_write);
  CHECK(conflict.thread == 3);
  clock.meet_block();
  CHECK(!history.read(1023, clock, clock.block).found);
  CHECK(history.write(5, clock, clock.block).thread == 1023);
}

TEST_CASE("histories split when memory is read as smaller elements", "[host][race]") {
  Clock clock;
  clock.begin_block();
  HistoryArray histories(64, 8);
  auto const write = [&](std::int64_t offset, int bytes, int thread) {
    bool found = false;
    histories.for_each(offset, bytes, [&](History& history, std::int64_t, int) {
      found |= history.write(thread, clock, clock.block).found;
    });
    return found;
  };
  CHECK(!write(8, 8, 1));
  CHECK(!write(16, 2, 2));  // splits
  CHECK(!write(18, 2, 3));
  CHECK(write(8, 1, 2));    // thread 1 wrote all of 8..15
  CHECK(write(15, 1, 4));
  CHECK(write(16, 16, 5));
  CHECK(!write(32, 16, 6));
}

TEST_CASE("the coordinate of an element is found from the largest stride down", "[host][names]") {
  TensorNames names;
  auto const add = [&](std::int64_t first, int rank, std::int64_t const* shape, std::int64_t const* stride) {
    names.add(first, {4, rank, shape, stride, nullptr, nullptr});
  };
  CHECK(names.element(12, 4) == ", element 3");
  std::int64_t const shape[] = {3, 4}, stride[] = {1, 8};  // columns of 8
  add(0, 2, shape, stride);
  CHECK(names.element(0, 4) == "(0,0), element 0");
  CHECK(names.element(4 * (2 + 8 * 3), 4) == "(2,3), element 26");
  CHECK(names.element(4 * 6, 4) == "(6,0), element 6");    // between the columns
  CHECK(names.element(4 * 33, 4) == "(1,4), element 33");  // past the end
  CHECK(names.element(-4, 4) == "(7,-1), element -1");
  std::int64_t const other_shape[] = {100}, other_stride[] = {1};
  add(0, 1, other_shape, other_stride);  // the first description of a start wins
  CHECK(names.element(4 * 9, 4) == "(1,1), element 9");
  add(4 * 64, 1, other_shape, other_stride);
  CHECK(names.element(4 * 70, 4) == "(6) of the tensor at element 64, element 70");
}

TEST_CASE("a mode of several extents has one number, and a swizzle is undone", "[host][names]") {
  TensorNames names;
  std::int64_t const shape[] = {2, 4, 3}, stride[] = {1, 8, 2};  // ((2,4),3)
  int const numbers[] = {2, 1};
  names.add(0, {4, 3, shape, stride, numbers, nullptr});
  CHECK(names.element(4 * (1 + 8 * 3 + 2 * 2), 4) == "(7,2), element 29");

  TensorNames swizzled;
  std::int64_t const rows[] = {8, 8}, along[] = {8, 1};
  swizzled.add(0, {4, 2, rows, along, nullptr, [](std::int64_t place) { return place ^ (place >> 3 & 7); }});
  CHECK(swizzled.element(4 * (3 * 8 + 6), 4) == "(3,5), element 30 behind the swizzle");
}
