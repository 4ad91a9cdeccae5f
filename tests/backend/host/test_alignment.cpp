// Vector accesses at addresses that the hardware refuses, and kernels that need more shared memory than there is.

#include "run_kernel.hpp"

#include <tilestep/backend/machine.hpp>  // machine_of

using namespace host_test;

namespace {

// Rows of `PITCH` floats, read four at a time.
template <int PITCH>
struct Rows {
  static constexpr int threads = 32;
  struct Shared { SharedArray<float, 32 * PITCH> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    for (int k = 0; k < PITCH; ++k) x[t * PITCH + k] = 1.0f;
    sync_threads();
    float r[4];
    load<4>(x + t * PITCH, r);
    global(p.out)[t] = r[3];
  }
};

// Under a predicate, in a loop over a ragged matrix.
template <int VEC>
struct RaggedRows {
  static constexpr int threads = 16;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    int const leading = 6;
    for (int m = 0; m < 4; ++m) {
      int const k = thread_index() * VEC;
      float r[VEC] = {};
      load_if<VEC>(global(p.in) + (m * leading + k), r, k < leading);
      store_if<VEC>(global(p.out) + (m * leading + k), r, k < leading);
    }
  }
};

// One thread of many starts one element too late; the others have left.
template <int SHIFT>
struct LastThread {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    if (thread_index() != 63) return;
    float const r[2] = {1, 2};
    store<2>(global(p.out) + SHIFT, r);
  }
};

// Two bytes at an odd address.
struct Recast {
  static constexpr int threads = 1;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    recast<std::uint16_t>(recast<std::uint8_t>(global(p.out)) + 3)[0] = std::uint16_t(1);
  }
};

template <int BYTES>
struct NeedsShared {
  static constexpr int threads = 32;
  struct Shared { SharedArray<std::uint8_t, BYTES> x; };
  void operator()(Shared& memory, InOut const& p) const {
    shared(memory.x, "x")[BYTES - 1 - thread_index()] = std::uint8_t(1);
    if (thread_index() == 0) global(p.out)[0] = 1.0f;
  }
};

}  // namespace

TEST_CASE("a vector starts at a multiple of its size", "[host][alignment]") {
  check_found("misaligned access", Rows<5>{}, 1, buffers(32));
  check_found("misaligned access", Rows<6>{}, 1, buffers(32));
  check_clean(Rows<8>{}, 1, buffers(32));
}

TEST_CASE("a ragged matrix cannot be read by wide vectors", "[host][alignment]") {
  check_found("misaligned access", RaggedRows<4>{}, 1, buffers(30));
  check_clean(RaggedRows<2>{}, 1, buffers(30));
  check_clean(RaggedRows<1>{}, 1, buffers(30));
}

TEST_CASE("one misaligned thread is found among those that left", "[host][alignment]") {
  check_found("misaligned access", LastThread<1>{}, 1, buffers(8));
  check_clean(LastThread<2>{}, 1, buffers(8));
}

TEST_CASE("a pointer of another type must be aligned for it", "[host][alignment]") {
  check_found("misaligned access", Recast{}, 1, buffers(8));
}

TEST_CASE("a misaligned access says where it is", "[host][alignment]") {
  Buffers memory(8);
  CHECK(text(run(LastThread<1>{}, 1, memory.params())) ==
        "misaligned access: kernel LastThread, block 0, thread 63 writes 8 bytes in one access at out, element 1: byte "
        "4 is not a "
        "multiple of 8\n");
}

TEST_CASE("a block has the target's shared memory and no more", "[host][shared-size]") {
  struct Limit { char const* target; std::int64_t kilobytes; };
  for (Limit const limit : {Limit{"sm80", 163},
                            {"sm90", 227},
                            {"gfx90a", 64},
                            {"gfx942", 64},
                            {"gfx950", 160},
                            {"gfx1100", 64},
                            {"gfx1201", 64}}) {
    INFO(limit.target);
    CHECK(machine_of(limit.target).shared_bytes == limit.kilobytes * 1024);
    Buffers memory(4);
    RunOptions const options{limit.target, {}, true, 1};
    CHECK(run(NeedsShared<64 * 1024>{}, 1, memory.params(), options).hazards.empty());
    CHECK(only(run(NeedsShared<228 * 1024>{}, 1, memory.params(), options), "too much shared memory"));
    CHECK(run(NeedsShared<160 * 1024>{}, 1, memory.params(), options).hazards.empty() == (limit.kilobytes >= 160));
    CHECK(run(NeedsShared<164 * 1024>{}, 1, memory.params(), options).hazards.empty() == (limit.kilobytes >= 164));
  }
}

TEST_CASE("a kernel that needs too much shared memory does not run", "[host][shared-size]") {
  Buffers memory(4);
  KernelReport const report = run(NeedsShared<200 * 1024>{}, 1, memory.params());
  CHECK(text(report) ==
        "too much shared memory: kernel NeedsShared needs 204800 bytes of shared memory for a block, sm80 has 166912: "
        "choose a smaller "
        "tile\n");
  CHECK(memory.result()[0] != memory.result()[0]);
}
