// Random programs of accesses and barriers: a launch has a race exactly if a brute-force oracle finds two accesses to a
// common byte, by different threads, one of them a write, with nothing between them. Under every schedule.

#include "run_kernel.hpp"

#include <random>  // std::mt19937

using namespace host_test;

namespace {

constexpr int threads = 64, blocks = 3, intervals = 3, bytes = 192;

struct Step {
  bool is_write;
  int offset, size;  // in bytes
};

// What each thread of each block does in each interval. It is ordinary memory: the virtual GPU can read it unseen.
using Program = std::vector<std::vector<Step>>;
std::size_t place(std::int64_t block, int thread, int interval) {
  return std::size_t((block * threads + thread) * intervals + interval);
}

struct Params {
  Program const* program;
  std::uint8_t* memory;
};

template <class Ptr>
void access(Ptr bytes_at, Step const& step) {
  std::uint8_t r[16] = {};
  auto const at = bytes_at + step.offset;
  bool const w = step.is_write;
  switch (step.size) {
    case 1: return w ? store<1>(at, r) : load<1>(at, r);
    case 2: return w ? store<2>(at, r) : load<2>(at, r);
    case 4: return w ? store<4>(at, r) : load<4>(at, r);
    case 8: return w ? store<8>(at, r) : load<8>(at, r);
    default: return w ? store<16>(at, r) : load<16>(at, r);
  }
}

template <class Element>
struct OnShared {
  static constexpr int threads = ::threads;
  struct Shared { SharedArray<Element, bytes / int(sizeof(Element))> x; };
  void operator()(Shared& memory, Params const& p) const {
    auto const x = recast<std::uint8_t>(shared(memory.x, "x"));
    for (int i = thread_index(); i < bytes; i += threads) x[i] = std::uint8_t(0);
    sync_threads();
    for (int interval = 0; interval < intervals; ++interval) {
      for (Step const& step : (*p.program)[place(block_index(), thread_index(), interval)]) access(x, step);
      sync_threads();
    }
  }
};

struct OnGlobal {
  static constexpr int threads = ::threads;
  using Shared = NoShared;
  void operator()(Shared&, Params const& p) const {
    for (int interval = 0; interval < intervals; ++interval) {
      for (Step const& step : (*p.program)[place(block_index(), thread_index(), interval)])
        access(global(p.memory), step);
      sync_threads();
    }
  }
};

Program make_program(std::mt19937& random, int steps, int writes_of_hundred) {
  auto const below = [&](int n) { return int(random() % unsigned(n)); };
  Program program(std::size_t(blocks * threads * intervals));
  for (int i = 0; i < steps; ++i) {
    int const size = 1 << below(5);
    program[std::size_t(below(int(program.size())))].push_back(
        {below(100) < writes_of_hundred, below(bytes / size) * size, size});
  }
  return program;
}

bool races(Program const& program, bool is_shared) {
  struct Seen { int block, thread, interval; Step step; };
  std::vector<Seen> all;
  for (int block = 0; block < blocks; ++block) {
    for (int thread = 0; thread < threads; ++thread) {
      for (int interval = 0; interval < intervals; ++interval) {
        for (Step const& step : program[place(block, thread, interval)]) all.push_back({block, thread, interval, step});
      }
    }
  }
  for (Seen const& a : all) {
    for (Seen const& b : all) {
      if (!a.step.is_write && !b.step.is_write) continue;
      if (a.step.offset >= b.step.offset + b.step.size || b.step.offset >= a.step.offset + a.step.size) continue;
      if (a.block != b.block ? !is_shared : a.thread != b.thread && a.interval == b.interval) return true;
    }
  }
  return false;
}

template <class Kernel>
void check_programs(Kernel const& kernel, bool is_shared, int steps) {
  std::mt19937 random(20 + is_shared);
  int racy = 0, total = 0;
  for (int repeat = 0; repeat < 60; ++repeat) {
    Program const program = make_program(random, steps, 10 + 20 * (repeat % 4));
    bool const expected = races(program, is_shared);
    racy += expected;
    ++total;
    for (Schedule const& schedule : schedules) {
      DeviceBuffer<std::uint8_t> memory("memory", bytes);
      std::vector<std::uint8_t> const zeros(bytes);
      memory.upload(zeros.data(), bytes);
      KernelReport const report =
          run(kernel, blocks, Params{&program, memory.data()}, RunOptions{"", schedule, true, 2});
      INFO("program " << repeat << ", schedule " << name(schedule) << "\n" << text(report));
      CHECK(report.hazards.empty() == !expected);
      if (expected) CHECK(only(report, "race"));
    }
  }
  CHECK(racy > total / 10);      // the programs are of both kinds
  CHECK(racy < total * 9 / 10);
}

}  // namespace

TEST_CASE("random programs on shared memory race exactly if two of their accesses do", "[host][race]") {
  check_programs(OnShared<std::uint8_t>{}, true, 30);
  check_programs(OnShared<std::uint32_t>{}, true, 30);
  check_programs(OnShared<double>{}, true, 30);
}

TEST_CASE("random programs on global memory race exactly if two of their accesses do", "[host][race]") {
  check_programs(OnGlobal{}, false, 9);
}
