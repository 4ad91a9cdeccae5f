// Races in global memory: between threads of a block without a barrier, and between blocks, which nothing orders.

#include "run_kernel.hpp"

using namespace host_test;

namespace {

// Every block writes the same element; or each block its own.
template <bool SAME>
struct BlocksWrite {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    if (thread_index() == 0) global(p.out)[SAME ? 0 : block_index()] = 1.0f;
  }
};

// Block b reads what block b - 1 wrote, through a pointer that only reads.
template <bool OWN>
struct BlocksRead {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    std::int64_t const b = block_index();
    if (thread_index() != 0) return;
    global(p.out)[b] = 1.0f;
    float const seen = global(static_cast<float const*>(p.out))[OWN || b == 0 ? b : b - 1];
    global(p.out)[b] = seen + 1;
  }
};

// An accumulation that forgets that several blocks share a row; predicated, in a loop.
template <bool SHARED_ROW>
struct Accumulate {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    auto const out = global(p.out);
    int const t = thread_index();
    for (int k = 0; k < 3; ++k) {
      std::int64_t const i = (SHARED_ROW ? block_index() / 2 : block_index()) * threads + t;
      float r[1] = {0};
      bool const pred = i < p.count;
      if (k > 0) load_if<1>(out + i, r, pred);
      r[0] += 1;
      store_if<1>(out + i, r, pred);
    }
  }
};

// Threads of one block pass values through global memory.
enum class Barrier { none, of_shared_memory, of_all_memory };
template <Barrier BARRIER>
struct ThroughGlobal {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    int const t = thread_index();
    global(p.out)[t] = global(p.in)[t];
    pass();
    float const other = global(p.out)[threads - 1 - t];
    pass();
    global(p.out)[t] = other;
  }
  static void pass() {
    if constexpr (BARRIER == Barrier::of_shared_memory) sync_shared();
    if constexpr (BARRIER == Barrier::of_all_memory) sync_threads();
  }
};

// The same through shared memory, where a barrier of shared memory is enough.
struct ThroughShared {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = global(p.in)[t];
    sync_shared();
    global(p.out)[t] = float(x[threads - 1 - t]);
  }
};

// All threads read `out` before each writes its own element: in place, right only if it was read by its writer alone.
template <int SHIFT>
struct InPlace {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    std::int64_t const i = block_index() * threads + thread_index();
    if (i + SHIFT >= p.count) return;
    global(p.out)[i] = 2.0f * global(p.out)[i + SHIFT];
  }
};

// Neighbouring bytes of one 4-byte element, written by different threads or twice by two.
template <bool OVERLAP>
struct Bytes {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    auto const bytes = recast<std::uint8_t>(global(p.out));
    bytes[thread_index() / (OVERLAP ? 2 : 1)] = std::uint8_t(thread_index());
  }
};

auto written(int n) {
  return [n] {
    Buffers memory(n);
    std::vector<float> const ones(std::size_t(n), 1.0f);
    memory.out.upload(ones.data(), n);
    return memory;
  };
}

}  // namespace

TEST_CASE("two blocks must not write the same element", "[host][race]") {
  check_found("race", BlocksWrite<true>{}, 5, buffers(8));
  check_clean(BlocksWrite<false>{}, 5, buffers(8));
}

TEST_CASE("a block must not read what another block of the launch writes", "[host][race]") {
  check_found("race", BlocksRead<false>{}, 5, written(8));
  check_clean(BlocksRead<true>{}, 5, written(8));
}

TEST_CASE("blocks that accumulate into one row race", "[host][race]") {
  check_found("race", Accumulate<true>{}, 4, buffers(120));
  check_clean(Accumulate<false>{}, 4, buffers(120));
}

TEST_CASE("threads that meet in global memory need a barrier", "[host][race]") {
  check_found("race", ThroughGlobal<Barrier::none>{}, 1, buffers(64));
  check_clean(ThroughGlobal<Barrier::of_all_memory>{}, 1, buffers(64));
}

TEST_CASE("a barrier of shared memory does not order global memory", "[host][race]") {
  check_found("race", ThroughGlobal<Barrier::of_shared_memory>{}, 1, buffers(64));
  check_clean(ThroughShared{}, 1, buffers(64));
  Buffers memory(64);
  std::string const found = text(run(ThroughGlobal<Barrier::of_shared_memory>{}, 1, memory.params()));
  INFO(found);
  CHECK(found.find("no barrier between them that orders global memory: sync_shared() orders shared memory alone, "
                   "sync_threads() both") != std::string::npos);
}

TEST_CASE("an update in place races if neighbours read each other", "[host][race]") {
  check_found("race", InPlace<1>{}, 3, written(170));
  check_clean(InPlace<0>{}, 3, written(170));
}

TEST_CASE("bytes of one element are elements of their own", "[host][race]") {
  check_found("race", Bytes<true>{}, 1, buffers(64));
  check_clean(Bytes<false>{}, 1, buffers(64));
}

TEST_CASE("a race between blocks names both", "[host][race]") {
  Buffers memory(8);
  CHECK(text(run(BlocksWrite<true>{}, 3, memory.params())) ==
        "race: kernel BlocksWrite: block 0, thread 0 writes out, element 0, and block 1, thread 0 writes it: nothing "
        "orders blocks "
        "of one launch (2 times)\n");
}

TEST_CASE("a doubtful launch leaves what one worker would have left", "[host][race]") {
  auto const result = [](int workers) {
    Buffers memory(170);
    std::vector<float> const ones(170, 1.0f);
    memory.out.upload(ones.data(), 170);
    (void)run(InPlace<1>{}, 3, memory.params(), RunOptions{"", {}, true, workers});
    return memory.result();
  };
  std::vector<float> const left = result(1);
  CHECK(left == result(4));
  CHECK(left[0] == 2.0f);  // as if it had run once
  CHECK(left[169] == 1.0f);
}
