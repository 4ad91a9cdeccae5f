// Barriers that not all threads reach: reported, never a hang, and the program goes on.

#include "run_kernel.hpp"

#include <tilestep/backend/require.hpp>  // require

using namespace host_test;

namespace {

template <int THREADS>
struct EarlyExit {
  static constexpr int line = __LINE__ + 5;  // of its barrier
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {
    if (thread_index() >= THREADS) return;
    sync_threads();
  }
};

// The two sides of a branch have a barrier each: as many barriers, but not the same.
template <bool SAME>
struct TwoPlaces {
  static constexpr int line = __LINE__ + 5;  // of its first barrier
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {
    if (SAME || thread_index() % 2 == 0) {
      sync_threads();
    } else {
      sync_threads();
    }
  }
};

// Threads take a different number of trips.
template <bool EVEN>
struct DifferentTrips {
  static constexpr int threads = 96;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    int const trips = EVEN ? 3 : 2 + (thread_index() == 95);
    float sum = 0;
    for (int k = 0; k < trips; ++k) {
      sum += global(p.in)[k];
      sync_threads();
    }
    if (thread_index() == 0) global(p.out)[0] = sum;
  }
};

// A predicate around the barrier.
template <bool PREDICATED>
struct BarrierUnderPredicate {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    bool const inside = thread_index() < p.count;
    x[thread_index()] = 1.0f;
    if (!PREDICATED || inside) sync_threads();
  }
};

template <bool ALL>
struct HalfAWarpSyncs {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {
    if (ALL || lane_index() < 16) sync_warp();
    sync_threads();
  }
};

template <bool ALL>
struct ShuffleAfterExit {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    if (!ALL && thread_index() == 31) return;
    int const v = shuffle_xor(thread_index(), 1);
    global(p.out)[thread_index()] = float(v);
  }
};

// In a loop some lanes shuffle while others wait for the block.
template <bool ALL>
struct ShuffleAgainstBarrier {
  static constexpr int line = __LINE__ + 6;  // of the barrier in the loop
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    float v = float(thread_index());
    for (int k = 0; k < 4; ++k) {
      if (!ALL && k == 2 && lane_index() == 9) sync_threads();
      v += shuffle_down(v, 1);
    }
    sync_threads();
    global(p.out)[thread_index()] = v;
  }
};

// One thread finds that its input is not what it needs.
struct Requires {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    require(thread_index() != 7 || p.count > 8, "count must be more than 8");
    sync_threads();
    global(p.out)[thread_index()] = 1.0f;
  }
};

struct Shuffles {
  static constexpr int threads = 64;
  using Shared = NoShared;
  struct Params { std::int64_t* out; };
  void operator()(Shared&, Params const& p) const {
    int const t = thread_index();
    auto const out = global(p.out) + 5 * t;
    out[0] = shuffle(100 * t, 3);
    out[1] = shuffle_xor(100 * t, 5);
    out[2] = shuffle_up(std::int64_t(t) << 32, 2) >> 32;
    out[3] = std::int64_t(shuffle_down(0.5 * t, 7) * 2);
    out[4] = shuffle(lane_index(), -1);
  }
};

struct PartialWarp {
  static constexpr int threads = 40;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    global(p.out)[thread_index()] = float(shuffle_xor(thread_index(), 8));
  }
};

std::string at(int line) { return "test_barriers.cpp:" + std::to_string(line); }

}  // namespace

TEST_CASE("threads that left early miss the barrier", "[host][barrier]") {
  check_found("divergent barrier", EarlyExit<63>{}, 2, buffers(1));
  check_found("divergent barrier", EarlyExit<32>{}, 2, buffers(1));
  check_found("divergent barrier", EarlyExit<1>{}, 2, buffers(1));
  check_clean(EarlyExit<64>{}, 2, buffers(1));
}

TEST_CASE("two barriers at different places are not the same barrier", "[host][barrier]") {
  check_found("divergent barrier", TwoPlaces<false>{}, 1, buffers(1));
  check_clean(TwoPlaces<true>{}, 1, buffers(1));
}

TEST_CASE("all threads take every trip of a loop with a barrier", "[host][barrier]") {
  check_found("divergent barrier", DifferentTrips<false>{}, 1, buffers(4));
  check_clean(DifferentTrips<true>{}, 1, buffers(4));
}

TEST_CASE("a barrier under a predicate is not reached by all", "[host][barrier]") {
  check_found("divergent barrier", BarrierUnderPredicate<true>{}, 1, buffers(50));
  check_clean(BarrierUnderPredicate<false>{}, 1, buffers(50));
  check_clean(BarrierUnderPredicate<true>{}, 1, buffers(64));
}

TEST_CASE("all lanes of a warp come to sync_warp", "[host][barrier]") {
  check_found("divergent barrier", HalfAWarpSyncs<false>{}, 1, buffers(1));
  check_clean(HalfAWarpSyncs<true>{}, 1, buffers(1));
}

TEST_CASE("all lanes of a warp come to a shuffle", "[host][barrier]") {
  check_found("divergent barrier", ShuffleAfterExit<false>{}, 1, buffers(32));
  check_clean(ShuffleAfterExit<true>{}, 1, buffers(32));
  check_found("divergent barrier", ShuffleAgainstBarrier<false>{}, 1, buffers(64));
  check_clean(ShuffleAgainstBarrier<true>{}, 1, buffers(64));
}

TEST_CASE("without checks a divergent barrier is reported too, and nothing hangs", "[host][barrier]") {
  Buffers memory(1);
  CHECK(only(run(EarlyExit<32>{}, 3, memory.params(), RunOptions{"", {}, false, 2}), "divergent barrier"));
}

TEST_CASE("after a divergent barrier the next kernel runs", "[host][barrier]") {
  Buffers memory(64);
  for (int repeat = 0; repeat < 20; ++repeat) {
    (void)run(EarlyExit<10>{}, 5, memory.params());
    CHECK(run(ShuffleAgainstBarrier<true>{}, 1, memory.params()).hazards.empty());
  }
}

TEST_CASE("a divergent barrier names both threads and their places", "[host][barrier]") {
  Buffers memory(64);
  CHECK(text(run(EarlyExit<10>{}, 1, memory.params())) ==
        "divergent barrier: kernel EarlyExit, block 0, thread 0 waits in sync_threads() at " + at(EarlyExit<10>::line) +
            ", but thread 10 has "
            "ended: every thread of a block must come to the same place\n");
  CHECK(text(run(TwoPlaces<false>{}, 1, memory.params())) ==
        "divergent barrier: kernel TwoPlaces, block 0, thread 0 waits in sync_threads() at " +
            at(TwoPlaces<false>::line) +
            ", but thread 1 waits in "
            "sync_threads() at " +
            at(TwoPlaces<false>::line + 2) + ": every thread of a block must come to the same place\n");
  CHECK(text(run(ShuffleAgainstBarrier<false>{}, 1, memory.params())) ==
        "divergent barrier: kernel ShuffleAgainstBarrier, block 0, thread 0 waits in a shuffle at " +
            at(ShuffleAgainstBarrier<false>::line + 1) +
            ", but thread 9 "
            "waits in sync_threads() at " +
            at(ShuffleAgainstBarrier<false>::line) + ": every lane of a warp must come to the same place\n");
}

TEST_CASE("a thread whose requirement is broken ends its block, which is reported once", "[host][barrier]") {
  Buffers few(8), enough(64);
  CHECK(text(run(Requires{}, 1, few.params())) ==
        "broken requirement: kernel Requires, block 0, thread 7 stops: count must be more than 8\n");
  CHECK(run(Requires{}, 1, enough.params()).hazards.empty());
}

TEST_CASE("shuffles move values of 4 and 8 bytes between lanes of a warp", "[host][shuffle]") {
  for (char const* target_name : {"sm80", "gfx942"}) {
    int const warp = target_info(target_name).warp_size;
    DeviceBuffer<std::int64_t> out("out", 5 * 64);
    KernelReport const report = run(Shuffles{}, 1, Shuffles::Params{out.data()}, RunOptions{target_name, {}, true, 1});
    CHECK(text(report) == "");
    CHECK(report.counters.shuffles == 5 * 64 / warp);
    std::vector<std::int64_t> values(5 * 64);
    out.download(values.data(), 5 * 64);
    for (int t = 0; t < 64; ++t) {
      int const first = t / warp * warp, lane = t % warp;
      INFO("target " << target_name << ", thread " << t);
      CHECK(values[std::size_t(5 * t)] == 100 * (first + 3));
      CHECK(values[std::size_t(5 * t + 1)] == 100 * (first + (lane ^ 5)));
      CHECK(values[std::size_t(5 * t + 2)] == (lane < 2 ? t : t - 2));
      CHECK(values[std::size_t(5 * t + 3)] == (lane + 7 >= warp ? t : t + 7));
      CHECK(values[std::size_t(5 * t + 4)] == warp - 1);
    }
  }
}

TEST_CASE("a lane that the last warp lacks has nothing to give", "[host][shuffle]") {
  Buffers memory(40);
  KernelReport const report = run(PartialWarp{}, 1, memory.params());
  CHECK(only(report, "divergent barrier"));
  CHECK(report.hazards[0].message.find("lane 8") != std::string::npos);
}
