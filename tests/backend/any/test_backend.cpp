// What every backend promises: the same kernels give the same results on the virtual GPU, on NVIDIA and on AMD.

#include "device.hpp"   // need_device
#include "kernels.hpp"  // the kernels

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports

#include <catch2/catch_template_test_macros.hpp>  // TEMPLATE_TEST_CASE_SIG
#include <catch2/catch_test_macros.hpp>           // TEST_CASE, CHECK
#include <catch2/matchers/catch_matchers.hpp>     // CHECK_THROWS_WITH
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>    // std::fma
#include <cstdint>  // std::int64_t
#include <numeric>  // std::iota
#include <string>   // std::string
#include <vector>   // std::vector

namespace {

using namespace backend_test;

// 1, 2, 3, ... in a buffer on the device.
template <class T>
DeviceBuffer<T> counting(std::string const& name, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), T(1));
  DeviceBuffer<T> buffer(name, count);
  buffer.upload(values.data(), count);
  return buffer;
}

template <class T>
std::vector<T> contents(DeviceBuffer<T> const& buffer) {
  std::vector<T> values(std::size_t(buffer.size()));
  buffer.download(values.data(), buffer.size());
  return values;
}

// The one launch since the last call, with no hazard.
KernelReport only_report() {
  std::vector<KernelReport> const reports = take_reports();
  REQUIRE(reports.size() == 1);
  for (Hazard const& hazard : reports[0].hazards) UNSCOPED_INFO(hazard.message);
  CHECK(reports[0].hazards.empty());
  return reports[0];
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("vector accesses move every element and keep to their predicate", "[backend]",
                       ((typename T, int VEC), T, VEC), (std::uint8_t, 1), (std::uint8_t, 16), (std::uint16_t, 1),
                       (std::uint16_t, 8), (float, 1), (float, 2), (float, 4), (double, 1), (double, 2)) {
  need_device();
  std::int64_t const count = 1000 / VEC * VEC;
  auto const in = counting<T>("in", count);
  DeviceBuffer<T> out("out", count + VEC);  // one vector more, to see that nothing is written there
  std::vector<T> const before(std::size_t(count + VEC), T(77));
  out.upload(before.data(), count + VEC);

  std::int64_t const per_block = VectorCopy<T, VEC>::threads * VEC;
  launch(VectorCopy<T, VEC>{}, (count + per_block - 1) / per_block, CopyParams<T>{in.data(), out.data(), count});
  auto const result = contents(out);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < count; ++i) wrong += result[std::size_t(i)] != T(i + 1);
  for (std::int64_t i = count; i < count + VEC; ++i) wrong += result[std::size_t(i)] != T(77);
  CHECK(wrong == 0);
  only_report();
}

TEST_CASE("shared memory carries values across a barrier", "[backend]") {
  need_device();
  std::int64_t const blocks = 5, count = blocks * Reverse::threads;
  auto const in = counting<float>("in", count);
  DeviceBuffer<float> out("out", count);
  launch(Reverse{}, blocks, CopyParams<float>{in.data(), out.data(), count});
  auto const result = contents(out);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t const first = i / Reverse::threads * Reverse::threads;
    wrong += result[std::size_t(i)] != float(first + Reverse::threads - i % Reverse::threads);
  }
  CHECK(wrong == 0);

  KernelReport const report = only_report();
  CHECK_THAT(report.kernel, Catch::Matchers::EndsWith("Reverse"));
  CHECK(report.target == target().name);
  CHECK(report.blocks == blocks);
  CHECK(report.threads == Reverse::threads);
  CHECK(report.shared_bytes == std::int64_t(sizeof(Reverse::Shared)));
  CHECK(report.seconds > 0);
}

TEST_CASE("a transpose through shared memory uses vectors on both sides", "[backend]") {
  need_device();
  int const tiles = 3, extent = tiles * Transpose::tile_size;
  auto const in = counting<float>("in", extent * extent);
  DeviceBuffer<float> out("out", extent * extent);
  launch(Transpose{}, tiles * tiles, Transpose::Params{in.data(), out.data(), tiles});
  auto const result = contents(out);
  int wrong = 0;
  for (int m = 0; m < extent; ++m) {
    for (int n = 0; n < extent; ++n) wrong += result[std::size_t(n * extent + m)] != float(m * extent + n + 1);
  }
  CHECK(wrong == 0);
  only_report();
}

TEST_CASE("shuffles read the lane they name, in every warp", "[backend]") {
  need_device();
  DeviceBuffer<std::int64_t> out("out", Shuffles::threads * 5);
  launch(Shuffles{}, 1, ShuffleParams{out.data()});
  auto const result = contents(out);
  int const warp = target().warp_size;
  for (int thread = 0; thread < Shuffles::threads; ++thread) {
    int const lane = thread % warp, first = thread - lane;
    auto const value = [&](int other) { return std::int64_t(100) * (first + other); };
    std::int64_t const* const got = &result[std::size_t(thread * 5)];
    INFO("thread " << thread);
    CHECK(got[0] == value(3));
    CHECK(got[1] == value(lane ^ 5));
    CHECK(got[2] == (value(lane >= 2 ? lane - 2 : lane) << 32));
    CHECK(got[3] == (lane + 7 < warp ? value(lane + 7) : -1));
    CHECK(got[4] == thread / warp * 1000 + lane);
  }
  only_report();
}

TEST_CASE("a register-tiled GEMM is right for sizes that no tile divides", "[backend]") {
  need_device();
  struct Size {
    int m, n, k;
  };
  for (Size const s : {Size{32, 32, 16}, Size{33, 31, 17}, Size{1, 1, 1}, Size{7, 67, 5}, Size{65, 2, 40}}) {
    CAPTURE(s.m, s.n, s.k);
    std::vector<float> a(std::size_t(s.m * s.k)), b(std::size_t(s.n * s.k));
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 4);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 5 % 13) - 7);
    DeviceBuffer<float> device_a("A", s.m * s.k), device_b("B", s.n * s.k), device_c("C", s.m * s.n);
    device_a.upload(a.data(), device_a.size());
    device_b.upload(b.data(), device_b.size());
    std::int64_t const blocks = std::int64_t((s.m + 31) / 32) * ((s.n + 31) / 32);
    launch(RegisterTileGemm{}, blocks, GemmParams{device_a.data(), device_b.data(), device_c.data(), s.m, s.n, s.k});
    auto const result = contents(device_c);
    int wrong = 0;
    for (int m = 0; m < s.m; ++m) {
      for (int n = 0; n < s.n; ++n) {
        float sum = 0;  // integers: exact
        for (int k = 0; k < s.k; ++k) sum += a[std::size_t(m * s.k + k)] * b[std::size_t(n * s.k + k)];
        wrong += !(result[std::size_t(m * s.n + n)] == sum);
      }
    }
    CHECK(wrong == 0);
    only_report();
  }
}

TEST_CASE("a block may use more than 48 KB of shared memory", "[backend]") {
  need_device();
  using Kernel = LargeShared<56 * 1024>;
  DeviceBuffer<float> out("out", 2);
  launch(Kernel{}, 2, CopyParams<float>{nullptr, out.data(), 2});
  float sum = 0;
  for (int i = 0; i < Kernel::count; ++i) sum += float(i % 7);
  CHECK(contents(out) == std::vector<float>{sum, sum});
  CHECK(only_report().shared_bytes == 56 * 1024);
}

TEST_CASE("fma rounds once", "[backend]") {
  CHECK(tilestep::fma(1.0f + 0x1p-23f, 1.0f - 0x1p-23f, -1.0f) == -0x1p-46f);
  CHECK(tilestep::fma(1.0 + 0x1p-52, 1.0 - 0x1p-52, -1.0) == -0x1p-104);
}

TEST_CASE("launches without blocks, parameters or shared memory are launches", "[backend]") {
  need_device();
  launch(Nothing{}, 0, NoParams{});
  CHECK(take_reports().empty());
  launch(Nothing{}, 3, NoParams{});
  CHECK(only_report().blocks == 3);
}

TEST_CASE("a grid that is too large is refused in a sentence", "[backend]") {
  need_device();
  CHECK_THROWS_WITH(launch(Nothing{}, std::int64_t(1) << 31, NoParams{}),
                    Catch::Matchers::ContainsSubstring("2147483648 blocks"));
  CHECK_THROWS_WITH(launch(Nothing{}, -1, NoParams{}), Catch::Matchers::ContainsSubstring("-1 blocks"));
  CHECK(take_reports().empty());
}

TEST_CASE("empty buffers exist, impossible ones are refused in a sentence", "[backend]") {
  need_device();
  DeviceBuffer<float> none("none", 0);
  none.upload(nullptr, 0);
  CHECK(none.size() == 0);
  CHECK_THROWS_WITH(DeviceBuffer<float>("vast", std::int64_t(1) << 50), Catch::Matchers::ContainsSubstring("vast"));
  CHECK_THROWS_WITH(DeviceBuffer<float>("negative", -1), Catch::Matchers::ContainsSubstring("negative"));
  DeviceBuffer<float> after("after", 1);  // the refusal leaves the device usable
  CHECK(after.size() == 1);
}

TEST_CASE("a target that is not the device's is refused", "[backend]") {
  need_device();
  CHECK_THROWS_WITH(set_run_options(RunOptions{"sm81", {}, true, 0}), Catch::Matchers::ContainsSubstring("sm81"));
  RunOptions same;
  same.target = std::string(target().name);
  CHECK_NOTHROW(set_run_options(same));
}
