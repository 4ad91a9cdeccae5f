// Deliberate bugs of CUTracer's tests (facebookresearch/CUTracer, tests/datarace_test and tests/hang_test) in Hopper's
// warp-specialised GEMM, where A and B have mbarriers of their own, and one of Blackwell's flash attention, with shared
// memory in the place of tensor memory.

#include "../hopper_problems.hpp"  // matrix_tile
#include "case.hpp"                // Case

namespace public_sets {

namespace {

using namespace hopper_test;

enum class Wrong { nothing, late_wait_for_a, no_wait_for_b, never_releases_b, no_zeros };

struct GemmMaps {
  TensorMap a, b;
  float* d;  // (thread, value)
  int k_tiles;
};

// A producer and one warpgroup of consumers; 64 x 64 x 64, two stages. no_zeros is of MLC's list: the first product
// adds to what nobody wrote.
template <Wrong WRONG>
struct SpecialisedGemm {
  static constexpr char const* name = "SpecialisedGemm";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 256, stages = 2, tile = 64 * 64;
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, stages * tile> a;
    alignas(1024) SharedArray<std::uint16_t, stages * tile> b;
    SharedArray<Mbarrier, stages> full_a, empty_a, full_b, empty_b;
  };
  TS_DEVICE void operator()(Shared& memory, GemmMaps const& p) const {
    if constexpr (backend_has_hopper) {
      auto const sA = shared(memory.a, "sA"), sB = shared(memory.b, "sB");
      auto const full_a = shared(memory.full_a, "full_a"), empty_a = shared(memory.empty_a, "empty_a"),
                 full_b = shared(memory.full_b, "full_b"), empty_b = shared(memory.empty_b, "empty_b");
      if (thread_index() == 0) {
        for (int i = 0; i < stages; ++i) {
          mbarrier_init(full_a + i, 1);
          mbarrier_init(full_b + i, 1);
          mbarrier_init(empty_a + i, 128);
          mbarrier_init(empty_b + i, 128);
        }
        fence_mbarrier_init();
      }
      sync_threads();  // the mbarriers are made before anybody waits
      int stage = 0, parity = 0;
      if (warpgroup_index() == 0) {
        if (thread_index() != 0) return;
        for (int k = 0; k < p.k_tiles; ++k) {
          mbarrier_wait(empty_a + stage, parity ^ 1);
          mbarrier_arrive_expect(full_a + stage, tile * 2);
          tma_load(sA + stage * tile, p.a, full_a + stage, k * 64, 0);
          mbarrier_wait(empty_b + stage, parity ^ 1);
          mbarrier_arrive_expect(full_b + stage, tile * 2);
          tma_load(sB + stage * tile, p.b, full_b + stage, k * 64, 0);
          if (++stage == stages) stage = 0, parity ^= 1;
        }
        return;
      }
      using Smem = decltype(swizzled_tile<bfloat16_t, Major::k, TileSwizzle::bytes_128>(
          Shape<Int<64>, Int<64>, Int<stages>>{}));
      auto mma = make_tiled_mma(SM90_64xNx16_SS<64, DType::bf16>{});
      auto const thr_mma = mma.slice(thread_index() % 128);
      auto const tCrA = thr_mma.partition_fragment_A(make_view(sA, Smem{}));  // (1,MMA_M,MMA_K,PIPE)
      auto const tCrB = thr_mma.partition_fragment_B(make_view(sB, Smem{}));  // (1,MMA_N,MMA_K,PIPE)
      auto tCrC = thr_mma.partition_fragment_C(make_identity_tensor(Shape<_64, _64>{}));  // (MMA,MMA_M,MMA_N)
      for (int k = 0; k < p.k_tiles; ++k) {
        if constexpr (WRONG != Wrong::late_wait_for_a) mbarrier_wait(full_a + stage, parity);
        if constexpr (WRONG != Wrong::no_wait_for_b) mbarrier_wait(full_b + stage, parity);
        wgmma_fence();
        mma.accumulate_ = k > 0 || WRONG == Wrong::no_zeros ? ScaleOut::One : ScaleOut::Zero;
        static_for<4>([&](auto i) TS_INLINE_LAMBDA {
          gemm(mma, tCrA(_, _, i, stage), tCrB(_, _, i, stage), tCrC);
          mma.accumulate_ = ScaleOut::One;
        });
        wgmma_commit();
        wgmma_wait<0>();
        if constexpr (WRONG == Wrong::late_wait_for_a) mbarrier_wait(full_a + stage, parity);
        mbarrier_arrive(empty_a + stage);
        if constexpr (WRONG != Wrong::never_releases_b) mbarrier_arrive(empty_b + stage);
        if (++stage == stages) stage = 0, parity ^= 1;
      }
      static_for<32>(
          [&](auto i) TS_INLINE_LAMBDA { global(p.d)[thread_index() % 128 * 32 + i.value] = tCrC(i); });
    }
  }
};

// The first k tile of A is 1, the second 2 ..; B is 1. The sum does not depend on the layout.
template <Wrong WRONG>
Case on_gemm(std::string set, Label label) {
  return {std::move(set), std::move(label), [] {
            constexpr int k_tiles = 5, k = 64 * k_tiles;
            Bits a(64 * k), b(64 * k);
            for (int i = 0; i < 64 * k; ++i) {
              a[std::size_t(i)] = bfloat16_t(float(1 + i % k / 64)).bits;
              b[std::size_t(i)] = bfloat16_t(1.0f).bits;
            }
            DeviceBuffer<std::uint16_t> device_a("A", 64 * k), device_b("B", 64 * k);
            DeviceBuffer<float> d("d", 64 * 64);
            device_a.upload(a.data(), 64 * k);
            device_b.upload(b.data(), 64 * k);
            GemmMaps maps;
            maps.a = make_tensor_map(matrix_tile(device_a.data(), 64, k, 64, 64, TileSwizzle::bytes_128));
            maps.b = make_tensor_map(matrix_tile(device_b.data(), 64, k, 64, 64, TileSwizzle::bytes_128));
            maps.d = d.data();
            maps.k_tiles = k_tiles;
            launch(SpecialisedGemm<WRONG>{}, 1, maps);
            synchronize();
            std::vector<float> left(64 * 64);
            d.download(left.data(), 64 * 64);
            return left == std::vector<float>(64 * 64, 64.0f * k_tiles * (k_tiles + 1) / 2);
          }};
}

// datarace_test/blackwell-fa-ws: two rows share a buffer that the readers give back after the first row (EARLY) or
// after both.
template <bool EARLY>
struct SharedStorage {
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 256;
  struct Shared {
    SharedArray<int, 256> rows;
    SharedArray<Mbarrier, 1> full, empty;
  };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    if constexpr (backend_has_hopper) {
      constexpr int turns = 3;
      auto const rows = shared(memory.rows, "rows");
      auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
      if (thread_index() == 0) {
        mbarrier_init(full, 128);
        mbarrier_init(empty, 128);
        fence_mbarrier_init();
      }
      sync_threads();  // the mbarriers are made before anybody waits
      int const t = thread_index() % 128;
      int sum = 0;
      for (int turn = 0; turn < turns; ++turn) {
        if (warpgroup_index() == 0) {
          mbarrier_wait(empty, turn % 2 ^ 1);
          rows[t] = int(global(p.in)[t]) + turn;
          rows[128 + t] = turn;
          mbarrier_arrive(full);
        } else {
          mbarrier_wait(full, turn % 2);
          sum += rows[127 - t];
          if constexpr (EARLY) mbarrier_arrive(empty);
          sum += rows[128 + 127 - t];
          if constexpr (!EARLY) mbarrier_arrive(empty);
        }
      }
      if (warpgroup_index() == 1) global(p.out)[t] = sum;
    }
  }
};

// tests/vectoradd_smem: through shared memory, each thread its own element.
struct VectorAdd {
  static constexpr int threads = 32;
  struct Shared { SharedArray<int, threads> a, b; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const a = shared(memory.a, "a"), b = shared(memory.b, "b");
    int const t = thread_index();
    std::int64_t const i = block_index() * threads + t;
    a[t] = int(global(p.in)[i]);
    b[t] = int(global(p.out)[i]);
    sync_threads();
    global(p.out)[i] = int(a[t]) + int(b[t]);
  }
};

}  // namespace

std::vector<Case> cutracer_cases() {
  std::string const set = "CUTracer", early = "copy in flight|race",
                    hopper = "datarace_test/hopper-gemm-ws_data_race_test.py",
                    attention = "datarace_test/blackwell-fa-ws_data_race_test.py";
  auto const sums = [](Values const& in, Values const&) {
    Values out(128);
    for (std::size_t t = 0; t < 128; ++t) out[t] = 3 * in[127 - t] + 6;
    return out;
  };
  auto const added = [](Values const& in, Values const& out) {
    Values left = out;
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += in[i];
    return left;
  };
  return {
      on_gemm<Wrong::nothing>(set, {"GEMM", hopper, "", "sm90"}),
      on_gemm<Wrong::late_wait_for_a>(set, {"GEMM, waits for A late", hopper, early, "sm90"}),
      on_gemm<Wrong::no_wait_for_b>(set, {"GEMM, no wait for B", hopper, early, "sm90"}),
      on_gemm<Wrong::never_releases_b>(
          set, {"GEMM, B is not released", "hang_test/hopper_matmul_kernel_tlx_ws.py", "deadlock", "sm90"}),
      on_gemm<Wrong::no_zeros>("MLC", {"NaN: sums without zeros", "Wrong Results", "register never written", "sm90"}),
      on_ints<SharedStorage<true>>(set, {"attention, released early", attention, "race", "sm90"}, 1, 128, 128),
      on_ints<SharedStorage<false>>(set, {"attention", "twin of " + attention, "", "sm90"}, 1, 128, 128, sums),
      on_ints<VectorAdd>(set, {"vector sum", "vectoradd_smem/vectoradd_smem.cu", ""}, 2, 64, 64, added),
  };
}

}  // namespace public_sets
