#pragma once
// A kernel that does nothing but multiply one pair of tiles by all threads of a block, and hands out every thread's
// registers as they are. What they mean is asked of the partition of C, on the host: the same thread must hold the same
// elements.

#include <tilestep/backend/launch.hpp>     // launch
#include <tilestep/backend/runtime.hpp>    // DeviceBuffer, take_reports, set_run_options
#include <tilestep/block/gemm_config.hpp>  // blockwise_gemm, instructions

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <string>  // messages
#include <vector>  // matrices

namespace tilestep::test {

/// @tparam Mma, ReadA, ReadB  as blockwise_gemm takes them
/// @tparam SmemA, SmemB  (M,K) or (K0,M,K1), K of these extents
template <class Mma, class ReadA, class ReadB, class SmemA, class SmemB, int BLK_M, int BLK_N, int BLK_K>
struct TileProduct {
  using In = typename Mma::ValA;
  using Sum = typename Mma::ValC;
  struct Params {
    In const* a;  // (BLK_M,BLK_K) row-major
    In const* b;  // (BLK_N,BLK_K) row-major
    Sum* sums;    // each thread's registers, one thread after the other
  };
  struct Shared {
    SharedArray<In, cosize_v<SmemA>> a;
    SharedArray<In, cosize_v<SmemB>> b;
  };
  static constexpr char const* name = "TileProduct";
  static constexpr int threads = decltype(Mma::size())::value;
  static constexpr int values = BLK_M * BLK_N / threads;

  template <class TensorT>
  TS_DEVICE static void fill(In const* from, TensorT&& to) {
    constexpr int extent = size_v<decltype(typename remove_cvref_t<TensorT>::layout_type{}.shape())> / BLK_K;
    for (int i = thread_index(); i < extent * BLK_K; i += threads) {
      int const mn = i / BLK_K, k = i % BLK_K;
      if constexpr (remove_cvref_t<TensorT>::rank == 3) {
        constexpr int K1 = decltype(size<2>(typename remove_cvref_t<TensorT>::layout_type{}))::value;
        to(k / K1, mn, k % K1) = In(global(from)[i]);
      } else {
        to(mn, k) = In(global(from)[i]);
      }
    }
  }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto sA = make_tensor(shared(memory.a, "sA"), SmemA{});  // (BLK_M,BLK_K) or (K0,BLK_M,K1)
    auto sB = make_tensor(shared(memory.b, "sB"), SmemB{});  // (BLK_N,BLK_K) or (K0,BLK_N,K1)
    fill(p.a, sA);
    fill(p.b, sB);
    auto const mma = Mma::slice(thread_index());
    // (MMA,MMA_M,MMA_N)
    auto rC = mma.partition_fragment_C(make_tensor(global(p.sums), Shape<Int<BLK_M>, Int<BLK_N>>{}));
    clear(rC);
    sync_threads();  // all threads wrote sA and sB before any reads them
    blockwise_gemm<ReadA, ReadB>(Mma{}, thread_index(), sA, sB, rC);
    static_for<values>([&](auto i) { global(p.sums)[thread_index() * values + i.value] = rC(i); });
  }
};

/// What a run counted.
struct Counted {
  std::int64_t shared_loads = 0;
  std::int64_t barriers = 0;
};

/// Runs it on `target` with whole numbers whose sums every type holds exactly, and checks every register of every
/// thread.
template <class Kernel, class Mma, int BLK_M, int BLK_N, int BLK_K>
Counted check_product(std::string const& target) {
  using In = typename Kernel::In;
  using Sum = typename Kernel::Sum;
  set_run_options({.target = target, .schedule = {}, .check = true, .workers = 0});
  std::vector<In> a(BLK_M * BLK_K), b(BLK_N * BLK_K);
  for (int m = 0; m < BLK_M; ++m)
    for (int k = 0; k < BLK_K; ++k) a[std::size_t(m * BLK_K + k)] = In(float((m * 7 + k * 5) % 11 - 4));
  for (int n = 0; n < BLK_N; ++n)
    for (int k = 0; k < BLK_K; ++k) b[std::size_t(n * BLK_K + k)] = In(float((n * 3 + k * 8) % 13 - 7));
  DeviceBuffer<In> device_a("A", BLK_M * BLK_K), device_b("B", BLK_N * BLK_K);
  DeviceBuffer<Sum> device_sums("sums", BLK_M * BLK_N);
  device_a.upload(a.data(), BLK_M * BLK_K);
  device_b.upload(b.data(), BLK_N * BLK_K);
  launch(Kernel{}, 1, typename Kernel::Params{device_a.data(), device_b.data(), device_sums.data()});
  std::vector<Sum> sums(BLK_M * BLK_N);
  device_sums.download(sums.data(), BLK_M * BLK_N);
  auto const report = take_reports().at(0);
  for (auto const& hazard : report.hazards) UNSCOPED_INFO(hazard.kind << ": " << hazard.message);
  CHECK(report.hazards.empty());

  int wrong = 0;
  std::vector<int> held(BLK_M * BLK_N);
  auto const tile = make_identity_tensor(make_shape(Int<BLK_M>{}, Int<BLK_N>{}));        // (BLK_M,BLK_N) -> (m,n)
  for (int thread = 0; thread < Kernel::threads; ++thread) {
    auto const part = Mma::slice(thread).partition_C(tile);                              // (MMA,MMA_M,MMA_N) -> (m,n)
    REQUIRE(int(size(part)) == Kernel::values);
    for (int i = 0; i < Kernel::values; ++i) {
      int const m = int(get<0>(part(i))), n = int(get<1>(part(i)));
      float want = 0;
      for (int k = 0; k < BLK_K; ++k)
        want += float(a[std::size_t(m * BLK_K + k)]) * float(b[std::size_t(n * BLK_K + k)]);
      float const got = float(sums[std::size_t(thread * Kernel::values + i)]);
      ++held[std::size_t(m * BLK_N + n)];
      if (!(got == want) && wrong++ == 0)
        UNSCOPED_INFO("thread " << thread << ", value " << i << " is C(" << m << "," << n << ") = " << got
                                << " and should be " << want);
    }
  }
  CHECK(wrong == 0);
  CHECK(held == std::vector<int>(BLK_M * BLK_N, 1));
  return {report.counters.shared_load_requests, report.counters.barriers};
}

}  // namespace tilestep::test
