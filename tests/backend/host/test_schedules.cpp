// The order in which blocks and threads run.

#include "run_kernel.hpp"

#include <tilestep/backend/virtual_gpu/schedule.hpp>  // BlockOrder

#include <set>  // permutations

using namespace host_test;

namespace {

struct Log {
  std::vector<int>* order;  // ordinary memory of the test: what runs on the virtual GPU is a CPU program
};

struct LogThreads {
  static constexpr int threads = 96;
  using Shared = NoShared;
  void operator()(Shared&, Log const& p) const {
    p.order->push_back(int(block_index()) * 1000 + thread_index());
    sync_threads();
    p.order->push_back(int(block_index()) * 1000 + 500 + thread_index());
  }
};

std::vector<int> order_of(Schedule schedule, std::int64_t blocks) {
  std::vector<int> order;
  (void)run(LogThreads{}, blocks, Log{&order}, RunOptions{"", schedule, true, 1});
  return order;
}

// Wrong when thread 0 runs before the others, right when it runs last: a barrier is missing.
struct NeedsBarrier {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = 1.0f;
    if (t != 0) return;
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += x[i];
    global(p.out)[0] = sum;
  }
};

}  // namespace

TEST_CASE("in order, threads run by number between barriers", "[host][schedule]") {
  std::vector<int> const order = order_of({Schedule::Kind::in_order, 0}, 2);
  REQUIRE(order.size() == 2 * 2 * 96);
  for (int block = 0; block < 2; ++block) {
    for (int i = 0; i < 96; ++i) {
      CHECK(order[std::size_t(block * 192 + i)] == block * 1000 + i);
      CHECK(order[std::size_t(block * 192 + 96 + i)] == block * 1000 + 500 + i);
    }
  }
}

TEST_CASE("in reverse, blocks and threads run from the last to the first", "[host][schedule]") {
  std::vector<int> const order = order_of({Schedule::Kind::reverse, 0}, 2);
  for (int i = 0; i < 96; ++i) {
    CHECK(order[std::size_t(i)] == 1000 + 95 - i);
    CHECK(order[std::size_t(192 + 96 + i)] == 500 + 95 - i);
  }
}

TEST_CASE("at random, every seed is an order of its own that can be repeated", "[host][schedule]") {
  std::set<std::vector<int>> seen;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Schedule const schedule{Schedule::Kind::random, seed};
    std::vector<int> const order = order_of(schedule, 3);
    CHECK(order == order_of(schedule, 3));
    CHECK(std::set<int>(order.begin(), order.end()).size() ==
          3 * 192);  // each thread once on either side of the barrier
    std::vector<int> before(order.begin(), order.begin() + 96), after(order.begin() + 96, order.begin() + 192);
    for (int& thread : before) thread %= 1000;
    for (int& thread : after) thread = thread % 1000 - 500;
    CHECK(before != after);  // shuffled anew in each interval
    seen.insert(order);
  }
  CHECK(seen.size() == 8);
}

TEST_CASE("every order of blocks is a permutation", "[host][schedule]") {
  for (std::int64_t const blocks : {1, 2, 3, 12, 97, 1000}) {
    for (Schedule const& schedule : schedules) {
      tilestep::virtual_gpu::BlockOrder const order(schedule, blocks);
      std::set<std::int64_t> seen;
      for (std::int64_t i = 0; i < blocks; ++i) seen.insert(order(i));
      CHECK(seen.size() == std::size_t(blocks));
      CHECK(*seen.begin() == 0);
      CHECK(*seen.rbegin() == blocks - 1);
    }
  }
}

TEST_CASE("a missing barrier shows in the numbers under some schedules, and as a hazard under all",
          "[host][schedule]") {
  auto const result = [](Schedule schedule) {
    Buffers memory(4);
    CHECK(only(run(NeedsBarrier{}, 1, memory.params(), RunOptions{"", schedule, true, 1}), "race"));
    return memory.result()[0];
  };
  CHECK(result({Schedule::Kind::reverse, 0}) == 64.0f);
  CHECK(!(result({Schedule::Kind::in_order, 0}) == 64.0f));
}

TEST_CASE("reports do not depend on the number of workers", "[host][schedule]") {
  for (Schedule const& schedule : schedules) {
    std::set<std::string> seen;
    for (int const workers : {1, 2, 3, 8}) {
      Buffers memory(4);
      seen.insert(text(run(NeedsBarrier{}, 1, memory.params(), RunOptions{"", schedule, true, workers})));
    }
    CHECK(seen.size() == 1);
  }
}
