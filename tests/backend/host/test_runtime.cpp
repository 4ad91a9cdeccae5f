// The host side: memory, options, launches and what they refuse; and the types that stand for pointers and elements.

#include "run_kernel.hpp"

#include <catch2/matchers/catch_matchers_exception.hpp>  // MessageMatches
#include <catch2/matchers/catch_matchers_string.hpp>     // ContainsSubstring

#include <stdexcept>  // std::runtime_error

using namespace host_test;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class T>
struct Fill {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    if (thread_index() < p.count) global(p.out)[thread_index()] = float(T(thread_index()));
  }
};

struct WithName {
  static constexpr char const* name = "its own name";
  static constexpr int threads = 1;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {}
};

struct Throws {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const&) const {
    if (thread_index() == 17) throw std::runtime_error("from thread 17");
    sync_threads();
  }
};

// A struct of two bytes, as half-precision types are.
struct Half {
  std::uint16_t bits;
  explicit operator float() const { return float(bits); }
};

struct Arithmetic {
  static constexpr int threads = 1;
  struct Shared { SharedArray<float, 4> x; SharedArray<Half, 4> h; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    auto const h = shared(memory.h, "h");
    x[0] = 3.0f;
    x[1] = x[0];
    x[1] += 2;
    x[1] *= x[0];
    x[2] = x[1] - x[0];
    x[2] /= 4.0f;
    *(x + 3) = -x[2];
    h[1] = Half{7};
    h[2] = h[1];
    auto const out = global(p.out);
    out[0] = x[1];
    out[1] = x[2];
    out[2] = x[3];
    out[3] = static_cast<float>(h[2]);
    out[4] = float(x[0] > x[2] ? 1 : 0);
    out[5] = fma(x[0], x[1], x[2]);
  }
};

using SharedAccess = virtual_gpu::Access<float, SharedMemory>;
template <class A>
concept AddsAsLvalue = requires(A& a) { a + 1; };
template <class A>
concept AddsAsTemporary = requires(A (*make)()) { make() + 1; };
template <class A>
concept AssignsAsLvalue = requires(A& a) { a = 1.0f; };
static_assert(!std::is_copy_constructible_v<SharedAccess>);
static_assert(!AddsAsLvalue<SharedAccess>);
static_assert(AddsAsTemporary<SharedAccess>);
static_assert(!AssignsAsLvalue<SharedAccess>);
static_assert(std::is_convertible_v<GlobalPtr<float>, GlobalPtr<float const>>);
static_assert(!std::is_convertible_v<GlobalPtr<float const>, GlobalPtr<float>>);
static_assert(std::is_same_v<GlobalPtr<float>::memory, GlobalMemory>);
static_assert(std::is_same_v<SharedPtr<float const>::value_type, float const>);

}  // namespace

TEST_CASE("elements of memory take part in expressions as references would", "[host][pointer]") {
  Buffers memory(8);
  CHECK(text(run(Arithmetic{}, 1, memory.params())) == "");
  std::vector<float> const out = memory.result();
  CHECK(out[0] == 15.0f);
  CHECK(out[1] == 3.0f);
  CHECK(out[2] == -3.0f);
  CHECK(out[3] == 7.0f);
  CHECK(out[4] == 0.0f);
  CHECK(out[5] == 48.0f);
}

TEST_CASE("outside a kernel pointers to device memory are plain", "[host][pointer]") {
  Buffers memory(8);
  auto const in = global(memory.in.data());
  CHECK(float(in[3]) == 3.0f);
  CHECK(in.get() == memory.in.data());
  CHECK((in + 2).get() == memory.in.data() + 2);
  float r[4];
  load<4>(in + 4, r);
  CHECK(r[3] == 7.0f);
}

TEST_CASE("a kernel's report has its name, blocks, threads, target and time", "[host][runtime]") {
  Buffers memory(4);
  KernelReport const report =
      run(Fill<float>{}, 3, InOut{nullptr, memory.out.data(), 0}, RunOptions{"gfx1100", {}, true, 1});
  CHECK(report.kernel == "Fill");
  CHECK(report.target == "gfx1100");
  CHECK(report.blocks == 3);
  CHECK(report.threads == 32);
  CHECK(report.shared_bytes == 0);
  CHECK(report.seconds > 0);
  CHECK(run(WithName{}, 1, memory.params()).kernel == "its own name");
}

TEST_CASE("no blocks are no launch", "[host][runtime]") {
  (void)take_reports();
  launch(WithName{}, 0, InOut{});
  CHECK(take_reports().empty());
}

TEST_CASE("reports come once, oldest first", "[host][runtime]") {
  (void)take_reports();
  Buffers memory(4);
  launch(WithName{}, 1, memory.params());
  launch(Fill<int>{}, 1, memory.params());
  std::vector<KernelReport> const reports = take_reports();
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].kernel == "its own name");
  CHECK(reports[1].kernel == "Fill");
  CHECK(take_reports().empty());
}

TEST_CASE("a grid has at most 2^31 - 1 blocks", "[host][runtime]") {
  CHECK_THROWS_WITH(launch(WithName{}, std::int64_t(1) << 31, InOut{}), ContainsSubstring("at most 2147483647"));
  CHECK_THROWS_AS(launch(WithName{}, -1, InOut{}), Error);
}

TEST_CASE("an unknown target is refused with the list of targets", "[host][runtime]") {
  RunOptions options;
  options.target = "sm75";
  CHECK_THROWS_WITH(set_run_options(options),
                    "there is no target 'sm75': choose one of sm80, sm90, gfx90a, gfx942, gfx950, gfx1100, gfx1201");
  CHECK(target().name == "sm80");
}

TEST_CASE("what a kernel throws comes out of the launch", "[host][runtime]") {
  Buffers memory(4);
  CHECK_THROWS_WITH(launch(Throws{}, 2, memory.params()), "from thread 17");
  CHECK(run(WithName{}, 1, memory.params()).hazards.empty());
}

TEST_CASE("buffers may be empty, and refuse what does not fit", "[host][runtime]") {
  DeviceBuffer<double> empty("empty", 0);
  empty.upload(nullptr, 0);
  empty.download(nullptr, 0);
  CHECK(empty.size() == 0);
  CHECK_THROWS_AS(DeviceBuffer<float>("negative", -1), Error);
  CHECK_THROWS_WITH(DeviceBuffer<float>("huge", std::int64_t(1) << 60),
                    ContainsSubstring("huge needs 4611686018427387904 bytes"));
  CHECK_THROWS_AS(DeviceBuffer<double>("overflow", std::int64_t(1) << 61), Error);
  DeviceBuffer<float> four("four", 4);
  float values[8] = {};
  CHECK_THROWS_WITH(four.upload(values, 3, 2), "elements 2 to 5 of four were asked for: it has 4");
  CHECK_THROWS_AS(four.download(values, 1, -1), Error);
  CHECK_THROWS_AS(copy_to_device(values, values, 4), Error);
}

TEST_CASE("a buffer is aligned to 256 bytes", "[host][runtime]") {
  for (int n : {1, 63, 64, 65, 1000}) {
    DeviceBuffer<char> buffer("buffer", n);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256 == 0);
  }
}

TEST_CASE("a buffer can be moved", "[host][runtime]") {
  DeviceBuffer<float> a("a", 4);
  float const* const data = a.data();
  DeviceBuffer<float> b = std::move(a);
  CHECK(b.data() == data);
  b = DeviceBuffer<float>("c", 8);
  CHECK(b.size() == 8);
}
