// uniform(): lanes of a warp that take part and bring different values are reported; those that do not take part are
// not asked.

#include "run_kernel.hpp"

using namespace host_test;

namespace {

enum class Value { thread, warp, block, per_turn, of_lanes_inside, of_half };

template <Value VALUE>
struct Brings {
  static constexpr int line = __LINE__ + 20;  // of its call
  static constexpr int threads = 128;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    int const t = thread_index();
    std::int64_t sum = 0;
    for (int turn = 0; turn < 3; ++turn) {
      int value = 7;
      if constexpr (VALUE == Value::thread) value = t;
      if constexpr (VALUE == Value::warp) value = warp_index();
      if constexpr (VALUE == Value::block) value = int(block_index());
      if constexpr (VALUE == Value::per_turn) value = turn;
      if constexpr (VALUE == Value::of_lanes_inside) {
        if (lane_index() < 5) continue;  // they do not take part
        value = lane_index() < 5 ? 1 : 2;
      }
      if constexpr (VALUE == Value::of_half) {
        if (turn < lane_index() % 2) continue;  // odd lanes come in later turns alone
        value = turn;
      }
      sum += uniform(value);
    }
    global(p.out)[block_index() * threads + t] = float(sum);
  }
};

// Alike before the barrier, and after it, but not the same.
template <bool ALIKE>
struct AroundBarrier {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    int sum = 0;
    for (int turn = 0; turn < 2; ++turn) {
      sum += uniform(ALIKE ? turn : turn * thread_index());
      sync_threads();
    }
    global(p.out)[thread_index()] = float(sum);
  }
};

// 64 bits, of which only the upper ones differ.
struct LongValue {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    global(p.out)[thread_index()] = float(uniform(std::int64_t(thread_index() % 2) << 40));
  }
};

}  // namespace

TEST_CASE("a value that lanes bring to uniform() and that differs is reported", "[host][uniform]") {
  check_found("not uniform", Brings<Value::thread>{}, 2, buffers(256));
  check_found("not uniform", AroundBarrier<false>{}, 1, buffers(64));
  check_found("not uniform", LongValue{}, 1, buffers(32));
}

TEST_CASE("values that are alike in each warp are uniform", "[host][uniform]") {
  check_clean(Brings<Value::warp>{}, 2, buffers(256));
  check_clean(Brings<Value::block>{}, 2, buffers(256));
  check_clean(Brings<Value::per_turn>{}, 2, buffers(256));
  check_clean(AroundBarrier<true>{}, 1, buffers(64));
}

TEST_CASE("uniform() asks only the lanes that take part", "[host][uniform]") {
  check_clean(Brings<Value::of_lanes_inside>{}, 2, buffers(256));
  check_clean(Brings<Value::of_half>{}, 2, buffers(256));
}

TEST_CASE("a report of uniform() names lanes, values and the place", "[host][uniform]") {
  Buffers memory(128);
  std::string const line = std::to_string(Brings<Value::thread>::line);
  KernelReport const report = run(Brings<Value::thread>{}, 1, memory.params());
  INFO(text(report));
  REQUIRE(report.hazards.size() == 1);
  CHECK(report.hazards[0].message.starts_with(
      "kernel Brings, block 0, thread 0 brings 0 to uniform() at test_uniform.cpp:" + line +
      ", and thread 1 of its warp, lane 1, brings 1: what is uniform is the same in all lanes of a warp ("));
}
