// Strides below zero in a kernel: both factors and the product of a small GEMM lie turned around in global memory.

#include "../../backend/any/device.hpp"  // need_device

#include <tilestep/algorithm.hpp>        // copy, gemm
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <vector>  // matrices

using namespace tilestep;

namespace {

struct TurnParams {
  int const* a;  // (16,8), stored by rows, read from the last row up
  int const* b;  // (16,8), stored by rows, its K read backwards
  int* c;  // (16,16), by columns, written from the last column back
};

/// C = A B^T by 16 threads, each with 4 x 4 of it.
struct TurnedGemm {
  static constexpr char const* name = "TurnedGemm";
  static constexpr int threads = 16;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, TurnParams const& p) const {
    auto const thr = make_layout(make_shape(_4{}, _4{}));  // (THR_M,THR_N)
    auto const gA = make_tensor(global(p.a) + 15 * 8, Layout<Shape<_16, _8>, Stride<Int<-8>, _1>>{});  // (M,K)
    auto const gB = make_tensor(global(p.b) + 7, Layout<Shape<_16, _8>, Stride<_8, Int<-1>>>{});  // (N,K)
    auto const gC = make_tensor(global(p.c) + 15 * 16, make_shape(16, 16), make_stride(1, -16));  // (M,N)
    auto const tC = local_partition(gC, thr, thread_index());  // (m,n)
    auto rC = make_register_tensor<int>(Shape<_4, _4>{});  // (m,n)
    clear(rC);
    gemm(local_partition(gA, thr, thread_index(), Step<_1, X>{}),
         local_partition(gB, thr, thread_index(), Step<X, _1>{}), rC);
    copy(rC, tC);
  }
};

}  // namespace

TEST_CASE("a kernel takes strides below zero, static and dynamic, and leaves no matrix", "[algorithm][gemm]") {
  backend_test::need_device();
  std::vector<int> a(16 * 8), b(16 * 8), c(16 * 16);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = int(i * 7 % 11) - 4, b[i] = int(i * 5 % 13) - 6;
  DeviceBuffer<int> device_a("A", 16 * 8), device_b("B", 16 * 8), device_c("C", 16 * 16);
  device_a.upload(a.data(), 16 * 8);
  device_b.upload(b.data(), 16 * 8);
  launch(TurnedGemm{}, 1, TurnParams{device_a.data(), device_b.data(), device_c.data()});
  device_c.download(c.data(), 16 * 16);
  int wrong = 0;
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) {
      int want = 0;
      for (int k = 0; k < 8; ++k) want += a[std::size_t(8 * (15 - m) + k)] * b[std::size_t(8 * n + 7 - k)];
      wrong += c[std::size_t(16 * (15 - n) + m)] != want;
    }
  }
  CHECK(wrong == 0);
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) FAIL_CHECK(hazard.message);
  }
}
