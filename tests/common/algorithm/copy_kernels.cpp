// copy and copy_if between every two memories of a GPU, in scalars and in vectors, with and without a predicate. The
// test is the same for all: what the predicate wants arrives, every other element of the destination keeps its value.

#include "../../backend/any/device.hpp"  // need_device

#include <tilestep/algorithm.hpp>        // copy, copy_if, VectorAccess
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports

#include <catch2/catch_template_test_macros.hpp>  // TEMPLATE_TEST_CASE
#include <catch2/catch_test_macros.hpp>           // CHECK

#include <numeric>  // std::iota
#include <vector>   // host memory

namespace {

using namespace tilestep;

// Each of 64 threads copies its own row of 16.
using Row = Layout<Shape<_16>, Stride<_1>>;
constexpr int rows = 64;

struct RowParams {
  float const* in;
  float* out;  // holds -1 at first
};

/// A thread's row in one kind of memory.
template <class Memory>
struct Place;
template <>
struct Place<GlobalMemory> {
  static constexpr bool owns_out = true;  // as a destination it is the kernel's output itself
  template <class Shared> TS_DEVICE static auto in(Shared&, RowParams const& p) {
    return make_tensor(global(p.in) + thread_index() * 16, Row{});
  }
  template <class Shared> TS_DEVICE static auto out(Shared&, RowParams const& p) {
    return make_tensor(global(p.out) + thread_index() * 16, Row{});
  }
};
template <>
struct Place<SharedMemory> {
  static constexpr bool owns_out = false;
  template <class Shared> TS_DEVICE static auto in(Shared& s, RowParams const&) {
    return make_tensor(shared(s.in, "in") + thread_index() * 16, Row{});
  }
  template <class Shared> TS_DEVICE static auto out(Shared& s, RowParams const&) {
    return make_tensor(shared(s.out, "out") + thread_index() * 16, Row{});
  }
};
template <>
struct Place<RegisterMemory> {
  static constexpr bool owns_out = false;
  template <class Shared>
  TS_DEVICE static auto in(Shared&, RowParams const&) { return make_register_tensor<float>(Row{}); }
  template <class Shared>
  TS_DEVICE static auto out(Shared&, RowParams const&) { return make_register_tensor<float>(Row{}); }
};

/// Variants to copy, each with the elements it wants.
struct All {
  static bool wants(int) { return true; }
  template <class Src, class Dst>
  TS_DEVICE static void run(Src const& src, Dst& dst) { copy(src, dst); }
};
struct SomeElements {
  static bool wants(int i) { return i % 3 != 1; }
  template <class Src, class Dst>
  TS_DEVICE static void run(Src const& src, Dst& dst) { copy_if([](auto i) { return i % 3 != 1; }, src, dst); }
};
template <int VEC>
struct AllVectors {
  static bool wants(int) { return true; }
  template <class Src, class Dst>
  TS_DEVICE static void run(Src const& src, Dst& dst) { copy(VectorAccess<Step<_0>, 0, VEC>{}, src, dst); }
};
template <int VEC>
struct SomeVectors {
  static bool wants(int i) { return i / VEC % 2 == 1; }
  template <class Src, class Dst> TS_DEVICE static void run(Src const& src, Dst& dst) {
    copy_if(VectorAccess<Step<_0>, 0, VEC>{}, [](auto i) { return i / VEC % 2 == 1; }, src, dst);
  }
};

template <class SrcMemory, class DstMemory, class How>
struct CopyRows {
  static constexpr int threads = rows;
  struct Shared {
    SharedArray<float, rows * 16> in, out;
  };
  TS_DEVICE void operator()(Shared& s, RowParams const& p) const {
    auto src = Place<SrcMemory>::in(s, p);
    auto dst = Place<DstMemory>::out(s, p);
    if constexpr (!std::is_same_v<SrcMemory, GlobalMemory>) copy(Place<GlobalMemory>::in(s, p), src);
    if constexpr (!Place<DstMemory>::owns_out) fill(dst, -1.0f);
    How::run(src, dst);
    if constexpr (!Place<DstMemory>::owns_out) copy(dst, Place<GlobalMemory>::out(s, p));
  }
};

template <class How, class Src, class Dst>
void check_pair() {
  std::vector<float> in(rows * 16), out(rows * 16, -1);
  std::iota(in.begin(), in.end(), 100.0f);
  DeviceBuffer<float> device_in("in", rows * 16), device_out("out", rows * 16);
  device_in.upload(in.data(), rows * 16);
  device_out.upload(out.data(), rows * 16);
  launch(CopyRows<Src, Dst, How>{}, 1, RowParams{device_in.data(), device_out.data()});
  device_out.download(out.data(), rows * 16);
  std::int64_t wrong = 0;
  for (int i = 0; i < rows * 16; ++i) wrong += out[std::size_t(i)] != (How::wants(i % 16) ? in[std::size_t(i)] : -1);
  CHECK(wrong == 0);
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) FAIL_CHECK(hazard.message);
  }
}

template <class How, class Src>
void check_source() {
  check_pair<How, Src, GlobalMemory>();
  check_pair<How, Src, SharedMemory>();
  check_pair<How, Src, RegisterMemory>();
}

}  // namespace

TEMPLATE_TEST_CASE("copies between any two memories give what the predicate wants and keep the rest",
                   "[algorithm][copy]", All, SomeElements, AllVectors<4>, SomeVectors<4>, SomeVectors<2>) {
  backend_test::need_device();
  check_source<TestType, GlobalMemory>();
  check_source<TestType, SharedMemory>();
  check_source<TestType, RegisterMemory>();
}

// ---- Predicates at the end of memory, hazards without them ----

namespace {

template <bool Predicated>
struct CopyPastEnd {
  static constexpr char const* name = "CopyPastEnd";
  using Shared = NoShared;
  static constexpr int threads = 32;
  struct Params {
    float const* in;
    float* out;
    std::int64_t count;
  };
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto src =
        local_partition(make_tensor(global(p.in), make_shape(p.count)), make_layout(make_shape(_32{})), thread_index());
    auto dst = local_partition(make_tensor(global(p.out), make_shape(p.count)), make_layout(make_shape(_32{})),
                               thread_index());
    auto crd =
        local_partition(make_identity_tensor(make_shape(p.count)), make_layout(make_shape(_32{})), thread_index());
    if constexpr (Predicated) copy_if([&](auto i) { return elem_less(crd(i), make_shape(p.count)); }, src, dst);
    else copy(src, dst);
  }
};

template <bool Predicated>
KernelReport copy_past_end() {
  std::vector<float> const in(77, 5);
  std::vector<float> out(77);
  DeviceBuffer<float> device_in("in", 77), device_out("out", 77);
  device_in.upload(in.data(), 77);
  launch(CopyPastEnd<Predicated>{}, 1,
         typename CopyPastEnd<Predicated>::Params{device_in.data(), device_out.data(), 77});
  auto const reports = take_reports();
  if (Predicated) {
    device_out.download(out.data(), 77);
    CHECK(out == in);
  }
  REQUIRE(reports.size() == 1);
  return reports[0];
}

}  // namespace

TEST_CASE("a predicate from an identity tensor keeps a ragged copy inside its memory", "[algorithm][copy]") {
  backend_test::need_device();
  CHECK(copy_past_end<true>().hazards.empty());
}

TEST_CASE("the virtual GPU reports the accesses that a missing predicate lets out", "[algorithm][copy]") {
  if (!describes_tensors) SKIP("hazards are found on the virtual GPU");
  auto const report = copy_past_end<false>();
  REQUIRE(report.hazards.size() == 2);  // the read and the write
  for (Hazard const& hazard : report.hazards) {
    INFO(hazard.message);
    CHECK(hazard.kind == "out of bounds");
    CHECK(hazard.message.find("CopyPastEnd") != std::string::npos);
  }
}

// ---- What only run-time extents can get wrong ----

namespace {

/// Thread 5 copies 3 elements into 4; the others are right.
struct CopyUnequal {
  static constexpr char const* name = "CopyUnequal";
  using Shared = NoShared;
  static constexpr int threads = 32;
  TS_DEVICE void operator()(Shared&, RowParams const& p) const {
    int const count = thread_index() == 5 ? 3 : 4;
    copy(make_tensor(global(p.in) + thread_index() * 16, make_shape(count)),
         make_tensor(global(p.out) + thread_index() * 16, make_shape(4)));
  }
};

}  // namespace

TEST_CASE("extents that differ in a kernel are a hazard of the thread, which stops", "[algorithm][copy]") {
  if (!describes_tensors) SKIP("hazards are found on the virtual GPU");
  std::vector<float> const in(rows * 16, 5);
  std::vector<float> out(rows * 16, -1);
  DeviceBuffer<float> device_in("in", rows * 16), device_out("out", rows * 16);
  device_in.upload(in.data(), rows * 16);
  device_out.upload(out.data(), rows * 16);
  launch(CopyUnequal{}, 2, RowParams{device_in.data(), device_out.data()});
  device_out.download(out.data(), rows * 16);
  auto const reports = take_reports();
  REQUIRE(reports.size() == 1);
  REQUIRE_FALSE(reports[0].hazards.empty());
  Hazard const& hazard = reports[0].hazards[0];
  INFO(hazard.message);
  CHECK(hazard.kind == "broken requirement");
  CHECK(hazard.message.find("kernel CopyUnequal, block 0, thread 5 stops") != std::string::npos);
  CHECK(hazard.message.find("mode 0 of source, destination or predicate differs in extent") != std::string::npos);
  CHECK(out[5 * 16] == -1);
  CHECK(out[6 * 16 + 3] == 5);
}
