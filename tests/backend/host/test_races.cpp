// Races in shared memory: kernels with a missing barrier are caught under every schedule, and their good twins are not.

#include "run_kernel.hpp"

#include <tilestep/tensor/tensor.hpp>  // Tensor, behind a swizzle

using namespace host_test;

namespace {

// Each thread reads what its neighbour wrote.
template <bool BARRIER>
struct Neighbour {
  static constexpr int threads = 96;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = global(p.in)[t];
    if constexpr (BARRIER) sync_threads();
    global(p.out)[t] = float(x[(t + 1) % threads]);
  }
};

// Even threads write for their odd neighbours.
template <bool BARRIER>
struct PredicatedWriter {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    float r[2] = {1, 2};
    store_if<2>(x + t, r, t % 2 == 0);
    if constexpr (BARRIER) sync_threads();
    if (t % 2 == 1) global(p.out)[t] = float(x[t]);
  }
};

// A tile is refilled in a loop; the barrier that protects the last readers is missing.
template <bool SECOND_BARRIER>
struct RefilledTile {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      x[t] = global(p.in)[t] + float(k);
      sync_threads();
      sum += x[threads - 1 - t];
      if constexpr (SECOND_BARRIER) sync_threads();
    }
    global(p.out)[t] = sum;
  }
};

// Threads past the count leave at once; the others write in pairs to one element, or each to its own.
template <int THREADS_PER_ELEMENT>
struct EarlyExitWriters {
  static constexpr int threads = 128;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t >= p.count) return;
    x[t / THREADS_PER_ELEMENT] = 1.0f;
  }
};

// A reduction whose last steps leave out barriers: right for threads of one warp only with sync_warp.
template <bool SYNC_WARP, int FIRST_STEP_WITHOUT_BARRIER>
struct Reduction {
  static constexpr int threads = 128;
  struct Shared { SharedArray<float, threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = global(p.in)[t];
    sync_threads();
    for (int step = threads / 2; step > 0; step /= 2) {
      float sum = 0;
      if (t < step) sum = x[t] + x[t + step];
      if (step > FIRST_STEP_WITHOUT_BARRIER) sync_threads();
      if (SYNC_WARP && step <= FIRST_STEP_WITHOUT_BARRIER) sync_warp();
      if (t < step) x[t] = sum;
      if (step > FIRST_STEP_WITHOUT_BARRIER) sync_threads();
      if (SYNC_WARP && step <= FIRST_STEP_WITHOUT_BARRIER) sync_warp();
    }
    if (t == 0) global(p.out)[0] = float(x[0]);
  }
};

// Each thread has its own element of type T; neighbours lie in the same word.
template <class T>
struct SmallElements {
  static constexpr int threads = 64;
  struct Shared { SharedArray<T, 2 * threads> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = T(t);
    x[t + threads] = T(x[t]);
    global(p.out)[t] = float(T(x[t + threads]));
  }
};

// Two threads write the halves of a word; with READ a third thread reads the word without a barrier.
template <bool READ>
struct HalvesOfAWord {
  static constexpr int threads = 64;
  struct Shared { SharedArray<std::uint32_t, threads> x; };
  void operator()(Shared& memory, InOut const&) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    recast<std::uint16_t>(x)[t] = std::uint16_t(t);
    if constexpr (!READ) sync_threads();
    if (t == 63) x[40] = std::uint32_t(x[3]) + 1;
  }
};

// Sixteen bytes at once against one element of them.
template <bool OVERLAP>
struct VectorAndScalar {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 256> x; };
  void operator()(Shared& memory, InOut const&) const {
    auto const x = shared(memory.x, "x");
    float r[4] = {1, 2, 3, 4};
    int const t = thread_index();
    if (t == 0) store<4>(x, r);
    if (t == 33) x[OVERLAP ? 3 : 4] = 5.0f;
  }
};

// Two names for the same shared memory.
template <bool BARRIER>
struct ReusedMemory {
  static constexpr int threads = 64;
  struct Shared {
    union {
      SharedArray<float, threads> x;
      SharedArray<double, threads / 2> y;
    };
  };
  void operator()(Shared& memory, InOut const& p) const {
    int const t = thread_index();
    shared(memory.x, "x")[t] = global(p.in)[t];
    sync_threads();
    float const mine = shared(memory.x, "x")[t];
    if constexpr (BARRIER) sync_threads();
    if (t < 32) shared(memory.y, "y")[31 - t] = double(mine);
  }
};

// Many readers, then one writer: all of one warp, or also of another.
template <bool SYNC_WARP, bool OTHER_WARP_READS>
struct ReadersThenWriter {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 1> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    if (t == 5) x[0] = 1.0f;
    sync_threads();
    float v = 0;
    if (t < 32 || (OTHER_WARP_READS && t == 40)) v = x[0];
    if constexpr (SYNC_WARP) sync_warp();
    if (t == 7) x[0] = v + 1;
    if (t == 9) global(p.out)[0] = v;
  }
};

// For the message: two writers of one element, in different warps.
struct Named {
  static constexpr int threads = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const&) const {
    auto const x = shared(memory.x, "sA");
    std::int64_t const shape[] = {8, 8}, stride[] = {8, 1};
    describe(x, 2, shape, stride);
    if (thread_index() == 3) x[21] = 1.0f;
    if (block_index() == 1 && thread_index() == 40) x[21] = 2.0f;
  }
};

// The same in one of two tiles (8,8) behind one another: a swizzle, and columns in two halves.
struct Swizzled {
  static constexpr int threads = 64;
  using Tile = decltype(composition(Swizzle<2, 0, 3>{},
                                    Layout<Shape<_8, Shape<_4, _2>>, Stride<_4, Stride<_1, _32>>>{}));
  struct Shared { SharedArray<float, 128> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "sA");
    auto const first = make_tensor(x, Tile{}), second = make_tensor(x + 64, Tile{});  // (8,8)
    int const row = p.count / 8 % 8, column = p.count % 8;
    if (thread_index() % 32 == 0) (p.count < 64 ? first : second)(row, column) = 1.0f;
  }
};

// Two writers of one element of a ring of two tiles.
struct SwizzledRing {
  static constexpr int threads = 64;
  using Tile = decltype(tile_to_shape(Swizzled::Tile{}, Shape<_16, _8, _2>{}));
  struct Shared { SharedArray<float, 256> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const sA = make_tensor(shared(memory.x, "sA"), Tile{});  // (16,8,2)
    if (thread_index() % 32 == 0) sA(p.count / 8 % 16, p.count % 8, p.count / 128) = 1.0f;
  }
};

}  // namespace

TEST_CASE("a read of what a neighbour wrote needs a barrier", "[host][race]") {
  check_found("race", Neighbour<false>{}, 3, buffers(96));
  check_clean(Neighbour<true>{}, 1, buffers(96));
}

TEST_CASE("a race is found when writes are predicated", "[host][race]") {
  check_found("race", PredicatedWriter<false>{}, 1, buffers(64));
  check_clean(PredicatedWriter<true>{}, 1, buffers(64));
}

TEST_CASE("a tile that is refilled before all have read it is a race", "[host][race]") {
  check_found("race", RefilledTile<false>{}, 1, buffers(64));
  check_clean(RefilledTile<true>{}, 1, buffers(64));
}

TEST_CASE("two writers of one element race, also after others left early", "[host][race]") {
  check_found("race", EarlyExitWriters<2>{}, 2, buffers(77));
  check_clean(EarlyExitWriters<1>{}, 2, buffers(77));
}

TEST_CASE("sync_warp orders the lanes of one warp and no others", "[host][race]") {
  check_clean(Reduction<false, 0>{}, 1, buffers(128));
  check_clean(Reduction<true, 16>{}, 1, buffers(128));
  check_found("race", Reduction<false, 16>{}, 1, buffers(128));
  check_found("race", Reduction<true, 64>{}, 1, buffers(128));
}

TEST_CASE("readers of one warp are ordered by sync_warp, of two warps they are not", "[host][race]") {
  check_clean(ReadersThenWriter<true, false>{}, 1, buffers(4));
  check_found("race", ReadersThenWriter<false, false>{}, 1, buffers(4));
  check_found("race", ReadersThenWriter<true, true>{}, 1, buffers(4));
}

TEST_CASE("neighbouring elements of one word are different elements", "[host][race]") {
  check_clean(SmallElements<std::uint8_t>{}, 1, buffers(64));
  check_clean(SmallElements<std::uint16_t>{}, 1, buffers(64));
  check_clean(SmallElements<double>{}, 1, buffers(64));
  check_clean(HalvesOfAWord<false>{}, 1, buffers(4));
  check_found("race", HalvesOfAWord<true>{}, 1, buffers(4));
}

TEST_CASE("a vector races with any element that it covers", "[host][race]") {
  check_found("race", VectorAndScalar<true>{}, 1, buffers(4));
  check_clean(VectorAndScalar<false>{}, 1, buffers(4));
}

TEST_CASE("memory that is used again under another name keeps its history", "[host][race]") {
  check_found("race", ReusedMemory<false>{}, 1, buffers(64));
  check_clean(ReusedMemory<true>{}, 1, buffers(64));
}

TEST_CASE("a race names kernel, block, both threads, tensor and coordinate", "[host][race]") {
  Buffers memory(4);
  CHECK(text(run(Named{}, 2, memory.params())) ==
        "race: kernel Named, block 1: thread 3 writes sA(2,5), element 21, and thread 40 writes it, with no barrier "
        "between them\n");
}

TEST_CASE("a race names the coordinate in a tile behind a swizzle, and which tile it is", "[host][race]") {
  Buffers memory(4);
  InOut params = memory.params();
  auto const message = [](std::string const& kernel, std::string const& coordinate, int element) {
    return "race: kernel " + kernel + ", block 0: thread 0 writes sA" + coordinate + ", element " +
           std::to_string(element) + " behind the swizzle, and thread 32 writes it, with no barrier between them\n";
  };
  auto const list = [](auto... n) {
    std::string text;
    ((text += (text.empty() ? "(" : ",") + std::to_string(n)), ...);
    return text + ")";
  };
  for (int place = 0; place < 128; ++place) {
    params.count = place;
    int const row = place / 8 % 8, column = place % 8, first = place < 64 ? 0 : 64;
    CHECK(text(run(Swizzled{}, 1, params)) ==
          message("Swizzled", list(row, column) + (first == 0 ? "" : " of the tensor at element 64"),
                  first + int(Swizzled::Tile{}(row, column))));
  }
  for (int place = 0; place < 256; ++place) {
    params.count = place;
    int const row = place / 8 % 16, column = place % 8, tile = place / 128;
    CHECK(text(run(SwizzledRing{}, 1, params)) ==
          message("SwizzledRing", list(row, column, tile), int(SwizzledRing::Tile{}(row, column, tile))));
  }
}

TEST_CASE("thousands of races of one cause are one report with their number", "[host][race]") {
  Buffers memory(96);
  KernelReport const report = run(Neighbour<false>{}, 50, memory.params(), RunOptions{"", {}, true, 1});
  CHECK(report.hazards.size() <= 4);
  CHECK(report.hazards[0].message.find(" times)") != std::string::npos);
}
