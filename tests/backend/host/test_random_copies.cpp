// Random programs of accesses, asynchronous copies, commits, waits and barriers: a launch has a hazard exactly if a
// brute-force oracle finds a copy that overlaps another access or copy in time and place, two accesses that race, or a
// copy that nobody waited for.

#include "run_kernel.hpp"  // run, schedules

#include <tilestep/backend/async.hpp>  // async_copy

#include <random>  // std::mt19937

using namespace host_test;

namespace {

constexpr int threads = 64, blocks = 2, intervals = 4, bytes = 256;

struct Step {
  enum What { read, write, copy, commit, wait_all, wait_but_one } what;
  int offset = 0, size = 0;  // in bytes
};

using Program = std::vector<std::vector<Step>>;  // what each thread of each block does in each interval
std::size_t place(std::int64_t block, int thread, int interval) {
  return std::size_t((block * threads + thread) * intervals + interval);
}

struct Params {
  Program const* program;
  std::uint8_t const* source;
};

template <int SIZE>
void access(Step const& step, SharedPtr<std::uint8_t> x, GlobalPtr<std::uint8_t const> source) {
  std::uint8_t r[SIZE] = {};
  if (step.what == Step::read) load<SIZE>(x + step.offset, r);
  if (step.what == Step::write) store<SIZE>(x + step.offset, r);
  if (step.what == Step::copy) async_copy<SIZE>(x + step.offset, source + step.offset, step.offset % 64 != 0);
}

struct RandomCopies {
  static constexpr int threads = ::threads;
  struct Shared { SharedArray<float, bytes / 4> x; };
  void operator()(Shared& memory, Params const& p) const {
    auto const x = recast<std::uint8_t>(shared(memory.x, "x"));
    for (int i = thread_index(); i < bytes; i += threads) x[i] = std::uint8_t(0);
    sync_threads();
    for (int interval = 0; interval < intervals; ++interval) {
      for (Step const& step : (*p.program)[place(block_index(), thread_index(), interval)]) {
        if (step.what == Step::commit) async_commit();
        else if (step.what == Step::wait_all) async_wait<0>();
        else if (step.what == Step::wait_but_one) async_wait<1, 1>();
        else if (step.size == 4) access<4>(step, x, global(p.source));
        else if (step.size == 8) access<8>(step, x, global(p.source));
        else access<16>(step, x, global(p.source));
      }
      sync_threads();
    }
  }
};

Program make_program(std::mt19937& random, int steps, int forgets_of_hundred) {
  auto const below = [&](int n) { return int(random() % unsigned(n)); };
  Program program(std::size_t(blocks * threads * intervals));
  for (int i = 0; i < steps; ++i) {
    int const block = below(blocks), thread = below(threads), interval = below(intervals), size = 4 << below(3);
    int const kind = below(100);
    auto& here = program[place(block, thread, interval)];
    here.push_back({kind < 20 ? Step::read : kind < 35 ? Step::write : Step::copy, below(bytes / size) * size, size});
    if (kind < 35) continue;
    if (below(100) >= forgets_of_hundred) here.push_back({Step::commit});
    // Its wait comes at once, in a later interval, or not at all.
    int const when = interval + below(3);
    if (when < intervals)
      program[place(block, thread, when)].push_back({below(4) == 0 ? Step::wait_but_one : Step::wait_all});
    if (below(100) < forgets_of_hundred) continue;
    program[place(block, thread, intervals - 1)].insert(program[place(block, thread, intervals - 1)].end(),
                                                        {{Step::commit}, {Step::wait_all}});
  }
  return program;
}

// One access or copy of a thread: from its issue to the wait, as intervals and as places in the thread's program.
struct Seen {
  int thread, from_interval, to_interval, from, to;
  Step step;
  bool finished;
};

bool has_hazard(Program const& program) {
  for (int block = 0; block < blocks; ++block) {
    std::vector<Seen> all;
    for (int thread = 0; thread < threads; ++thread) {
      int at = 0, groups = 0;
      std::vector<std::pair<std::size_t, int>> in_flight;  // place in `all`, group
      for (int interval = 0; interval < intervals; ++interval) {
        for (Step const& step : program[place(block, thread, interval)]) {
          ++at;
          if (step.what == Step::commit) ++groups;
          if (step.what <= Step::write) all.push_back({thread, interval, interval, at, at, step, true});
          if (step.what == Step::copy) {
            in_flight.emplace_back(all.size(), groups);
            all.push_back({thread, interval, intervals, at, 1 << 20, step, false});
          }
          if (step.what < Step::wait_all) continue;
          std::erase_if(in_flight, [&](auto const& copy) {
            if (copy.second >= groups - (step.what == Step::wait_but_one)) return false;
            Seen& seen = all[copy.first];
            seen.to_interval = interval;
            seen.to = at;
            return seen.finished = true;
          });
        }
      }
    }
    for (Seen const& a : all) {
      if (!a.finished) return true;
      for (Seen const& b : all) {
        if (&a == &b || (a.step.what == Step::read && b.step.what == Step::read)) continue;
        if (a.step.offset >= b.step.offset + b.step.size || b.step.offset >= a.step.offset + a.step.size) continue;
        if (a.thread == b.thread ? a.from < b.to && b.from < a.to
                                 : a.from_interval <= b.to_interval && b.from_interval <= a.to_interval)
          return true;
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("random programs with asynchronous copies have a hazard exactly if the oracle finds one", "[host][async]") {
  std::mt19937 random(5);
  std::vector<std::uint8_t> const ones(bytes, 1);
  DeviceBuffer<std::uint8_t> source("source", bytes);
  source.upload(ones.data(), bytes);
  int wrong = 0, total = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    Program const program = make_program(random, 4 + repeat % 12, repeat % 3);
    bool const expected = has_hazard(program);
    wrong += expected;
    ++total;
    for (Schedule const& schedule : schedules) {
      KernelReport const report =
          run(RandomCopies{}, blocks, Params{&program, source.data()}, RunOptions{"sm80", schedule, true, 2});
      INFO("program " << repeat << ", schedule " << name(schedule) << "\n" << text(report));
      CHECK(report.hazards.empty() == !expected);
      for (Hazard const& hazard : report.hazards) CHECK((hazard.kind == "race" || hazard.kind == "copy in flight"));
    }
  }
  CHECK(wrong > total / 4);  // the programs are of both kinds
  CHECK(wrong < total * 3 / 4);
}
