// Patterns of GPUVerify's test suite (mc-imperial/gpuverify, testsuite/). Each kernel names the file in whose place it
// stands. Labels are the source's, also where it lets warps run in lockstep, or threads write the same value twice.

#include "case.hpp"  // Case

#include <tilestep/tensor.hpp>  // make_register_tensor

namespace public_sets {

namespace {

// OpenCL/barrier_intervals/test1, test2: three writes of one's own element; in test2 thread 0 meets a barrier alone.
template <bool DIVERGES>
struct Intervals {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = t;
    if (!DIVERGES || t == 0) sync_threads();
    x[t] = t + 1;
    sync_threads();
    x[t] = t + 2;
    global(p.out)[t] = int(x[t]);
  }
};

// CUDA/noraceduetoreturn, CUDA/fail_tests/race_on_shared, OpenCL/benign_race_tests/pass/writezero and
// fail/writezero_nobenign: one thread, or all, write one element.
enum class Writers { one, all, all_the_same };
template <Writers WHO>
struct OneElement {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, 16> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const&) const {
    int const t = thread_index();
    if (WHO == Writers::one && t != 0) return;
    shared(memory.x, "x")[4] = WHO == Writers::all_the_same ? 0 : t;
  }
};

// CUDA/scope: a histogram of each thread is cleared in strips by all and summed by rows.
template <bool BARRIER>
struct Histogram {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, threads * threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    for (int i = 0; i < threads; ++i) x[t + i * threads] = i;
    if constexpr (BARRIER) sync_threads();
    int sum = 0;
    for (int i = 0, at = t % 16 * 4; i < threads; ++i, at = at + 1 == threads ? 0 : at + 1) sum += x[t * threads + at];
    global(p.out)[block_index() * threads + t] = sum;
  }
};

// CUDA/transitiveclosure: in step k nobody writes row k or column k, because what is known there is not written again.
template <bool BARRIER>
struct TransitiveClosure {
  static constexpr int threads = 64, side = 8;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index(), m = t / side, n = t % side;
    x[t] = global(p.in)[t] > 20 ? 1 : 0;
    sync_threads();
    for (int k = 0; k < side; ++k) {
      if (int(x[t]) == 0 && int(x[m * side + k]) != 0 && int(x[k * side + n]) != 0) x[t] = k + 2;
      if constexpr (BARRIER) sync_threads();
    }
    global(p.out)[t] = int(x[t]);
  }
};

// CUDA/warpsync/scan_warp: a warp's inclusive sums in place. The source has no barrier and passes under --warp-sync=32.
template <bool SYNC>
struct ScanWarp {
  static constexpr int threads = 32;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = global(p.in)[t];
    for (int d = 1; d < threads; d *= 2) {
      if constexpr (SYNC) sync_warp();  // all wrote before any reads
      int const other = t >= d ? int(x[t - d]) : 0;
      if constexpr (SYNC) sync_warp();  // all read before any writes
      x[t] = int(x[t]) + other;
    }
    global(p.out)[t] = int(x[t]);
  }
};

// CUDA/warpsync/shuffle: lanes turn their warp's elements by one, in place. The source has no barrier.
template <bool SYNC>
struct ShuffleInPlace {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    int const t = thread_index();
    int const next = global(p.out)[t / 32 * 32 + (t + 1) % 32];
    if constexpr (SYNC) sync_warp();  // all read before any writes
    global(p.out)[t] = next;
  }
};

// OpenCL/inter_group_and_barrier_flag_tests/pass/local_id_benign_write_write: blocks write the same to the same places.
struct SameInEachBlock {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const { global(p.out)[thread_index()] = thread_index(); }
};

// CUDA/reduced_strength_blockwise: a block's part of `width` elements, which the block's threads do not divide.
// CUDA/ctimesgid: each thread has `width` elements of its own.
template <bool BY_BLOCK, int OVERLAP>
struct Strips {
  static constexpr int threads = 64, width = 72;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    std::int64_t const b = block_index(), t = thread_index();
    if constexpr (BY_BLOCK) {
      for (std::int64_t i = t; i < width + OVERLAP; i += threads) global(p.out)[b * width + i] = int(i);
    } else {
      for (std::int64_t i = 0; i < width + OVERLAP; ++i) global(p.out)[(b * threads + t) * width + i] = int(t);
    }
  }
};

// CUDA/ctimeslid: the same in shared memory.
struct SharedStrips {
  static constexpr int threads = 64, width = 32;
  struct Shared { SharedArray<int, threads * width> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    for (int i = 0; i < width; ++i) x[i + t * width] = t;
    global(p.out)[t] = int(x[t * width + width - 1]);
  }
};

// OpenCL/inter_group_and_barrier_flag_tests: write one's element, pass a barrier, write the next one. LAST: also the
// block's last thread, whose next element belongs to another block.
enum class Fence { of_all, of_shared, none };
template <Fence FENCE, bool LAST>
struct NextGlobal {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    std::int64_t const i = block_index() * threads + thread_index();
    global(p.out)[i] = int(i);
    if constexpr (FENCE == Fence::of_all) sync_threads();
    if constexpr (FENCE == Fence::of_shared) sync_shared();
    if (LAST || thread_index() < threads - 1) global(p.out)[i + 1] = int(i);
  }
};
template <Fence FENCE>
struct NextShared {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, threads + 1> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const&) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = t;
    if constexpr (FENCE == Fence::of_shared) sync_shared();
    x[t + 1] = t;
  }
};

// fail/local_id: each block writes the elements of the first.
struct LocalId {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    global(p.out)[thread_index()] = int(block_index());
  }
};

// pass/write_then_read, fail/bad_read_then_write: thread 0 writes (reads), thread 1 reads (writes) after a barrier.
template <bool BARRIER, bool WRITE_FIRST>
struct OneThenOther {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, 1> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    int seen = 0;
    if (!WRITE_FIRST && t == 40) x[0] = 7;
    if (!WRITE_FIRST) sync_threads();
    if (t == 0) {
      if constexpr (WRITE_FIRST) x[0] = 3;
      else seen = x[0];
    }
    if constexpr (BARRIER) sync_threads();
    if (t == 1) {
      if constexpr (WRITE_FIRST) seen = x[0];
      else x[0] = 0;
    }
    if (t < 2) global(p.out)[t] = seen;
  }
};

// CUDA/misc/fail/miscfail3: A[t] += A[t + offset]; CUDA/cooperative_groups/fail/race: A[t] = A[t + 1];
// CUDA/warpsync/bad_inter_group: A[t] += what the next block has.
template <int OFFSET, bool ADDS>
struct ReadsAhead {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    auto const a = global(p.out);
    std::int64_t const i = block_index() * threads + thread_index();
    int const other = a[i + OFFSET];
    a[i] = ADDS ? int(a[i]) + other : other;
  }
};

// CUDA/cooperative_groups/fail/divergence_thread_block, OpenCL/sourcelocation_tests/barrier_divergence/fail,
// OpenCL/divergence/race_and_divergence and race_no_divergence: who comes to the barrier.
enum class Comes { even, one, by_value, all };
template <Comes WHO>
struct Meets {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    int const t = thread_index(), value = global(p.in)[t];
    if (WHO == Comes::all || (WHO == Comes::even && t % 2 == 0) || (WHO == Comes::one && t == 3) ||
        (WHO == Comes::by_value && value > 0))
      sync_threads();
    global(p.out)[WHO == Comes::by_value || WHO == Comes::all ? 0 : t] = value;
  }
};

// OpenCL/misc/fail/2d_array_race: each thread counts up in the row below its own.
struct RowBelow {
  static constexpr int threads = 64, side = 8;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = global(p.in)[t];
    if (t + side < threads) x[t + side] = int(x[t + side]) + 1;
    global(p.out)[t] = int(x[t]);
  }
};

// OpenCL/misc/fail/vector_element_race: all write one component; OpenCL/alignment/race_location: three of them;
// OpenCL/sourcelocation_tests/races/fail/write_write/elem_width_16: half of a word.
template <class T, int FIRST, int COUNT>
struct Component {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    auto const out = recast<T>(global(p.out));
    for (int i = 0; i < COUNT; ++i) out[FIRST + i] = T(thread_index());
  }
};

// OpenCL/sourcelocation_tests/races/fail/write_write/loop and races/pass/no_race.
struct TwoOfThem {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const&) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    for (int i = 0; i < 3; ++i) {
      if (t == 5) x[t] = t;
      if (t == 4) x[t + 1] = t;
    }
  }
};
struct Disjoint {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, threads> p, q, r; };
  TS_DEVICE void operator()(Shared& memory, Ints const& params) const {
    auto const p = shared(memory.p, "p"), q = shared(memory.q, "q"), r = shared(memory.r, "r");
    int const t = thread_index();
    p[t] = t;
    q[t] = 2 * t;
    if (t > 10) p[t] = int(q[t]);
    if (t <= 10) r[t] = int(p[t]);
    global(params.out)[t] = t > 10 ? int(p[t]) : int(r[t]);
  }
};

// OpenCL/test_line_number_problem: sums of a block with one barrier in each step where two are needed.
template <bool SECOND>
struct ScanBlock {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = global(p.in)[t];
    sync_threads();
    for (int i = 1; i < threads; i *= 2) {
      int const other = i <= t ? int(x[t - i]) : 0;
      sync_threads();  // all read before any writes
      if (i <= t) x[t] = int(x[t]) + other;
      if constexpr (SECOND) sync_threads();  // all wrote before any reads
    }
    global(p.out)[t] = int(x[t]);
  }
};

// OpenCL/k-induction/amazingreduction: the barrier stands at the beginning of each step.
template <bool BARRIER>
struct BarrierFirst {
  static constexpr int threads = 128;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = global(p.in)[t];
    for (int d = threads / 2; d > 0; d /= 2) {
      if constexpr (BARRIER) sync_threads();
      if (t < d) x[t] = int(x[t]) + int(x[t + d]);
    }
    if (t == 0) global(p.out)[0] = int(x[0]);
  }
};

// OpenCL/array_bounds_tests/simple_array_fail_upper, simple_array_fail_lower.
template <int COUNT, int SIGN>
struct Bounds {
  static constexpr int threads = 32;
  struct Shared { SharedArray<int, COUNT> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const&) const {
    shared(memory.x, "x")[SIGN * thread_index()] = thread_index();
  }
};

// OpenCL/async_work_group_copy/fail/test1 (no wait), fail/test2 (one of two is waited for), pass/test1, pass/test3. A
// thread brings one element, and reads its neighbour's.
template <int COPIES, int LEFT, bool WAITS = true>
struct GroupCopy {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, COPIES * threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    if constexpr (backend_has_async_copy) {
      auto const x = shared(memory.x, "x");
      int const t = thread_index();
      std::int64_t const first = block_index() * threads;
      for (int i = 0; i < COPIES; ++i) {
        async_copy<1>(x + (i * threads + t), global(p.in) + (first + t + i), true);
        async_commit();
      }
      if constexpr (WAITS) async_wait<LEFT, 1>();
      sync_threads();
      int sum = 0;
      for (int i = 0; i < COPIES; ++i) sum += x[i * threads + (t + 1) % threads];
      global(p.out)[first + t] = 2 * sum;
      async_wait<0>();
    }
  }
};

// CUDA/memcpy/fail_overstep: each thread copies two elements where one is its own.
template <int COUNT>
struct Oversteps {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    int const t = thread_index();
    for (int i = 0; i < COUNT; ++i) global(p.out)[t + i] = int(global(p.in)[t + i]);
  }
};

// CUDA/param_values/value_causing_race: two threads write, at a distance X.
template <int X>
struct ByValue {
  static constexpr int threads = 256;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    int const t = thread_index();
    if (t == 15) global(p.out)[t + X] = t;
    if (t == 200) global(p.out)[t] = t;
  }
};

// OpenCL/undef_tests/uninitialised_local_int: a number that nobody wrote is used.
template <bool WRITES>
struct Undefined {
  static constexpr int threads = 32;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    auto r = make_register_tensor<int>(Int<2>{});  // (2)
    r(Int<0>{}) = 3;
    if (WRITES) r(Int<1>{}) = 4;
    global(p.out)[2 * thread_index()] = r(Int<0>{});
    global(p.out)[2 * thread_index() + 1] = r(Int<1>{});
  }
};

// OpenCL/return_tests/id_dependent_return: some threads return at once.
struct SomeReturn {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    if (thread_index() < 25) return;
    global(p.out)[thread_index()] = 1;
  }
};

Values prefix_sums(Values const& in, Values const&) {
  Values sums = in;
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  return sums;
}

}  // namespace

std::vector<Case> gpuverify_cases() {
  auto const turned = [](Values const&, Values const& out) {
    Values next = out;
    for (std::size_t i = 0; i < 64; ++i) next[i] = out[i / 32 * 32 + (i + 1) % 32];
    return next;
  };
  std::string const set = "GPUVerify", race = "race", lockstep = "lockstep", two_writes = "two writes",
                    in_flight = "copy in flight",
                    divergent = "divergent barrier",
                    flags = "OpenCL/inter_group_and_barrier_flag_tests/", places = "OpenCL/sourcelocation_tests/",
                    copies = "OpenCL/async_work_group_copy/", bounds = "OpenCL/array_bounds_tests/",
                    reduction = "OpenCL/k-induction/amazingreduction",
                    undefined = "OpenCL/undef_tests/uninitialised_local_int";
  return {
      on_ints<Intervals<false>>(set, {"three intervals", "OpenCL/barrier_intervals/test1", ""}, 1, 1, 64),
      on_ints<Intervals<true>>(set, {"a barrier for one", "OpenCL/barrier_intervals/test2", divergent}, 1, 1, 64),
      on_ints<OneElement<Writers::one>>(set, {"others return", "CUDA/noraceduetoreturn", ""}, 1, 1, 1),
      on_ints<OneElement<Writers::all>>(set, {"all write one", "CUDA/fail_tests/race_on_shared", race}, 1, 1, 1),
      on_ints<OneElement<Writers::all_the_same>>(
          set, {"all write zero", "OpenCL/benign_race_tests/fail/writezero_nobenign", race}, 1, 1, 1),
      on_ints<Histogram<true>>(set, {"histogram", "CUDA/scope", ""}, 2, 1, 128,
                               [](Values const&, Values const&) {
                                 Values sums(128);
                                 for (int t = 0; t < 128; ++t) sums[std::size_t(t)] = 64 * (t % 64);
                                 return sums;
                               }),
      on_ints<Histogram<false>>(
          set, {"histogram without barrier", "twin of CUDA/scope", race + "|uninitialised read"}, 2, 1,
                                128),
      on_ints<TransitiveClosure<true>>(set, {"transitive closure", "CUDA/transitiveclosure", ""}, 1, 64, 64),
      on_ints<TransitiveClosure<false>>(
          set, {"closure without barriers", "twin of CUDA/transitiveclosure", race}, 1, 64, 64),
      on_ints<ScanWarp<true>>(set, {"scan of a warp", "twin of CUDA/warpsync/scan_warp", ""}, 1, 32, 32, prefix_sums),
      on_ints<ScanWarp<false>>(set, {"scan in lockstep", "CUDA/warpsync/scan_warp", "", "", lockstep}, 1, 32, 32),
      on_ints<ShuffleInPlace<false>>(set, {"shuffle in lockstep", "CUDA/warpsync/shuffle", "", "", lockstep}, 1, 1, 64),
      on_ints<ShuffleInPlace<true>>(
          set, {"shuffle in place", "twin of CUDA/warpsync/shuffle", "", "sm80"}, 1, 1, 64, turned),
      on_ints<OneElement<Writers::all_the_same>>(
          set, {"all write zero, tolerated", "OpenCL/benign_race_tests/pass/writezero", "", "", two_writes}, 1, 1, 1),
      on_ints<SameInEachBlock>(
          set, {"each block writes the same", flags + "pass/local_id_benign_write_write", "", "", two_writes}, 3, 1,
          64),
      on_ints<Strips<true, 0>>(set, {"strips of blocks", "CUDA/reduced_strength_blockwise", ""}, 3, 1, 216),
      on_ints<Strips<true, 1>>(
          set, {"strips of blocks, one more", "twin of CUDA/reduced_strength_blockwise", race}, 3, 1, 217),
      on_ints<Strips<false, 0>>(set, {"strips of threads", "CUDA/ctimesgid", ""}, 2, 1, 9216),
      on_ints<Strips<false, 1>>(set, {"strips of threads, one more", "twin of CUDA/ctimesgid", race}, 2, 1, 9217),
      on_ints<SharedStrips>(set, {"strips in shared memory", "CUDA/ctimeslid", ""}, 1, 1, 64),
      on_ints<NextGlobal<Fence::of_all, false>>(
          set, {"next within the block", flags + "pass/sync_within_group", ""}, 3, 1,
          193),
      on_ints<NextGlobal<Fence::of_all, true>>(
          set, {"next of another block", flags + "fail/sync", race}, 3, 1, 193),
      on_ints<NextGlobal<Fence::of_shared, false>>(
          set,
          {"barrier of the other memory",
           flags + "fail/missing_global_barrier_flag", race},
          3, 1, 193),
      on_ints<NextShared<Fence::of_shared>>(
          set, {"barrier of this memory", flags + "pass/local_barrier_flag", ""}, 2, 1,
          1),
      on_ints<NextShared<Fence::none>>(
          set, {"barrier of no memory", flags + "fail/no_barrier_flags", race}, 2, 1,
          1),
      on_ints<LocalId>(
          set, {"same elements in each block", flags + "fail/local_id", race}, 3, 1,
          64),
      on_ints<OneThenOther<true, true>>(
          set, {"write then read", flags + "pass/write_then_read", ""}, 1, 1, 2),
      on_ints<OneThenOther<false, true>>(
          set,
          {"write then read at once", flags + "fail/bad_write_then_read",
           race + "|uninitialised read"},
          1, 1, 2),
      on_ints<OneThenOther<true, false>>(
          set, {"read then write", flags + "pass/read_then_write", ""}, 1, 1, 2),
      on_ints<OneThenOther<false, false>>(
          set, {"read then write at once", flags + "fail/bad_read_then_write", race},
          1, 1, 2),
      on_ints<ReadsAhead<16, true>>(set, {"adds what is ahead", "CUDA/misc/fail/miscfail3", race}, 1, 1, 80),
      on_ints<ReadsAhead<1, false>>(
          set, {"copies from the next", "CUDA/cooperative_groups/fail/race", race}, 2, 1, 129),
      on_ints<ReadsAhead<64, true>>(
          set, {"adds from the next block", "CUDA/warpsync/bad_inter_group", race}, 3, 1, 256),
      on_ints<Meets<Comes::even>>(
          set, {"even threads meet", "CUDA/cooperative_groups/fail/divergence_thread_block", divergent}, 1, 64, 64),
      on_ints<Meets<Comes::one>>(
          set, {"thread 3 meets nobody", places + "barrier_divergence/fail", divergent}, 1, 64, 64),
      on_ints<Meets<Comes::by_value>>(
          set, {"meets by value", "OpenCL/divergence/race_and_divergence", divergent + "|race"}, 1, 64, 1),
      on_ints<Meets<Comes::all>>(set, {"all meet, all write", "OpenCL/divergence/race_no_divergence", race}, 1, 64, 1),
      on_ints<RowBelow>(set, {"row below", "OpenCL/misc/fail/2d_array_race", race + "|uninitialised read"}, 1, 64, 64),
      on_ints<Component<int, 13, 1>>(set, {"one component", "OpenCL/misc/fail/vector_element_race", race}, 1, 1, 64),
      on_ints<Component<int, 42, 3>>(set, {"three components", "OpenCL/alignment/race_location", race}, 2, 1, 64),
      on_ints<Component<std::int16_t, 3, 1>>(
          set, {"half a word", places + "races/fail/write_write/elem_width_16", race}, 1, 1, 64),
      on_ints<TwoOfThem>(set, {"two in a loop", places + "races/fail/write_write/loop", race}, 1, 1,
                         1),
      on_ints<Disjoint>(set, {"disjoint branches", places + "races/pass/no_race", ""}, 1, 1, 64),
      on_ints<ScanBlock<false>>(set, {"scan with one barrier", "OpenCL/test_line_number_problem", race}, 1, 64, 64),
      on_ints<ScanBlock<true>>(
          set, {"scan with two barriers", "twin of OpenCL/test_line_number_problem", ""}, 1, 64, 64,
                               prefix_sums),
      on_ints<BarrierFirst<true>>(set, {"barrier at the beginning", reduction, ""}, 1, 128,
                                  1, [](Values const& in, Values const& out) {
                                    return Values{prefix_sums(in, out).back()};
                                  }),
      on_ints<BarrierFirst<false>>(
          set, {"no barrier at the beginning", "twin of " + reduction, race + "|uninitialised read"}, 1,
          128, 1),
      on_ints<Bounds<25, 1>>(
          set, {"past the end", bounds + "simple_array_fail_upper", "out of bounds"}, 1, 1, 1),
      on_ints<Bounds<64, -1>>(
          set, {"before the beginning", bounds + "simple_array_fail_lower", "out of bounds"}, 1, 1, 1),
      on_ints<Bounds<32, 1>>(set, {"to the end", bounds + "simple_array", ""}, 1, 1, 1),
      on_ints<GroupCopy<1, 0>>(set, {"group copy", copies + "pass/test1", "", "sm80"}, 2, 192, 128),
      on_ints<GroupCopy<2, 0>>(set, {"two group copies", copies + "pass/test3", "", "sm80"}, 2, 192,
                               128),
      on_ints<GroupCopy<1, 0, false>>(
          set, {"group copy, no wait", copies + "fail/test1", in_flight, "sm80"}, 2, 192, 128),
      on_ints<GroupCopy<2, 1>>(
          set, {"one of two waited for", copies + "fail/test2", in_flight, "sm80"}, 2, 192, 128),
      on_ints<Oversteps<2>>(set, {"copies one too many", "CUDA/memcpy/fail_overstep", race}, 1, 65, 65),
      on_ints<Oversteps<1>>(set, {"copies one", "twin of CUDA/memcpy/arrayofstruct", ""}, 1, 65, 65),
      on_ints<ByValue<185>>(set, {"meet at 200", "CUDA/param_values/value_causing_race", race}, 1, 1, 256),
      on_ints<ByValue<7>>(set, {"do not meet", "twin of CUDA/param_values/value_causing_race", ""}, 1, 1, 256),
      on_ints<Undefined<false>>(
          set, {"number without value", undefined, "register never written"}, 1, 1,
          64),
      on_ints<Undefined<true>>(set, {"number with value", "twin of " + undefined, ""}, 1, 1, 64),
      on_ints<SomeReturn>(set, {"some return", "OpenCL/return_tests/id_dependent_return", ""}, 1, 1, 64),
  };
}

}  // namespace public_sets
