// Reads of memory that nobody wrote: shared memory of the block, and device memory.

#include "run_kernel.hpp"

using namespace host_test;

namespace {

// Part of the tile is never filled.
template <int FILLED>
struct HalfFilledTile {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t < FILLED) x[t] = 1.0f;
    sync_threads();
    global(p.out)[block_index() * threads + t] = float(x[63 - t]);
  }
};

// A predicated copy does not zero-fill, so the residue must be cleared.
template <bool CLEAR>
struct Residue {
  static constexpr int threads = 32;
  struct Shared { SharedArray<std::uint16_t, 128> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    std::uint16_t r[4] = {};
    if constexpr (CLEAR) {
      store<4>(x + 4 * t, r);
      sync_threads();
    }
    store_if<4>(x + 4 * t, r, 4 * t < p.count);
    sync_threads();
    for (int i = t; i < 128; i += 32) global(p.out)[0 * i + t] = float(std::uint16_t(x[i]));
  }
};

// The first trip of a loop reads a buffer that only later trips fill.
template <bool PROLOGUE>
struct PipelineWithoutPrologue {
  static constexpr int threads = 32;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if constexpr (PROLOGUE) x[t] = global(p.in)[t];
    sync_threads();
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
      sum += x[(k % 2) * 32 + t];
      x[((k + 1) % 2) * 32 + t] = global(p.in)[t];
      sync_threads();
    }
    global(p.out)[t] = sum;
  }
};

// Threads that left early have written nothing.
template <bool EXIT>
struct EarlyExit {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (EXIT && t >= 32) return;
    x[t] = 1.0f;
    if (t < 32) sync_warp();
    if (t < 32) global(p.out)[t] = float(x[t + (EXIT ? 32 : 0)]);
  }
};

// C += 1 although nobody gave C a value.
template <bool READ>
struct ReadOutput {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    std::int64_t const i = block_index() * threads + thread_index();
    if (i >= p.count) return;
    float const beta_c = READ ? float(global(p.out)[i]) : 0.0f;
    global(p.out)[i] = beta_c + 1;
  }
};

struct CopyIn {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    for (int i = thread_index(); i < p.count; i += threads) global(p.out)[i] = global(p.in)[i];
  }
};

struct CopyVectorsIn {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    if (4 * thread_index() >= p.count) return;
    float r[4];
    load<4>(global(p.in) + 4 * thread_index(), r);
    store<4>(global(p.out) + 4 * thread_index(), r);
  }
};

// A read that comes before the write of another thread of the same interval is a race, in whatever order they run.
struct TooEarly {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    global(p.out)[t] = float(x[63 - t]);
    x[t] = 1.0f;
  }
};

auto partly(int n, int uploaded) {
  return [n, uploaded] {
    Buffers memory(n);
    memory.in = DeviceBuffer<float>("in", n);
    std::vector<float> const ones(std::size_t(uploaded), 1.0f);
    memory.in.upload(ones.data(), uploaded);
    return memory;
  };
}

}  // namespace

TEST_CASE("a tile that is filled in part must not be read in whole", "[host][uninitialised]") {
  check_found("uninitialised read", HalfFilledTile<63>{}, 2, buffers(128));
  check_clean(HalfFilledTile<64>{}, 1, buffers(64));
}

TEST_CASE("a predicated store leaves the residue uninitialised", "[host][uninitialised]") {
  check_found("uninitialised read", Residue<false>{}, 1, buffers(100));
  check_clean(Residue<true>{}, 1, buffers(100));
}

TEST_CASE("a pipeline without its prologue reads an empty buffer", "[host][uninitialised]") {
  check_found("uninitialised read", PipelineWithoutPrologue<false>{}, 1, buffers(32));
  check_clean(PipelineWithoutPrologue<true>{}, 1, buffers(32));
}

TEST_CASE("what a thread would have written had it not left is uninitialised", "[host][uninitialised]") {
  check_found("uninitialised read", EarlyExit<true>{}, 1, buffers(64));
  check_clean(EarlyExit<false>{}, 1, buffers(64));
}

TEST_CASE("an output must not be read before it has a value", "[host][uninitialised]") {
  check_found("uninitialised read", ReadOutput<true>{}, 3, buffers(70));
  check_clean(ReadOutput<false>{}, 3, buffers(70));
}

TEST_CASE("device memory that was uploaded in part is uninitialised beyond", "[host][uninitialised]") {
  check_found("uninitialised read", CopyIn{}, 1, partly(50, 49));
  check_clean(CopyIn{}, 1, partly(50, 50));
  check_found("uninitialised read", CopyVectorsIn{}, 1, partly(52, 49));  // the last vector's first element exists
  check_clean(CopyVectorsIn{}, 1, partly(52, 52));
}

TEST_CASE("every block begins with uninitialised shared memory", "[host][uninitialised]") {
  Buffers memory(128);
  CHECK(text(run(HalfFilledTile<63>{}, 2, memory.params())) ==
        "uninitialised read: kernel HalfFilledTile, block 0, thread 0 reads x, element 63: no thread of the block "
        "wrote it before "
        "(2 times)\n");
}

TEST_CASE("a read before another thread's write of the same interval is a race alone", "[host][uninitialised][race]") {
  check_found("race", TooEarly{}, 1, buffers(64));
}

TEST_CASE("an uninitialised read of device memory names the buffer", "[host][uninitialised]") {
  Buffers memory(70);
  CHECK(text(run(ReadOutput<true>{}, 3, memory.params())) ==
        "uninitialised read: kernel ReadOutput, block 0, thread 0 reads out, element 0: it was never uploaded or "
        "written (70 times)\n");
  CHECK(run(ReadOutput<true>{}, 3, memory.params()).hazards.empty());  // now it has values
  mark_uninitialised(memory.out.data() + 3, 4);
  CHECK(text(run(ReadOutput<true>{}, 3, memory.params())) ==
        "uninitialised read: kernel ReadOutput, block 0, thread 3 reads out, element 3: it was never uploaded or "
        "written\n");
}

TEST_CASE("fresh device memory holds NaN", "[host][uninitialised]") {
  DeviceBuffer<float> buffer("fresh", 3);
  float values[3] = {};
  buffer.download(values, 3);
  for (float const value : values) CHECK(value != value);
}
