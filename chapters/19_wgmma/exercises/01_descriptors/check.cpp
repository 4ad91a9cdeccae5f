// Grades the exercise: one warpgroup multiplies a tile of A, 64 x 64, by one of B, 128 x 64, with the reader's
// descriptors, for operands along K and along M and N.

#include EXERCISE_HEADER

#include <tilestep/algorithm/copy.hpp>      // copy
#include <tilestep/atom/wgmma.hpp>          // SM90_64xNx16_SS, swizzled_tile
#include <tilestep/atom/tiled_mma.hpp>      // make_tiled_mma
#include <tilestep/backend/kernel.hpp>      // sync_threads
#include <tilestep/backend/launch.hpp>      // launch, DeviceBuffer, take_reports
#include <tilestep/backend/mbarrier.hpp>    // fence_proxy_async
#include <tilestep/harness/graded.hpp>  // no_hazard

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

constexpr int M = 64, N = 128, K = 64;

struct Params {
  float* c;
};

float value_of_a(int m, int k) { return float((m * 7 + k * 3) % 9 - 4); }
float value_of_b(int n, int k) { return float((n * 5 + k) % 7 - 3); }

/// C = A B of numbers that the threads themselves put into shared memory.
template <Major MAJOR>
struct Multiply {
  using Params = ::Params;
  using Operation = SM90_64xNx16_SS<N, DType::f16, MAJOR, MAJOR>;
  using TileA = decltype(swizzled_tile<half_t, MAJOR, TileSwizzle::bytes_128>(Shape<Int<M>, Int<K>>{}));  // (M,K)
  using TileB = decltype(swizzled_tile<half_t, MAJOR, TileSwizzle::bytes_128>(Shape<Int<N>, Int<K>>{}));  // (N,K)
  static constexpr char const* name = MAJOR == Major::k ? "Multiply along K" : "Multiply along M and N";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = warpgroup_size;
  struct Shared {
    alignas(1024) SharedArray<half_t, M * K> a;
    alignas(1024) SharedArray<half_t, N * K> b;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto sA = make_tensor(shared(memory.a, "sA"), TileA{});                           // (M,K)
    auto sB = make_tensor(shared(memory.b, "sB"), TileB{});                           // (N,K)
    for (int i = thread_index(); i < M * K; i += threads) sA(i / K, i % K) = half_t(value_of_a(i / K, i % K));
    for (int i = thread_index(); i < N * K; i += threads) sB(i / K, i % K) = half_t(value_of_b(i / K, i % K));
    fence_proxy_async();
    sync_threads();  // all threads wrote the tiles before the products read them
    auto const mma = decltype(make_tiled_mma(Operation{}))::slice(thread_index());
    auto const gC = make_tensor(global(p.c), make_layout(Shape<Int<M>, Int<N>>{}, Stride<Int<N>, _1>{}));  // (M,N)
    auto rC = mma.partition_fragment_C(gC);                                           // (MMA,MMA_M,MMA_N)
    wgmma_fence();
    for (int step = 0; step < K / 16; ++step)
      wgmma(Operation{}, descriptor_of_step<MAJOR>(shared(memory.a, "sA"), step),
            descriptor_of_step<MAJOR>(shared(memory.b, "sB"), step), rC.data().get(), step > 0);
    wgmma_commit();
    wgmma_wait<0>();
    copy(rC, mma.partition_C(gC));
  }
};

/// 0 right, 1 wrong, 4 hazard.
template <Major MAJOR>
int check() {
  set_run_options({.target = "sm90", .schedule = {Schedule::Kind::in_order, 0}, .check = true, .workers = 0});
  DeviceBuffer<float> out("C", M * N);
  launch(Multiply<MAJOR>{}, 1, Params{out.data()});
  if (!no_hazard(take_reports().at(0))) {
    std::printf("%s\n", Multiply<MAJOR>::name);
    return 4;
  }
  std::vector<float> c(M * N);
  out.download(c.data(), M * N);
  for (int i = 0; i < M * N; ++i) {
    float want = 0;
    for (int k = 0; k < K; ++k) want += value_of_a(i / N, k) * value_of_b(i % N, k);
    if (!(c[std::size_t(i)] == want)) {
      std::printf("%s: C(%d,%d) is %g and should be %g\n", Multiply<MAJOR>::name, i / N, i % N,
                  double(c[std::size_t(i)]), double(want));
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  for (int const verdict : {check<Major::k>(), check<Major::mn>()}) {
    if (verdict != 0) return verdict;
  }
  std::puts("right: the tensor cores found every element of both tiles, along K and along M and N");
  return 0;
}
