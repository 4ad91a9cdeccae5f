// Reports name lines of the kernel: of both sides of a hazard, also where the library's functions do what is wrong, and
// one report for each cause, whatever the compiler unrolls.

#include "run_kernel.hpp"

#include <tilestep/algorithm.hpp>        // copy, gemm
#include <tilestep/atom/nvidia.hpp>      // an MMA
#include <tilestep/backend/async.hpp>    // async_copy
#include <tilestep/backend/require.hpp>  // require

#include <fstream>  // this file

using namespace host_test;

namespace {

/// "test_lines.cpp:12": the line of this file that ends with the comment `mark`.
std::string at(std::string const& mark) {
  std::ifstream file(TILESTEP_TEST_FOLDER "/test_lines.cpp");
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.ends_with("// " + mark)) return "test_lines.cpp:" + std::to_string(number);
  }
  FAIL("no line ends with // " << mark);
  return {};
}

/// What the only hazard of a launch says.
template <class Kernel>
std::string message(Kernel const& kernel, std::int64_t blocks = 1, char const* target = "sm80") {
  Buffers memory(256);
  KernelReport const report = run(kernel, blocks, memory.params(), RunOptions{target, {}, true, 1});
  INFO(full_text(report));
  REQUIRE(report.hazards.size() == 1);
  return report.hazards[0].message;
}

bool holds(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

// Each thread copies a row to shared memory with the library's copy() and reads a column: 8 instructions each, unrolled
// or not, and two lines. In a loop the other barrier matters, too.
enum class Missing { before_reads, after_reads };
template <Missing MISSING>
struct Transposes {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 512> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = make_tensor(shared(memory.x, "x"), make_shape(Int<64>{}, Int<8>{}));
    auto row = make_register_tensor<float>(Int<8>{});
    float sum = 0;
    for (int turn = 0; turn < 2; ++turn) {
      clear(row);
      copy(row, x(thread_index(), _));  // mark: tile written
      if constexpr (MISSING != Missing::before_reads) sync_threads();
      copy(x((thread_index() + 32) % threads, _), row);  // mark: tile read
      if constexpr (MISSING != Missing::after_reads) sync_threads();
      sum += row(Int<3>{});
    }
    global(p.out)[thread_index()] = sum;
  }
};

struct OneElement {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const&) const {
    shared(memory.x, "x")[0] = 1.0f;  // mark: one element
  }
};

// All threads write, and the second half of the block reads what the first has written.
struct SecondHalfReads {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = 1.0f;  // mark: all write
    if (t >= 32) global(p.out)[t] = float(x[t - 32]);  // mark: half reads
  }
};

// Half of the block writes, the other half reads: no thread does both.
struct TwoRoles {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 32> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t < 32) x[t] = 1.0f;  // mark: role writes
    else global(p.out)[t] = float(x[t - 32]);  // mark: role reads
  }
};

struct ThroughGlobal {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    int const t = thread_index();
    global(p.out)[t] = 1.0f;  // mark: global written
    float const other = global(p.out)[threads - 1 - t];  // mark: global read
    sync_threads();
    global(p.out)[t + threads] = other;
  }
};

struct Blocks {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    if (block_index() == 0) global(p.out)[thread_index()] = 1.0f;  // mark: first block
    else global(p.out)[thread_index()] = 2.0f;  // mark: second block
  }
};

struct PastTheEnd {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    global(p.out)[thread_index() + 230] = 1.0f;  // mark: past the end
  }
};

struct Misaligned {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    float r[2] = {1, 2};
    store<2>(global(p.out) + 1 + 2 * thread_index(), r);  // mark: misaligned
  }
};

struct NeverWritten {
  static constexpr int threads = 32;
  struct Shared { SharedArray<float, 32> x; };
  void operator()(Shared& memory, InOut const& p) const {
    float const value = shared(memory.x, "x")[thread_index()];  // mark: never written
    global(p.out)[thread_index()] = value;
  }
};

struct StoresNothing {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    auto nothing = make_register_tensor<float>(Int<4>{});
    copy(nothing, make_tensor(global(p.out) + 4 * thread_index(), Int<4>{}));  // mark: stores nothing
  }
};

struct MultipliesNothing {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {
    auto mma = MmaAtom<SM80_16x8x16_F32F16F16F32_TN>{};
    auto rA = make_register_tensor<half_t>(Int<8>{});
    auto rB = make_register_tensor<half_t>(Int<4>{});
    auto rC = make_register_tensor<float>(Int<4>{});
    clear(rA);
    clear(rC);
    gemm(mma, rA, rB, rC);  // mark: multiplies nothing
  }
};

struct AddsNothing {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    auto rA = make_register_tensor<float>(Int<2>{});
    auto rC = make_register_tensor<float>(make_shape(Int<2>{}, Int<2>{}));
    clear(rC);
    gemm(MmaAtom<UniversalFMA<float, float, float, float>>{}, rA, rA, rC);  // mark: adds nothing
    global(p.out)[thread_index()] = 1.0f;
  }
};

template <bool OWN>
struct NoWait {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<1>(x + t, global(p.in) + t, true);  // mark: copy issued
    async_commit();
    if constexpr (!OWN) sync_threads();
    float const value = x[OWN ? t : threads - 1 - t];  // mark: copy read
    async_wait<0>();
    global(p.out)[t] = value;
  }
};

// Each thread waits for its first copy and reads its second.
struct WaitsForTheFirst {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 128> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<1>(x + t, global(p.in) + t, true);
    async_commit();
    async_copy<1>(x + (t + threads), global(p.in) + (t + threads), true);  // mark: second issued
    async_commit();
    async_wait<1, 1>();
    float const value = x[t + threads];  // mark: second read
    async_wait<0>();
    global(p.out)[t] = value;
  }
};

// Each thread waits for its copy and reads another's.
struct NoBarrierAfterWait {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<1>(x + t, global(p.in) + t, true);
    async_commit();
    async_wait<0>();
    global(p.out)[t] = float(x[threads - 1 - t]);  // mark: another's read
  }
};

// Two copies for each thread, and nobody waits: each reads what it has copied, and what another has.
struct NobodyWaits {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 128> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    async_copy<1>(x + t, global(p.in) + t, true);
    async_copy<1>(x + (t + threads), global(p.in) + (t + threads), true);
    async_commit();
    sync_threads();
    for (int i = 0; i < 128; ++i) global(p.out)[t] = float(x[i]);  // mark: everything read
    async_wait<0>();
  }
};

struct CopyOverReads {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = 0.0f;
    sync_threads();
    float const value = x[threads - 1 - t];  // mark: old tile read
    async_copy<1>(x + t, global(p.in) + t, true);  // mark: new tile issued
    async_commit();
    async_wait<0>();
    global(p.out)[t] = value;
  }
};

struct EndsTooEarly {
  static constexpr int threads = 32;
  struct Shared { SharedArray<float, 32> x; };
  void operator()(Shared& memory, InOut const& p) const {
    if (thread_index() > 0) return;
    async_copy<1>(shared(memory.x, "x"), global(p.in), true);  // mark: copy left behind
  }
};

struct TwoBarriers {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {
    if (thread_index() < 32) sync_threads();  // mark: one barrier
    else sync_threads();  // mark: another barrier
  }
};

struct NotUniform {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {
    (void)uniform(thread_index());  // mark: not uniform
  }
};

struct Requires {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    if (thread_index() == 7) require(p.count > 1000, "count must be more than 1000");  // mark: requires
  }
};

}  // namespace

TEST_CASE("a race names the lines of both sides and where the barrier is missing", "[host][lines]") {
  std::string const writes = at("mark: tile written"), reads = at("mark: tile read");
  for (Schedule const& schedule : schedules) {
    INFO("schedule " << name(schedule));
    for (bool const before : {true, false}) {
      Buffers memory(64);
      RunOptions const options{"", schedule, true, 1};
      KernelReport const report = before ? run(Transposes<Missing::before_reads>{}, 1, memory.params(), options)
                                         : run(Transposes<Missing::after_reads>{}, 1, memory.params(), options);
      INFO(full_text(report));
      REQUIRE(report.hazards.size() == 1);
      std::string const& message = report.hazards[0].message;
      CHECK(holds(message, "(" + writes + ")"));
      CHECK(holds(message, "(" + reads + ")"));
      CHECK(holds(message, "sync_threads() is missing after " + (before ? writes : reads) + " and before " +
                               (before ? reads : writes)));
      CHECK(holds(message, " times)"));
    }
  }
}

TEST_CASE("a race of one line, or of threads that share no line, says as much", "[host][lines]") {
  CHECK(holds(message(SecondHalfReads{}), "sync_threads() is missing after " + at("mark: all write") + " and before " +
                                              at("mark: half reads")));
  CHECK(message(OneElement{}) ==
        "kernel OneElement, block 0: thread 0 writes x, element 0 (" + at("mark: one element") +
            "), and thread 1 writes it (" + at("mark: one element") + "), with no barrier between them (63 times)");
  CHECK(message(TwoRoles{}) == "kernel TwoRoles, block 0: thread 0 writes x, element 0 (" + at("mark: role writes") +
                                   "), and thread 32 reads it (" + at("mark: role reads") +
                                   "), with no barrier between them: sync_threads() is missing between the two (32 "
                                   "times)");
}

TEST_CASE("a race in global memory names the lines of both sides", "[host][lines]") {
  std::string const writes = at("mark: global written"), reads = at("mark: global read");
  CHECK(holds(message(ThroughGlobal{}), "sync_threads() is missing after " + writes + " and before " + reads));
  CHECK(message(Blocks{}, 2) == "kernel Blocks: block 0, thread 0 writes out, element 0 (" + at("mark: first block") +
                                    "), and block 1, thread 0 writes it (" + at("mark: second block") +
                                    "): nothing orders blocks of one launch (32 times)");
}

TEST_CASE("an access that is wrong by itself names its line", "[host][lines]") {
  CHECK(holds(message(PastTheEnd{}), "out, element 256 (" + at("mark: past the end") + "): past the last"));
  CHECK(holds(message(Misaligned{}), "out, element 1 (" + at("mark: misaligned") + "): byte 4"));
  CHECK(holds(message(NeverWritten{}), "x, element 0 (" + at("mark: never written") + "): no thread"));
  CHECK(holds(message(StoresNothing{}), ", element 0 (" + at("mark: stores nothing") + "): clear()"));
  CHECK(holds(message(AddsNothing{}), "in fma() (" + at("mark: adds nothing") + "): clear()"));
  CHECK(holds(message(MultipliesNothing{}), " at " + at("mark: multiplies nothing") + " in a register"));
}

TEST_CASE("a hazard of a copy names the lines of its issue and of the touch", "[host][lines]") {
  std::string const issue = "(" + at("mark: copy issued") + ")", read = "(" + at("mark: copy read") + ")";
  CHECK(holds(message(NoWait<true>{}), "element 0 " + read + " while its own copy into it " + issue + " is in flight"));
  CHECK(holds(message(NoWait<false>{}),
              "element 63 " + read + " while the copy that thread 63 issued into it " + issue + " is in flight"));
  CHECK(holds(message(NobodyWaits{}), "(" + at("mark: everything read") + ") while "));
  std::string const span = " after " + at("mark: copy issued") + " and before " + at("mark: copy read");
  CHECK(holds(message(NoWait<true>{}), "is in flight: wait for the copy with async_wait" + span));
  CHECK(holds(message(NoWait<false>{}),
              "is in flight: wait for the copy with async_wait, then pass a barrier," + span));
  CHECK(holds(message(WaitsForTheFirst{}), "(" + at("mark: second read") + ") while its own copy into it (" +
                                               at("mark: second issued") + ") is in flight: async_wait in between "
                                               "leaves it in flight: let it leave fewer groups"));
  CHECK(holds(message(NoBarrierAfterWait{}), "with no barrier between them: pass a barrier after the wait for the copy "
                                             "and before " + at("mark: another's read")));
  std::string const found = message(CopyOverReads{});
  CHECK(holds(found, "(" + at("mark: new tile issued") + ")"));
  CHECK(holds(found, "reads it (" + at("mark: old tile read") + "), with no barrier between them: sync_threads() is "
                     "missing after " + at("mark: old tile read") + " and before " + at("mark: new tile issued")));
  CHECK(holds(message(EndsTooEarly{}), "x, element 0 (" + at("mark: copy left behind") + "): wait for all copies"));
}

TEST_CASE("a barrier, a warp's instruction and a requirement name their lines", "[host][lines]") {
  std::string const barriers = message(TwoBarriers{});
  CHECK(holds(barriers, "waits in sync_threads() at " + at("mark: one barrier")));
  CHECK(holds(barriers, "waits in sync_threads() at " + at("mark: another barrier")));
  CHECK(holds(message(NotUniform{}), "to uniform() at " + at("mark: not uniform")));
  CHECK(holds(message(Requires{}), "thread 7 stops at " + at("mark: requires") + ": count must"));
}
