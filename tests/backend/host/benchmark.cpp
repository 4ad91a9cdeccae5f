// How fast the virtual GPU is: a naive and a register-tiled f32 GEMM, with all checks and without, on one worker and on
// all.
// usage: benchmark_virtual_gpu [extent = 256]

#include <tilestep/backend/kernel.hpp>   // the words of kernels
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/pointer.hpp>  // global, shared, load_if
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports

#include <algorithm>  // std::sort
#include <cstdio>     // std::printf
#include <cstdlib>    // std::atoi
#include <ctime>      // std::clock: of all threads
#include <thread>     // std::thread::hardware_concurrency
#include <vector>     // std::vector

using namespace tilestep;

namespace {

struct Params {
  float const* a;  // (M,K), K contiguous
  float const* b;  // (K,N), N contiguous
  float* c;        // (M,N), N contiguous
  int m, n, k;
};

/// One element of C a thread, operands from global memory.
struct NaiveGemm {
  static constexpr int threads = 256;
  using Shared = NoShared;
  void operator()(Shared&, Params const& p) const {
    auto const a = global(p.a);
    auto const b = global(p.b);
    std::int64_t const i = block_index() * threads + thread_index();
    std::int64_t const m = i / p.n, n = i % p.n;
    if (m >= p.m) return;
    float sum = 0;
    for (int k = 0; k < p.k; ++k) sum = fma(a[m * p.k + k], b[std::int64_t(k) * p.n + n], sum);
    global(p.c)[i] = sum;
  }
};

/// 64 x 64 tiles of C, 4 x 4 elements a thread, operands through shared memory, every access a scalar.
struct TiledGemm {
  static constexpr int threads = 256, BLK_M = 64, BLK_N = 64, BLK_K = 16;
  struct Shared {
    SharedArray<float, BLK_M * BLK_K> a;
    SharedArray<float, BLK_N * BLK_K> b;
  };
  void operator()(Shared& memory, Params const& p) const {
    auto const a = global(p.a);
    auto const b = global(p.b);
    auto const c = global(p.c);
    auto const sA = shared(memory.a, "sA");
    auto const sB = shared(memory.b, "sB");
    int const tiles_n = (p.n + BLK_N - 1) / BLK_N, t = thread_index();
    std::int64_t const block_m = block_index() / tiles_n * BLK_M, block_n = block_index() % tiles_n * BLK_N;
    int const thr_m = t / 16 * 4, thr_n = t % 16 * 4;
    float sum[4][4] = {};
    for (std::int64_t block_k = 0; block_k < p.k; block_k += BLK_K) {
      for (int i = t; i < BLK_M * BLK_K; i += threads) {
        std::int64_t const m = block_m + i / BLK_K, k = block_k + i % BLK_K;
        float r[1] = {};
        load_if<1>(a + (m * p.k + k), r, m < p.m && k < p.k);
        sA[i % BLK_K * BLK_M + i / BLK_K] = r[0];
      }
      for (int i = t; i < BLK_N * BLK_K; i += threads) {
        std::int64_t const n = block_n + i % BLK_N, k = block_k + i / BLK_N;
        float r[1] = {};
        load_if<1>(b + (k * p.n + n), r, n < p.n && k < p.k);
        sB[i] = r[0];
      }
      sync_threads();  // all threads wrote sA and sB before any reads them
      for (int k = 0; k < BLK_K; ++k) {
        float rA[4], rB[4];
        for (int i = 0; i < 4; ++i) {
          rA[i] = sA[k * BLK_M + thr_m + i];
          rB[i] = sB[k * BLK_N + thr_n + i];
        }
        for (int i = 0; i < 4; ++i) {
          for (int j = 0; j < 4; ++j) sum[i][j] = fma(rA[i], rB[j], sum[i][j]);
        }
      }
      sync_threads();  // all threads read sA and sB before any overwrites them
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        std::int64_t const m = block_m + thr_m + i, n = block_n + thr_n + j;
        store_if<1>(c + (m * p.n + n), &sum[i][j], m < p.m && n < p.n);
      }
    }
  }
};

/// Nothing but barriers.
struct Barriers {
  static constexpr int threads = 256;
  using Shared = NoShared;
  void operator()(Shared&, Params const& p) const {
    for (int k = 0; k < p.k; ++k) sync_threads();
  }
};

template <class Kernel>
void measure(char const* name, Kernel const& kernel, std::int64_t blocks, Params const& params) {
  int const cores = int(std::max(1u, std::thread::hardware_concurrency()));
  for (bool const check : {true, false}) {
    for (int const workers : {1, cores}) {
      set_run_options(RunOptions{"sm80", {}, check, workers});
      std::vector<double> wall, cpu;
      for (int repeat = 0; repeat < 7; ++repeat) {
        std::clock_t const start = std::clock();
        launch(kernel, blocks, params);
        cpu.push_back(double(std::clock() - start) / CLOCKS_PER_SEC * 1e3);
        KernelReport const report = take_reports().at(0);
        wall.push_back(report.seconds * 1e3);
        if (!report.hazards.empty()) std::printf("%s\n", report.hazards[0].message.c_str());
      }
      std::sort(wall.begin(), wall.end());
      std::sort(cpu.begin(), cpu.end());
      std::printf("%-12s check %-3s  workers %2d  median %8.1f ms  best %8.1f ms  cpu %8.1f ms\n", name,
                  check ? "on" : "off", workers, wall[3], wall[0], cpu[3]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  int const n = argc > 1 ? std::atoi(argv[1]) : 256;
  std::vector<float> ones(std::size_t(n) * std::size_t(n), 1.0f);
  DeviceBuffer<float> a("A", std::int64_t(n) * n), b("B", std::int64_t(n) * n), c("C", std::int64_t(n) * n);
  a.upload(ones.data(), a.size());
  b.upload(ones.data(), b.size());
  Params const params{a.data(), b.data(), c.data(), n, n, n};
  std::int64_t const tiles = (n + 63) / 64;
  std::printf("%d x %d x %d, f32\n", n, n, n);
  measure("naive", NaiveGemm{}, (std::int64_t(n) * n + 255) / 256, params);
  measure("tiled 64x64", TiledGemm{}, tiles * tiles, params);
  measure("barriers", Barriers{}, 16, params);
}
