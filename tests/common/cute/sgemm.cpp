// A GEMM in CuTe's words: the one that docs/from_cute.md shows.

#include <tilestep/cute.hpp>  // tested here

#include <tilestep/backend/launch.hpp>   // launch, take_reports
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <vector>  // host memory

using namespace tilestep;

namespace {

struct SgemmParams {
  float const *A, *B;
  float* C;
  int M, N, K;
};

// [sgemm]
/// C(m,n) = sum over k of A(m,k) B(n,k); A, B and C are stored along their first mode, in whole tiles.
struct Sgemm {
  using bM = Int<64>;
  using bN = Int<32>;
  using bK = Int<8>;
  static constexpr int threads = 128;                    // CuTe: __launch_bounds__
  struct Shared {                                        // CuTe: __shared__ float smemA[cosize_v<..>]
    SharedArray<float, 64 * 8> a;
    SharedArray<float, 32 * 8> b;
  };

  TS_DEVICE void operator()(Shared& smem, SgemmParams const& p) const {
    Tensor mA = make_tensor(make_gmem_ptr(p.A), make_shape(p.M, p.K), make_stride(_1{}, p.M));     // (M,K)
    Tensor mB = make_tensor(make_gmem_ptr(p.B), make_shape(p.N, p.K), make_stride(_1{}, p.N));     // (N,K)
    Tensor mC = make_tensor(make_gmem_ptr(p.C), make_shape(p.M, p.N), make_stride(_1{}, p.M));     // (M,N)

    auto cta_tiler = make_shape(bM{}, bN{}, bK{});
    int const tiles_m = p.M / bM{};
    auto cta_coord = make_coord(int(block_index()) % tiles_m, int(block_index()) / tiles_m, _);    // (m,n,k)
    Tensor gA = local_tile(mA, cta_tiler, cta_coord, Step<_1, X, _1>{});                           // (BLK_M,BLK_K,k)
    Tensor gB = local_tile(mB, cta_tiler, cta_coord, Step<X, _1, _1>{});                           // (BLK_N,BLK_K,k)
    Tensor gC = local_tile(mC, cta_tiler, cta_coord, Step<_1, _1, X>{});                           // (BLK_M,BLK_N)
    Tensor sA = make_tensor(make_smem_ptr(smem.a), make_layout(make_shape(bM{}, bK{})));           // (BLK_M,BLK_K)
    Tensor sB = make_tensor(make_smem_ptr(smem.b), make_layout(make_shape(bN{}, bK{})));           // (BLK_N,BLK_K)

    auto tA = make_layout(make_shape(_32{}, _4{}));                                                // copies A and B
    auto tC = make_layout(make_shape(_16{}, _8{}));                                                // multiplies
    Tensor tAgA = local_partition(gA, tA, thread_index());                                         // (THR_M,THR_K,k)
    Tensor tAsA = local_partition(sA, tA, thread_index());                                         // (THR_M,THR_K)
    Tensor tBgB = local_partition(gB, tA, thread_index());                                         // (THR_N,THR_K,k)
    Tensor tBsB = local_partition(sB, tA, thread_index());                                         // (THR_N,THR_K)
    Tensor tCsA = local_partition(sA, tC, thread_index(), Step<_1, X>{});                          // (THR_M,BLK_K)
    Tensor tCsB = local_partition(sB, tC, thread_index(), Step<X, _1>{});                          // (THR_N,BLK_K)
    Tensor tCgC = local_partition(gC, tC, thread_index());                                         // (THR_M,THR_N)
    Tensor tCrC = make_tensor_like(tCgC);                                                          // (THR_M,THR_N)
    clear(tCrC);

    for (int k = 0; k < size<2>(tAgA); ++k) {
      copy(tAgA(_, _, k), tAsA);
      copy(tBgB(_, _, k), tBsB);
      sync_threads();                                    // CuTe: cp_async_fence, cp_async_wait<0>, __syncthreads
      gemm(tCsA, tCsB, tCrC);
      sync_threads();
    }
    axpby(1.0f, tCrC, 0.0f, tCgC);
  }
};
// [sgemm]

}  // namespace

TEST_CASE("a GEMM in CuTe's words is right and has no hazard", "[cute][kernel]") {
  constexpr int M = 128, N = 96, K = 24;
  std::vector<float> a(M * K), b(N * K), c(M * N, -1.0f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 4);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 5 % 13) - 7);
  DeviceBuffer<float> device_a("A", M * K), device_b("B", N * K), device_c("C", M * N);
  device_a.upload(a.data(), M * K);
  device_b.upload(b.data(), N * K);
  launch(Sgemm{}, M / 64 * (N / 32), SgemmParams{device_a.data(), device_b.data(), device_c.data(), M, N, K});
  for (KernelReport const& report : take_reports()) CHECK(report.hazards.empty());
  device_c.download(c.data(), M * N);
  int wrong = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float want = 0;
      for (int k = 0; k < K; ++k) want += a[std::size_t(m + M * k)] * b[std::size_t(n + N * k)];
      wrong += !(c[std::size_t(m + M * n)] == want);
    }
  }
  CHECK(wrong == 0);
}
