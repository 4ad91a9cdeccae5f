#pragma once
// wgmma of any type on tiles that threads write: what test_wgmma_types launches, and nvcc assembles without a GPU.

#include <tilestep/algorithm/gemm.hpp>    // gemm
#include <tilestep/atom/tiled_mma.hpp>    // make_tiled_mma
#include <tilestep/atom/wgmma.hpp>        // MmaAtom of wgmma, swizzled_tile
#include <tilestep/backend/launch.hpp>    // launch
#include <tilestep/backend/mbarrier.hpp>  // backend_has_hopper, fence_proxy_async
#include <tilestep/cute/hopper.hpp>       // warpgroup_arrive

#include <cstdint>  // std::uint16_t

namespace hopper_test {

using namespace tilestep;

template <int BYTES> struct BitsOf { using type = std::uint16_t; };
template <> struct BitsOf<1> { using type = std::uint8_t; };
template <> struct BitsOf<4> { using type = std::uint32_t; };

/// C += A B of 64 x N x 128 bytes of K, four instructions. C is what each register begins with.
/// @tparam Op  with A in shared memory, or in registers
template <class Op, TileSwizzle SWIZZLE>
struct TypedProduct {
  static constexpr char const* name = "TypedProduct";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 128, N = Op::N, bytes = bits_of(Op::a) / 8, K = 128 / bytes;
  static constexpr bool has_a = requires { Op::major_a; };
  using Bits = typename BitsOf<bytes>::type;
  using Register = typename Op::CRegister;
  static constexpr Major major_a = [] {
    if constexpr (has_a) return Op::major_a;
    else return Major::k;
  }();
  using Shared_SS = SM90_64xN_SS<N, Op::c, Op::a, Op::b, major_a, Op::major_b, Op::saturates>;
  using SmemA = decltype(swizzled_tile<Bits, major_a, SWIZZLE>(Shape<_64, Int<K>>{}));
  using SmemB = decltype(swizzled_tile<Bits, Op::major_b, SWIZZLE>(Shape<Int<N>, Int<K>>{}));
  struct Params {
    Bits const* a;  // (64,K), K contiguous
    Bits const* b;  // (N,K)
    Register before;
    Register* c;  // (thread, register)
  };
  struct Shared {
    alignas(1024) SharedArray<Bits, cosize_v<SmemA>> a;
    alignas(1024) SharedArray<Bits, cosize_v<SmemB>> b;
  };

  template <class TensorT>
  TS_DEVICE static void fill(TensorT const& tile, GlobalPtr<Bits const> rows) {
    for (int i = thread_index(); i < int(size(tile)); i += threads) tile(i / K, i % K) = Bits(rows[i]);
  }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    if constexpr (backend_has_hopper) {
      auto const sA = make_view(shared(memory.a, "sA"), SmemA{});  // (64,K)
      auto const sB = make_view(shared(memory.b, "sB"), SmemB{});  // (N,K)
      fill(sA, global(p.a));
      fill(sB, global(p.b));
      fence_proxy_async();
      sync_threads();  // all have written before the tensor cores read
      auto const mma = make_tiled_mma(Shared_SS{});
      auto const thr_mma = mma.slice(thread_index());
      auto const tCrA = thr_mma.partition_fragment_A(sA);  // (1,1,MMA_K)
      auto const tCrB = thr_mma.partition_fragment_B(sB);  // (1,1,MMA_K)
      auto tCrC = thr_mma.partition_fragment_C(make_identity_tensor(Shape<_64, Int<N>>{}));  // (MMA,1,1)
      auto* const c = reinterpret_cast<Register*>(tCrC.data().get());
      TS_UNROLL
      for (int i = 0; i < Op::c_registers; ++i) __builtin_memcpy(c + i, &p.before, 4);
      // Rows g and g + 8 of the warp's 16, and these 16 bytes further along K.
      [[maybe_unused]] std::uint32_t a[16];
      if constexpr (!has_a) {
        constexpr int each = 4 / bytes;
        TS_UNROLL
        for (int i = 0; i < 16; ++i) {
          int const row = warp_index() * 16 + lane_index() / 4 + i % 2 * 8,
                    column = (i / 4 * 32 + i / 2 % 2 * 16) / bytes + lane_index() % 4 * each;
          Bits some[each];
          for (int j = 0; j < each; ++j) some[j] = global(p.a)[row * K + column + j];
          __builtin_memcpy(a + i, some, 4);
        }
      }
      warpgroup_arrive();
      static_for<4>([&](auto k) TS_INLINE_LAMBDA {
        if constexpr (has_a) gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCrC);
        else wgmma(Op{}, a + 4 * int(k), *tCrB(_, _, k).data(), c, true);
      });
      warpgroup_commit_batch();
      warpgroup_wait<0>();
      TS_UNROLL
      for (int i = 0; i < Op::c_registers; ++i) {
        Register sums;
        __builtin_memcpy(&sums, c + i, 4);
        global(p.c)[thread_index() * Op::c_registers + i] = sums;
      }
    }
  }
};

}  // namespace hopper_test
