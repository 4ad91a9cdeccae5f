// Asynchronous copies: kernels that touch a copy in flight, or miss a barrier, are caught under every schedule; their
// good twins are not.

#include "async_kernels.hpp"  // the kernels

#include <tilestep/backend/ldmatrix.hpp>  // ldmatrix

#include <cmath>  // std::isnan

using namespace host_test;

namespace {

constexpr char const* nvidia = "sm80";
constexpr char const* amd = "gfx942";
constexpr int blocks = 3;

// Calls look(report, result) after running the kernel under every schedule, on one worker and on three.
template <class Kernel, class Look>
void under_every_schedule(char const* target, Kernel const& kernel, Look&& look) {
  for (Schedule const& schedule : schedules) {
    for (int const workers : {1, 3}) {
      Buffers memory(std::max(Kernel::elements, blocks * Kernel::threads));
      KernelReport const report = run(kernel, blocks, memory.params(), RunOptions{target, schedule, true, workers});
      INFO("schedule " << name(schedule) << ", workers " << workers << "\n" << text(report));
      look(report, memory.result());
    }
  }
}

// The kernel has no hazards, and its result is right.
template <class Kernel>
void check_right(char const* target, Kernel const& kernel) {
  under_every_schedule(target, kernel, [](KernelReport const& report, std::vector<float> const& result) {
    CHECK(report.hazards.empty());
    int wrong = 0;
    for (int i = 0; i < blocks * Kernel::threads; ++i)
      wrong += !(result[std::size_t(i)] == Kernel::expected(i % Kernel::threads));
    CHECK(wrong == 0);
  });
}

// The kernel has hazards of this kind, and of no other but `also`.
template <class Kernel>
void check_wrong(std::string const& kind, char const* target, Kernel const& kernel, std::string const& also = "") {
  under_every_schedule(target, kernel, [&](KernelReport const& report, std::vector<float> const&) {
    auto const is = [](std::string const& wanted) {
      return [&](Hazard const& hazard) { return hazard.kind == wanted; };
    };
    CHECK(std::any_of(report.hazards.begin(), report.hazards.end(), is(kind)));
    CHECK(std::all_of(report.hazards.begin(), report.hazards.end(),
                      [&](Hazard const& h) { return is(kind)(h) || is(also)(h); }));
  });
}

}  // namespace

TEST_CASE("a copy that is waited for, with a barrier before others read it, is in order", "[host][async]") {
  check_right(nvidia, SingleStage<ByThread<1>>{});
  check_right(nvidia, SingleStage<ByThread<3, 1>>{});
  check_right(nvidia, SingleStage<ByThread<2, 2>>{});
  check_right(amd, SingleStage<ByWarp<1>>{});
  check_right(amd, SingleStage<ByWarp<4>>{});
  check_right("gfx90a", SingleStage<ByWarp<2>>{});
  check_right(nvidia, OwnPart<>{});
}

TEST_CASE("rings of two, three and four buffers are in order", "[host][async]") {
  check_right(nvidia, Ring<ByThread<1>, 2>{});
  check_right(nvidia, Ring<ByThread<1>, 3>{});
  check_right(nvidia, Ring<ByThread<2, 1>, 4>{});
  check_right(nvidia, Ring<ByThread<2>, 3, Bug::skips_the_tail>{});  // groups are counted, also empty ones
  check_right(amd, Ring<ByWarp<1>, 2>{});
  check_right(amd, Ring<ByWarp<2>, 3>{});
  check_right(amd, Ring<ByWarp<1>, 4>{});
}

TEST_CASE("a read of a copy that nobody waited for is found", "[host][async]") {
  // Single buffers also refill what may still be in flight.
  check_wrong("copy in flight", nvidia, SingleStage<ByThread<1>, Bug::no_wait, 1>{});
  check_wrong("copy in flight", nvidia, SingleStage<ByThread<3, 1>, Bug::no_wait>{});
  check_wrong("copy in flight", nvidia, Ring<ByThread<1>, 3, Bug::no_wait>{});
  check_wrong("copy in flight", nvidia, OwnPart<Bug::no_wait>{});
  check_wrong("copy in flight", amd, SingleStage<ByWarp<2>, Bug::no_wait>{});
  check_wrong("copy in flight", amd, Ring<ByWarp<2>, 3, Bug::no_wait>{});
}

TEST_CASE("a group that was never closed is not waited for", "[host][async]") {
  check_wrong("copy in flight", nvidia, SingleStage<ByThread<1>, Bug::no_commit, 1>{});
  check_wrong("copy in flight", nvidia, SingleStage<ByThread<2>, Bug::no_commit>{});
  check_right(amd, SingleStage<ByWarp<2>, Bug::no_commit>{});  // it counts copies
}

TEST_CASE("the wait makes a copy visible to its own thread: others need a barrier after it", "[host][async]") {
  check_wrong("race", nvidia, SingleStage<ByThread<1>, Bug::no_barrier, 1>{});
  check_wrong("race", nvidia, SingleStage<ByThread<2, 1>, Bug::no_barrier>{});
  check_wrong("race", nvidia, SingleStage<ByThread<1>, Bug::barrier_first>{});
  check_wrong("race", nvidia, Ring<ByThread<1>, 3, Bug::barrier_first>{});
  check_wrong("race", nvidia, Ring<ByThread<1>, 2, Bug::no_barrier>{});
  check_wrong("race", amd, SingleStage<ByWarp<1>, Bug::no_barrier>{});
  check_wrong("race", amd, Ring<ByWarp<2>, 3, Bug::barrier_first>{});
}

TEST_CASE("a wait that leaves one group too many in flight is found", "[host][async]") {
  check_wrong("copy in flight", nvidia, Ring<ByThread<1>, 2, Bug::one_group_too_many>{});
  check_wrong("copy in flight", nvidia, Ring<ByThread<2>, 3, Bug::one_group_too_many>{});
  check_wrong("copy in flight", nvidia, Ring<ByThread<3, 1>, 4, Bug::one_group_too_many>{});
  check_wrong("copy in flight", amd, Ring<ByWarp<2>, 3, Bug::one_group_too_many>{});
}

TEST_CASE("refilling a buffer that others may still read is a race", "[host][async]") {
  check_wrong("race", nvidia, SingleStage<ByThread<1>, Bug::refills_early>{});
  check_wrong("race", nvidia, Ring<ByThread<1>, 2, Bug::refills_early>{});
  check_wrong("race", nvidia, Ring<ByThread<2>, 3, Bug::refills_early>{});
  check_wrong("race", amd, SingleStage<ByWarp<2>, Bug::refills_early>{});
  check_wrong("race", amd, Ring<ByWarp<1>, 3, Bug::refills_early>{});
}

TEST_CASE("AMD counts copies: a wrong number of copies in a group waits for too few, or for too many",
          "[host][async]") {
  check_wrong("copy in flight", amd, Ring<ByWarp<2>, 3, Bug::none, 3>{});
  check_wrong("copy in flight", amd, Ring<ByWarp<1>, 3, Bug::none, 2>{});
  check_wrong("copy in flight", amd, Ring<ByWarp<3>, 4, Bug::none, 5>{});
  // the last tiles are among the newest copies
  check_wrong("copy in flight", amd, Ring<ByWarp<2>, 3, Bug::skips_the_tail>{});
  check_wrong("copy in flight", amd, Ring<ByWarp<1>, 4, Bug::skips_the_tail>{});
  check_right(amd, Ring<ByWarp<3>, 3, Bug::none, 2>{});  // waits too long, which is right
  check_right(amd, Ring<ByWarp<2>, 4, Bug::none, 0>{});
  check_right(nvidia, Ring<ByThread<2>, 3, Bug::none, 9>{});  // groups are counted
}

namespace {

// Odd threads copy for their even neighbours; threads past the count have left.
template <bool WAIT, bool SYNC_WARP>
struct PredicatedCopy {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t % 2 == 1) async_copy<1>(x + t, global(p.in) + t, t != 7);
    async_commit();
    if constexpr (WAIT) async_wait<0>();
    if constexpr (SYNC_WARP) sync_warp();
    float const seen = t % 2 == 0 ? float(x[t + 1]) : 0.0f;
    global(p.out)[block_index() * threads + t] = seen;
    if constexpr (!WAIT) async_wait<0>();
  }
  static float expected(int t) { return t % 2 == 1 || t == 6 ? 0.0f : float(t + 1); }
};

// One warp copies, waits and leaves; the other reads after a barrier that the first does not reach, or there is none to
// wait at.
struct EarlyExit {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, 4 * threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t < 32) {
      async_copy<1>(x + t, global(p.in) + t, true);
      async_commit();
      async_wait<0>();
      return;
    }
    global(p.out)[block_index() * threads + t] = float(x[t - 32]);
  }
};

// ldmatrix reads rows that other lanes copied.
template <Bug BUG>
struct Matrices {
  static constexpr int threads = 32, elements = 128;
  struct Shared { SharedArray<float, 128> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<4>(x + 4 * (31 - t), global(p.in) + 4 * (31 - t), true);
    async_commit();
    if constexpr (BUG != Bug::no_wait) async_wait<0>();
    if constexpr (BUG != Bug::no_barrier) sync_threads();
    std::uint32_t r[4];
    ldmatrix<4, false>(recast<std::uint16_t>(x) + 8 * t, r);
    global(p.out)[block_index() * threads + t] = __builtin_bit_cast(float, r[1]);
    if constexpr (BUG == Bug::no_wait) async_wait<0>();
  }
  static float expected(int t) { return float(32 + t); }
};

// One warp copies and waits; the other, which does not, reads: the barrier comes after the wait, or before it.
template <bool BARRIER_AFTER>
struct OtherWarpReads {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, 32> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t < 32) {
      async_copy<1>(x + t, global(p.in) + t, true);
      async_commit();
    }
    if constexpr (!BARRIER_AFTER) sync_threads();
    if (t < 32) async_wait<0>();
    if constexpr (BARRIER_AFTER) sync_threads();
    global(p.out)[block_index() * threads + t] = t < 32 ? 0.0f : float(x[t - 32]);
  }
  static float expected(int t) { return t < 32 ? 0.0f : float(t - 32); }
};

// The first block ends with a copy in flight; the others use the same memory, and wait.
struct FirstBlockForgets {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<1>(x + t, global(p.in) + t, true);
    async_commit();
    if (block_index() > 0 || t != 5) async_wait<0>();
    sync_threads();
    global(p.out)[block_index() * threads + t] = t == 6 ? 0.0f : float(x[(t + 63) % 64]);
  }
};

// What an ordinary store wrote after a copy, another thread reads with no barrier.
struct StoreAfterCopy {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<1>(x + t, global(p.in) + t, true);
    async_commit();
    async_wait<0>();
    x[t] = 2.0f;
    if (t == 9) global(p.out)[t] = float(x[8]);
  }
};

// An ordinary store to where a copy is in flight, of the copying thread or of another.
template <int BY, bool WAIT>
struct StoreMeanwhile {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t == 3) async_copy<1>(x, global(p.in), true);
    async_commit();
    if constexpr (WAIT) async_wait<0>();
    sync_threads();
    if (t == BY) x[0] = 5.0f;
    async_wait<0>();
    sync_threads();
    global(p.out)[block_index() * threads + t] = float(x[0]);
  }
  static float expected(int) { return 5.0f; }
};

// Two copies to the same place with no wait between them, of one thread or of two.
template <int OTHER, bool WAIT>
struct TwoCopies {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t == 3) async_copy<4>(x, global(p.in), true);
    async_commit();
    if constexpr (WAIT) async_wait<0>();
    sync_threads();
    if (t == OTHER) async_copy<1>(x + 2, global(p.in) + 50, true);
    async_commit();
    async_wait<0>();
    sync_threads();
    global(p.out)[block_index() * threads + t] = float(x[t % 4]);
  }
  static float expected(int t) { return t % 4 == 2 ? 50.0f : float(t % 4); }
};

// A kernel that ends with copies in flight.
template <int WAITS_FROM>
struct NobodyWaits {
  static constexpr int threads = 64, elements = 256;
  struct Shared { SharedArray<float, 4 * threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    for (int i = 0; i < 4; ++i) {
      async_copy<1>(x + (i * threads + t), global(p.in) + t, true);
      async_commit();
    }
    if (t >= WAITS_FROM) async_wait<0>();
    else async_wait<1, 1>();
    global(p.out)[block_index() * threads + t] = 1.0f;
  }
  static float expected(int) { return 1.0f; }
};

// The source is written while a copy may still read it. WRITER: which thread; AFTER: what lies between.
template <int WRITER, bool WAIT, bool BARRIER>
struct SourceOverwritten {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    auto const out = global(p.out) + block_index() * threads;
    if (t == 3) out[0] = 1.0f;
    sync_threads();
    if (t == 3) async_copy<1>(x, out, true);
    async_commit();
    if constexpr (WAIT) async_wait<0>();
    if constexpr (BARRIER) sync_threads();
    if (t == WRITER) out[0] = 2.0f;
    if constexpr (BARRIER) sync_threads();
    async_wait<0>();
    sync_threads();
    if (t > 0) out[t] = float(x[0]);
  }
  static float expected(int t) { return t == 0 ? 2.0f : 1.0f; }
};

// One thread waits for its copy while another, with no barrier between them, writes to the source.
template <bool BARRIER>
struct SourceWrittenAtTheWait {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    auto const out = global(p.out) + block_index() * threads;
    if (t == 3) out[0] = 1.0f;
    sync_threads();
    if (t == 3) async_copy<1>(x, out, true);
    async_commit();
    sync_threads();
    if (t == 3) async_wait<0>();
    if constexpr (BARRIER) sync_threads();
    if (t == 40) out[0] = 2.0f;
    sync_threads();
    if (t > 0) out[t] = float(x[0]);
  }
  static float expected(int t) { return t == 0 ? 2.0f : 1.0f; }
};

}  // namespace

TEST_CASE("predication and early exits hide no copy", "[host][async]") {
  check_right(nvidia, PredicatedCopy<true, true>{});
  check_wrong("race", nvidia, PredicatedCopy<true, false>{});
  check_wrong("race", nvidia, PredicatedCopy<false, false>{});
  check_wrong("copy in flight", nvidia, PredicatedCopy<false, true>{});
  check_wrong("race", nvidia, EarlyExit{});
  check_wrong("race", nvidia, OtherWarpReads<false>{});
  check_wrong("copy in flight", nvidia, Matrices<Bug::no_wait>{});
  check_wrong("race", nvidia, Matrices<Bug::no_barrier>{});
  check_right(nvidia, Matrices<Bug::none>{});
  check_right(nvidia, OtherWarpReads<true>{});
}

TEST_CASE("an ordinary store must wait for the copy to the same place", "[host][async]") {
  check_wrong("copy in flight", nvidia, StoreMeanwhile<3, false>{});
  check_right(nvidia, StoreMeanwhile<3, true>{});
  check_right(nvidia, StoreMeanwhile<40, true>{});
  check_wrong("copy in flight", nvidia, StoreMeanwhile<40, false>{});
}

TEST_CASE("two copies to one place must not be in flight together", "[host][async]") {
  check_wrong("copy in flight", nvidia, TwoCopies<3, false>{});
  check_right(nvidia, TwoCopies<3, true>{});
  check_right(nvidia, TwoCopies<40, true>{});
}

TEST_CASE("a thread that ends with copies in flight is found", "[host][async]") {
  check_wrong("copy in flight", nvidia, NobodyWaits<64>{});
  check_wrong("copy in flight", nvidia, NobodyWaits<1>{});
  check_right(nvidia, NobodyWaits<0>{});
}

TEST_CASE("the source of a copy in flight must not be written", "[host][async]") {
  check_wrong("copy in flight", nvidia, SourceOverwritten<3, false, false>{});   // by the thread itself
  check_wrong("copy in flight", nvidia, SourceOverwritten<3, false, true>{});
  check_wrong("copy in flight", nvidia, SourceOverwritten<40, false, true>{});   // by another, after a barrier
  check_wrong("race", nvidia, SourceOverwritten<40, true, false>{});             // the wait alone orders nothing
  under_every_schedule(
      nvidia, SourceWrittenAtTheWait<false>{}, [](KernelReport const& report, std::vector<float> const&) {
        CHECK(!report.hazards.empty());  // a copy in flight or a race, as the write runs before or after the wait
      });
  check_right(nvidia, SourceWrittenAtTheWait<true>{});
  check_right(nvidia, SourceOverwritten<3, true, false>{});
  check_right(nvidia, SourceOverwritten<3, true, true>{});
  check_right(nvidia, SourceOverwritten<40, true, true>{});
}

namespace {

// Copies a tile with one planted mistake in an address.
template <int DST, int SRC, int VEC>
struct Addresses {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, 4 * threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<VEC>(x + (t == 5 ? DST : 4 * t), global(p.in) + (t == 5 ? SRC : 0), t == 5 && DST < 256);
    async_commit();
    async_wait<0>();
  }
};

struct OnAnyTarget {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, 4 * threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    async_copy<4>(x + 4 * thread_index(), global(p.in), false);
    async_commit();
    async_wait<0>();
  }
};

template <int VEC>
struct WarpOnAnyTarget {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, 4 * threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    async_copy_warp<VEC>(shared(memory.x, "x"), global(p.in), 0, false);
    async_wait<0>();
  }
};

// Every lane names its own destination, as for async_copy.
struct ManyDestinations {
  static constexpr int threads = 128, elements = 128;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    async_copy_warp<1>(shared(memory.x, "x") + thread_index(), global(p.in), thread_index(), true);
    async_wait<0>();
  }
};

// Half of the warp comes to the copy.
struct HalfAWarp {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    if (thread_index() < 32) async_copy_warp<1>(shared(memory.x, "x"), global(p.in), thread_index(), true);
    async_wait<0>();
  }
};

// For the message: another thread writes to where a copy is in flight.
struct Described {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "sA");
    std::int64_t const shape[] = {8, 8}, stride[] = {8, 1};
    describe(x, 2, shape, stride);
    async_copy<1>(x + thread_index(), global(p.in) + thread_index(), true);
    async_commit();
    sync_threads();
    if (thread_index() == 9) x[21] = 1.0f;
    async_wait<0>();
  }
};

template <class Kernel>
KernelReport run_once(char const* target, Kernel const& kernel) {
  Buffers memory(std::max(Kernel::elements, Kernel::threads));
  return run(kernel, 1, memory.params(), RunOptions{target, {}, true, 1});
}

}  // namespace

TEST_CASE("an asynchronous copy out of bounds or misaligned is found at its issue", "[host][async]") {
  CHECK(text(run_once(nvidia, Addresses<20, 64, 4>{})) ==
        "out of bounds: kernel Addresses, block 0, thread 5 reads in, element 64: past the last of its 64 elements (16 "
        "bytes in one "
        "access)\n");
  CHECK(text(run_once(nvidia, Addresses<20, -2, 2>{})) ==
        "out of bounds: kernel Addresses, block 0, thread 5 reads in, element -2: before the first of its 64 elements "
        "(8 bytes in one "
        "access)\n");
  CHECK(text(run_once(nvidia, Addresses<20, 2, 4>{})) ==
        "misaligned access: kernel Addresses, block 0, thread 5 reads 16 bytes in one access at in, element 2: byte 8 "
        "is not a multiple of 16\n");
  CHECK(only(run_once(nvidia, Addresses<256, 0, 4>{}), "out of bounds"));
  CHECK(only(run_once(nvidia, Addresses<22, 0, 4>{}), "misaligned access"));
  CHECK(only(run_once(nvidia, Addresses<-1, 0, 1>{}), "out of bounds"));
}

TEST_CASE("a target without the copy is a hazard that says what it has", "[host][async]") {
  CHECK(run_once("sm80", OnAnyTarget{}).hazards.empty());
  CHECK(run_once("sm90", OnAnyTarget{}).hazards.empty());
  for (char const* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    KernelReport const report = run_once(target, OnAnyTarget{});
    CHECK(only(report, "broken requirement"));
    CHECK(text(report).find("take async_copy_warp on CDNA") != std::string::npos);
  }
  for (char const* target : {"gfx90a", "gfx942", "gfx950"})
    CHECK(run_once(target, WarpOnAnyTarget<1>{}).hazards.empty());
  CHECK(run_once("gfx950", WarpOnAnyTarget<4>{}).hazards.empty());
  for (char const* target : {"sm80", "sm90", "gfx1100", "gfx1201"})
    CHECK(only(run_once(target, WarpOnAnyTarget<1>{}), "broken requirement"));
  for (char const* target : {"sm80", "gfx90a", "gfx942", "gfx1201"})
    CHECK(only(run_once(target, WarpOnAnyTarget<4>{}), "broken requirement"));
}

TEST_CASE("a warp's copy has one destination and all lanes", "[host][async]") {
  KernelReport const report = run_once(amd, ManyDestinations{});
  CHECK(only(report, "broken requirement"));
  CHECK(text(report).find("lane 1 names a destination 4 bytes from lane 0's") != std::string::npos);
  CHECK(only(run_once(amd, HalfAWarp{}), "divergent barrier"));
}

TEST_CASE("messages about copies name both threads and what is missing", "[host][async]") {
  auto const message = [](KernelReport const& report) {
    return report.hazards.empty() ? std::string() : without_lines(report.hazards[0].message);
  };
  CHECK(message(run_once(nvidia, SingleStage<ByThread<1>, Bug::no_wait, 1>{})) ==
        "kernel SingleStage, block 0: thread 0 reads x, element 128 while the copy that thread 32 issued into it is in "
        "flight: wait for the copy "
        "with async_wait, then pass a barrier (64 times)");
  CHECK(message(run_once(nvidia, SingleStage<ByThread<1>, Bug::no_commit, 1>{})) ==
        "kernel SingleStage, block 0: thread 0 reads x, element 128 while the copy that thread 32 issued into it is in "
        "flight: close the copy's "
        "group with async_commit, wait with async_wait, then pass a barrier (64 times)");
  CHECK(message(run_once(nvidia, SingleStage<ByThread<1>, Bug::no_barrier, 1>{}))
            .starts_with("kernel SingleStage, block 0: thread 0 issues a copy into x, element 2, and thread 26 reads "
                         "it, with no barrier between them: pass a barrier "
                         "after the wait for the copy"));
  CHECK(message(run_once(nvidia, SingleStage<ByThread<1>, Bug::refills_early>{})).find(
        "reads it, with no barrier between them") != std::string::npos);
  CHECK(message(run_once(nvidia, OwnPart<Bug::no_wait>{})) ==
        "kernel OwnPart, block 0, thread 0 reads x, element 0 while its own copy into it is in flight: wait for the "
        "copy with async_wait first (384 "
        "times)");
  CHECK(message(run_once(nvidia, NobodyWaits<1>{})) ==
        "kernel NobodyWaits, block 0, thread 0 ends while a copy of its own is in flight, the oldest into x, element "
        "192: wait for all copies with "
        "async_wait<0>");
  CHECK(message(run_once(nvidia, SourceOverwritten<3, false, false>{})) ==
        "kernel SourceOverwritten, block 0, thread 3 writes out, element 0 while its own copy that reads it is in "
        "flight: wait for the copy with "
        "async_wait first");
  CHECK(message(run_once(nvidia, SourceOverwritten<40, false, true>{})) ==
        "kernel SourceOverwritten, block 0, thread 40 writes out, element 0 while a copy of thread 3 that reads it is "
        "in flight: wait for the copy "
        "with async_wait, then pass a barrier");
}

TEST_CASE("a copy is forgotten at the end of its block, and where something else was written", "[host][async]") {
  Buffers memory(64 * blocks);
  CHECK(text(run(FirstBlockForgets{}, blocks, memory.params(), RunOptions{nvidia, {}, true, 1})) ==
        "copy in flight: kernel FirstBlockForgets, block 0, thread 5 ends while a copy of its own is in flight, the "
        "oldest into x, element 5: wait "
        "for all copies with async_wait<0>\n");
  CHECK(text(run_once(nvidia, StoreAfterCopy{})) ==
        "race: kernel StoreAfterCopy, block 0: thread 8 writes x, element 8, and thread 9 reads it, with no barrier "
        "between them\n");
}

TEST_CASE("coordinates of described tensors show in messages about copies", "[host][async]") {
  CHECK(text(run_once(nvidia, Described{})) ==
        "copy in flight: kernel Described, block 0: thread 9 writes sA(2,5), element 21 while the copy that thread 21 "
        "issued into it is in flight: "
        "wait for the copy with async_wait, then pass a barrier\n");
}

TEST_CASE("what is read too early is poison, in every schedule and without checks", "[host][async]") {
  using TooEarly = SingleStage<ByThread<1>, Bug::no_wait, 1>;
  using NoBarrier = SingleStage<ByThread<1>, Bug::no_barrier, 1>;
  for (Schedule const& schedule : schedules) {
    for (bool const checks : {true, false}) {
      Buffers memory(TooEarly::elements);
      run(TooEarly{}, 1, memory.params(), RunOptions{nvidia, schedule, checks, 1});
      auto const result = memory.result();
      CHECK(std::all_of(result.begin(), result.begin() + 64, [](float x) { return std::isnan(x); }));
    }
    Buffers memory(NoBarrier::elements);
    run(NoBarrier{}, 1, memory.params(), RunOptions{nvidia, schedule, true, 1});
    auto const result = memory.result();
    CHECK(std::all_of(result.begin(), result.begin() + 64, [](float x) { return std::isnan(x); }));
  }
}

TEST_CASE("copies land without checks too", "[host][async]") {
  using Kernel = Ring<ByThread<2>, 3>;
  Buffers memory(Kernel::elements);
  CHECK(run(Kernel{}, 1, memory.params(), RunOptions{nvidia, {}, false, 1}).hazards.empty());
  auto const result = memory.result();
  for (int t = 0; t < 64; ++t) CHECK(result[std::size_t(t)] == Kernel::expected(t));
  using OnAmd = Ring<ByWarp<2>, 3>;
  Buffers other(OnAmd::elements);
  CHECK(run(OnAmd{}, 1, other.params(), RunOptions{amd, {}, false, 1}).hazards.empty());
  auto const amd_result = other.result();
  for (int t = 0; t < 64; ++t) CHECK(amd_result[std::size_t(t)] == OnAmd::expected(t));
}

TEST_CASE("a false predicate writes zeros and reads nothing", "[host][async]") {
  for (int const count : {4, 252, 256, 260, 512, 700}) {
    Buffers memory(count);
    DeviceBuffer<float> out("out", 64);
    KernelReport const report =
        run(RaggedTail{}, 1, InOut{memory.in.data(), out.data(), count}, RunOptions{nvidia, {}, true, 1});
    INFO("count " << count << "\n" << text(report));
    CHECK(report.hazards.empty());
    std::vector<float> result(64);
    out.download(result.data(), 64);
    for (int t = 0; t < 64; ++t) {
      float sum = 0;
      for (int first = 0; first < count; first += 256) {
        for (int i = 0; i < 4; ++i) {
          int const element = first + (4 * t + i + 100) % 256;
          sum += element < count ? float(element) : 0.0f;
        }
      }
      CHECK(result[std::size_t(t)] == sum);
    }
    CHECK(report.counters.global_load_bytes == 4 * count);
    CHECK(report.counters.shared_store_bytes == 1024 * ((count + 255) / 256));
  }
}

TEST_CASE("an asynchronous copy counts as a load of its sectors and a store of its wavefronts", "[host][async]") {
  Counters const c = run_once(nvidia, SingleStage<ByThread<2>, Bug::none, 1>{}).counters;
  CHECK(c.global_load_requests == 4);  // two warps, two copies each
  CHECK(c.global_load_bytes == 2048);
  CHECK(c.global_load_sectors == 64);
  CHECK(c.global_load_sectors_ideal == 64);
  CHECK(c.shared_store_requests == 4);
  CHECK(c.shared_store_bytes == 2048);
  CHECK(c.shared_store_wavefronts == 16);  // four phases of 8 lanes each
  CHECK(c.shared_store_wavefronts_ideal == 16);
  CHECK(c.shared_load_requests == 2);
  Counters const d = run_once(amd, SingleStage<ByWarp<3>, Bug::none, 1>{}).counters;
  CHECK(d.global_load_requests == 3);
  CHECK(d.global_load_bytes == 768);
  CHECK(d.global_load_sectors == 6);
  CHECK(d.shared_store_requests == 3);
  CHECK(d.shared_store_wavefronts == 6);
}
