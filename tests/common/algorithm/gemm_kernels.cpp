// gemm on the memories of a GPU: operands in global and shared memory, accumulators in registers.

#include "../../backend/any/device.hpp"  // need_device

#include <tilestep/algorithm.hpp>        // gemm, copy, axpby
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <vector>  // host memory

namespace {

using namespace tilestep;

struct SmallParams {
  int const* a;  // (8,8) row-major
  int const* b;  // (8,8) row-major, (N,K)
  int* c;        // (8,8) row-major
};
using Square = Layout<Shape<_8, _8>, Stride<_8, _1>>;

/// 4 threads, each with 4 x 4 of C. The operands are read where they are: global memory, or shared memory.
template <bool Staged>
struct SmallGemm {
  static constexpr int threads = 4;
  struct Shared {
    SharedArray<int, 64> a, b;
  };
  TS_DEVICE void operator()(Shared& s, SmallParams const& p) const {
    auto const thr = make_layout(make_shape(_2{}, _2{}));                                 // (THR_M,THR_N) -> thread
    auto const gA = make_tensor(global(p.a), Square{}), gB = make_tensor(global(p.b), Square{});
    auto tC = local_partition(make_tensor(global(p.c), Square{}), thr, thread_index());   // (m,n)
    auto rC = make_fragment_like(tC);                                                     // (m,n)
    clear(rC);
    if constexpr (Staged) {
      auto const sA = make_tensor(shared(s.a, "sA"), Square{}), sB = make_tensor(shared(s.b, "sB"), Square{});
      copy(local_partition(gA, thr, thread_index()), local_partition(sA, thr, thread_index()));
      copy(local_partition(gB, thr, thread_index()), local_partition(sB, thr, thread_index()));
      sync_threads();  // all threads wrote sA and sB before any reads them
      gemm(local_partition(sA, thr, thread_index(), Step<_1, X>{}),
           local_partition(sB, thr, thread_index(), Step<X, _1>{}), rC);
    } else {
      gemm(local_partition(gA, thr, thread_index(), Step<_1, X>{}),
           local_partition(gB, thr, thread_index(), Step<X, _1>{}), rC);
    }
    axpby(2, rC, -1, tC);
  }
};

template <bool Staged>
void check() {
  std::vector<int> a(64), b(64), c(64), want(64);
  for (int i = 0; i < 64; ++i)
    a[std::size_t(i)] = i * 7 % 11 - 4, b[std::size_t(i)] = i * 5 % 13 - 6, c[std::size_t(i)] = i;
  for (int m = 0; m < 8; ++m) {
    for (int n = 0; n < 8; ++n) {
      int sum = 0;
      for (int k = 0; k < 8; ++k) sum += a[std::size_t(8 * m + k)] * b[std::size_t(8 * n + k)];
      want[std::size_t(8 * m + n)] = 2 * sum - c[std::size_t(8 * m + n)];
    }
  }
  DeviceBuffer<int> device_a("A", 64), device_b("B", 64), device_c("C", 64);
  device_a.upload(a.data(), 64);
  device_b.upload(b.data(), 64);
  device_c.upload(c.data(), 64);
  launch(SmallGemm<Staged>{}, 1, SmallParams{device_a.data(), device_b.data(), device_c.data()});
  device_c.download(c.data(), 64);
  CHECK(c == want);
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) FAIL_CHECK(hazard.message);
    if (!describes_tensors) continue;
    // A thread multiplies 4 x 4 for each of 8 k. It reads each of the 4 + 4 elements of A and B once, not 4 times.
    int const reads = 8 * (4 + 4), of_c = 4 * 4;
    if (Staged) CHECK(report.counters.shared_load_requests == reads);
    else CHECK(report.counters.global_load_requests == reads + of_c);
  }
}

}  // namespace

TEST_CASE("gemm reads operands from global memory and accumulates in registers", "[algorithm][gemm]") {
  backend_test::need_device();
  check<false>();
}

TEST_CASE("gemm reads operands from shared memory and accumulates in registers", "[algorithm][gemm]") {
  backend_test::need_device();
  check<true>();
}
