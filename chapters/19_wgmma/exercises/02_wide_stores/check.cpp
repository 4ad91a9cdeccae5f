// Grades the exercise: one warpgroup multiplies a tile by wgmma and stores its sums by the reader's function; the sums
// are compared with those computed here, and the stores and shuffles are counted.

#include EXERCISE_HEADER

#include <tilestep/algorithm.hpp>         // gemm, clear
#include <tilestep/atom/tiled_mma.hpp>    // make_tiled_mma
#include <tilestep/atom/wgmma.hpp>        // SM90_64xNx16_SS, swizzled_tile
#include <tilestep/backend/launch.hpp>    // launch, DeviceBuffer, take_reports
#include <tilestep/backend/mbarrier.hpp>  // fence_proxy_async
#include <tilestep/harness/graded.hpp>    // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

constexpr int M = 64, N = 128, K = 16, row = N + 32;  // so that rows are not neighbours

float value_of_a(int m, int k) { return float((m * 7 + k * 3) % 9 - 4); }
float value_of_b(int n, int k) { return float((n * 5 + k) % 7 - 3); }

struct Multiply {
  struct Params {
    float* c;
  };
  using Operation = SM90_64xNx16_SS<N, DType::f16>;
  using TileA = decltype(swizzled_tile<half_t, Major::k, TileSwizzle::bytes_32>(Shape<Int<M>, Int<K>>{}));  // (M,K)
  using TileB = decltype(swizzled_tile<half_t, Major::k, TileSwizzle::bytes_32>(Shape<Int<N>, Int<K>>{}));  // (N,K)
  struct Shared {
    alignas(1024) SharedArray<half_t, M * K> a;
    alignas(1024) SharedArray<half_t, N * K> b;
  };
  static constexpr char const* name = "Multiply";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = warpgroup_size;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto sA = make_tensor(shared(memory.a, "sA"), TileA{});                           // (M,K)
    auto sB = make_tensor(shared(memory.b, "sB"), TileB{});                           // (N,K)
    for (int i = thread_index(); i < M * K; i += threads) sA(i / K, i % K) = half_t(value_of_a(i / K, i % K));
    for (int i = thread_index(); i < N * K; i += threads) sB(i / K, i % K) = half_t(value_of_b(i / K, i % K));
    fence_proxy_async();
    sync_threads();  // all threads wrote the tiles before the products read them
    using Mma = decltype(make_tiled_mma(Operation{}));
    auto const mma = Mma::slice(0);
    auto const dA = mma.partition_fragment_A(sA);                                     // (1,MMA_M,MMA_K)
    auto const dB = mma.partition_fragment_B(sB);                                     // (1,MMA_N,MMA_K)
    auto rC = mma.partition_fragment_C(make_identity_tensor(Shape<Int<M>, Int<N>>{}));  // (MMA,MMA_M,MMA_N)
    clear(rC);
    wgmma_fence();
    gemm(typename Mma::Atom{}, dA(_, _, _0{}), dB(_, _, _0{}), rC);
    wgmma_commit();
    wgmma_wait<0>();
    float sums[64];
    static_for<64>([&](auto i) { sums[i.value] = rC(i); });
    store_sums(sums, global(p.c) + thread_index() / 32 * 16 * row, row);
  }
};

}  // namespace

int main() {
  set_run_options({.target = "sm90", .schedule = {}, .check = true, .workers = 0});
  DeviceBuffer<float> device_c("C", M * row);
  std::vector<float> c(std::size_t(M * row), -1);
  device_c.upload(c.data(), M * row);
  launch(Multiply{}, 1, Multiply::Params{device_c.data()});
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  device_c.download(c.data(), M * row);
  for (int i = 0; i < M * row; ++i) {
    float want = i % row < N ? 0 : -1;
    for (int k = 0; k < K && i % row < N; ++k) want += value_of_a(i / row, k) * value_of_b(i % row, k);
    if (!right_element("C", i / row, i % row, double(c[std::size_t(i)]), double(want))) return 1;
  }
  Counters const& counted = report.counters;
  bool const fast = at_most("store requests", counted.global_store_requests, M * N * 4 / 512) &&
                    at_most("sectors stored", counted.global_store_sectors, M * N * 4 / 32) &&
                    at_most("shuffles", counted.shuffles, 4 * 32);
  if (!fast) return 1;
  std::puts("right: 16 bytes of each lane, whole sectors");
  return 0;
}
