// Accesses outside arrays and allocations: they are reported, and nothing outside is read or changed.

#include "run_kernel.hpp"

using namespace host_test;

namespace {

// A whole block works on `count` elements; without the test the last threads fall off the end.
template <bool GUARD>
struct NoTest {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    std::int64_t const i = block_index() * threads + thread_index();
    if (GUARD && i >= p.count) return;
    global(p.out)[i] = 2.0f * global(p.in)[i];
  }
};

// A predicate that is off by one.
template <int SLACK>
struct OffByOne {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    int const t = thread_index();
    float r[1] = {};
    load_if<1>(global(p.in) + t, r, t < p.count + SLACK);
    store_if<1>(global(p.out) + t, r, t < p.count);
  }
};

// A window around each element, without a look at the first.
template <bool CLAMP>
struct Window {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    float sum = 0;
    for (int d = -2; d <= 0; ++d) {
      int const i = thread_index() + d;
      sum += global(p.in)[CLAMP && i < 0 ? 0 : i];
    }
    global(p.out)[thread_index()] = sum;
  }
};

// The first array of Shared is overrun into the second, which is there.
template <int COUNT>
struct SharedOverrun {
  static constexpr int threads = 48;
  struct Shared { SharedArray<float, COUNT> a; SharedArray<float, 64> b; };
  void operator()(Shared& memory, InOut const&) const {
    auto const a = shared(memory.a, "a");
    auto const b = shared(memory.b, "b");
    a[thread_index()] = 1.0f;
    b[thread_index()] = 1.0f;
  }
};

// In a loop, a vector whose last elements are outside.
template <int STEPS>
struct VectorPastTheEnd {
  static constexpr int threads = 8;
  struct Shared { SharedArray<float, 72> x; };
  void operator()(Shared& memory, InOut const&) const {
    auto const x = shared(memory.x, "x");
    float const r[4] = {};
    for (int k = 0; k < STEPS; ++k) store<4>(x + (k * 32 + thread_index() * 4), r);
  }
};

template <bool BEFORE>
struct SharedBefore {
  static constexpr int threads = 32;
  struct Shared { SharedArray<float, 32> x; SharedArray<float, 32> y; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const y = shared(memory.y, "y");
    y[thread_index()] = 3.0f;
    if (thread_index() == 7) global(p.out)[0] = float(y[BEFORE ? -1 : 7]);
  }
};

// A pointer to ordinary memory.
struct NotDeviceMemory {
  static constexpr int threads = 1;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const { global(p.out)[0] = 1.0f + float(global(p.in)[0]); }
};

// Two bytes at a time from a buffer with an odd number of bytes.
struct HalfOutside {
  static constexpr int threads = 3;
  using Shared = NoShared;
  struct Params { std::uint8_t const* bytes; };
  void operator()(Shared&, Params const& p) const {
    std::uint8_t r[2];
    load<2>(global(p.bytes) + 2 * thread_index(), r);
  }
};

struct Coordinates {
  static constexpr int threads = 1;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    auto const a = global(p.in);
    std::int64_t const shape[] = {3, 4, 1}, stride[] = {5, 1, 15};  // (3,4,1), rows of 5
    describe(a, 3, shape, stride);
    global(p.out)[0] = float(a[3 * 5 + 2]);
  }
};

}  // namespace

TEST_CASE("threads past the end of a tensor need a test", "[host][bounds]") {
  check_found("out of bounds", NoTest<false>{}, 3, buffers(70));
  check_clean(NoTest<true>{}, 3, buffers(70));
}

TEST_CASE("a predicate that is off by one reads out of bounds", "[host][bounds]") {
  check_found("out of bounds", OffByOne<1>{}, 1, buffers(50));
  check_clean(OffByOne<0>{}, 1, buffers(50));
}

TEST_CASE("negative offsets are out of bounds", "[host][bounds]") {
  check_found("out of bounds", Window<false>{}, 1, buffers(64));
  check_clean(Window<true>{}, 1, buffers(64));
  check_found("out of bounds", SharedBefore<true>{}, 1, buffers(64));
  check_clean(SharedBefore<false>{}, 1, buffers(64));
}

TEST_CASE("one shared array must not be overrun into the next", "[host][bounds]") {
  check_found("out of bounds", SharedOverrun<40>{}, 1, buffers(4));
  check_clean(SharedOverrun<48>{}, 1, buffers(4));
}

TEST_CASE("the whole of a vector must lie inside", "[host][bounds]") {
  check_found("out of bounds", VectorPastTheEnd<3>{}, 1, buffers(4));
  check_clean(VectorPastTheEnd<2>{}, 1, buffers(4));
}

TEST_CASE("one byte outside is outside", "[host][bounds]") {
  for (int const count : {5, 6}) {
    DeviceBuffer<std::uint8_t> bytes("bytes", count);
    std::vector<std::uint8_t> const zeros(6);
    bytes.upload(zeros.data(), count);
    KernelReport const report = run(HalfOutside{}, 1, HalfOutside::Params{bytes.data()});
    CHECK(only(report, "out of bounds") == (count == 5));
    CHECK(report.hazards.size() == (count == 5 ? 1 : 0));
  }
}

TEST_CASE("an access out of bounds touches nothing, and reads NaN", "[host][bounds]") {
  DeviceBuffer<float> before("before", 64), middle("middle", 64), after("after", 64);
  std::vector<float> const ones(64, 1.0f);
  for (DeviceBuffer<float>* buffer : {&before, &middle, &after}) buffer->upload(ones.data(), 64);
  Buffers memory(2);
  (void)run(NoTest<false>{}, 100, InOut{memory.in.data(), middle.data(), 64});
  for (DeviceBuffer<float>* buffer : {&before, &after}) {
    std::vector<float> values(64);
    buffer->download(values.data(), 64);
    CHECK(values == ones);
  }
  std::vector<float> values(64);
  middle.download(values.data(), 64);
  CHECK(values[0] == 0.0f);
  CHECK(values[1] == 2.0f);
  for (std::size_t i = 2; i < 64; ++i) CHECK(values[i] != values[i]);
}

TEST_CASE("a pointer that points to no device memory is out of bounds", "[host][bounds]") {
  float here[2] = {7, 7};
  Buffers memory(2);
  KernelReport const report = run(NotDeviceMemory{}, 1, InOut{memory.in.data(), here, 1});
  CHECK(text(report) ==
        "out of bounds: kernel NotDeviceMemory, block 0, thread 0 writes 4 bytes through a pointer that points to no "
        "device memory\n");
  CHECK(here[0] == 7);
  CHECK(only(run(NotDeviceMemory{}, 1, InOut{nullptr, memory.out.data(), 1}), "out of bounds"));
}

TEST_CASE("an access out of bounds names the coordinate, and the outermost mode takes what is past the end",
          "[host][bounds]") {
  Buffers memory(14);
  CHECK(text(run(Coordinates{}, 1, memory.params())) ==
        "out of bounds: kernel Coordinates, block 0, thread 0 reads in(3,2,0), element 17: past the last of its 14 "
        "elements\n");
  KernelReport const report = run(SharedBefore<true>{}, 1, memory.params());
  CHECK(text(report) ==
        "out of bounds: kernel SharedBefore, block 0, thread 7 reads y, element -1: before the first of its 32 "
        "elements\n");
  CHECK(text(run(VectorPastTheEnd<3>{}, 1, memory.params())) ==
        "out of bounds: kernel VectorPastTheEnd, block 0, thread 2 writes x, element 72: past the last of its 72 "
        "elements (16 bytes in "
        "one access) (6 times)\n");
}

TEST_CASE("memory that was freed is no device memory", "[host][bounds]") {
  Buffers memory(4);
  float* gone = nullptr;
  {
    DeviceBuffer<float> short_lived("short_lived", 4);
    gone = short_lived.data();
  }
  CHECK(only(run(NotDeviceMemory{}, 1, InOut{memory.in.data(), gone, 1}), "out of bounds"));
}
