// A kernel that touches its accumulators while wgmma is in flight: the assembler runs one wgmma after the other, and
// says so.

#include "../any/hopper_kernels.hpp"  // TileParams

#include <tilestep/algorithm/fill.hpp>  // clear

namespace hopper_test {

struct TouchedAccumulators {
  static constexpr char const* name = "TouchedAccumulators";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 128;
  using Tile = decltype(swizzled_tile<bfloat16_t, Major::k, TileSwizzle::bytes_128>(Shape<_64, _64>{}));
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, cosize_v<Tile>> a, b;
  };

  TS_DEVICE void operator()(Shared& memory, TileParams const& p) const {
    auto const mma = make_tiled_mma(SM90_64xNx16_SS<64, DType::bf16>{});
    auto const thr_mma = mma.slice(thread_index());
    auto const tCrA = thr_mma.partition_fragment_A(make_view(shared(memory.a, "sA"), Tile{}));  // (1,MMA_M,MMA_K)
    auto const tCrB = thr_mma.partition_fragment_B(make_view(shared(memory.b, "sB"), Tile{}));  // (1,MMA_N,MMA_K)
    auto tCrC = thr_mma.partition_fragment_C(make_identity_tensor(Shape<_64, _64>{}));          // (MMA,MMA_M,MMA_N)
    clear(tCrC);
    wgmma_fence();
    for (int k = 0; k < 4; ++k) {
      gemm(mma, tCrA, tCrB, tCrC);
      wgmma_commit();
      tCrC(_0{}) += p.d[k];
    }
    wgmma_wait<0>();
    static_for<32>([&](auto i) TS_INLINE_LAMBDA { global(p.d)[thread_index() * 32 + i] = tCrC(i); });
  }
};

void launch_touched_accumulators() { launch(TouchedAccumulators{}, 1, TileParams{}); }

}  // namespace hopper_test
