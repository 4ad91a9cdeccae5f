#pragma once
// Composable Kernel's words for how a block multiplies on CDNA: the extents of one matrix instruction (XDL), how many
// of them make the tile of a wave, and K1, the elements along K that stand side by side in shared memory. Whoever knows
// CK finds its traits here; whoever does not sees which numbers fit together. A TiledMma is made of them, as in every
// kernel here.

#include <tilestep/block/gemm.hpp>  // blockwise_gemm

namespace tilestep {

/// @tparam MPerXDL_, NPerXDL_          of one matrix instruction: 32 x 32 or 16 x 16
/// @tparam MXdlPerWave_, NXdlPerWave_  instructions of a wave along M and N
/// @tparam K1_                         elements of K that a lane takes together
/// @par Source CK's `BlockwisGemmXdlTraits`
template <int MPerXDL_, int NPerXDL_, int MXdlPerWave_, int NXdlPerWave_, int K1_>
struct XdlTraits {
  static constexpr int MPerXDL = MPerXDL_, NPerXDL = NPerXDL_, MXdlPerWave = MXdlPerWave_, NXdlPerWave = NXdlPerWave_,
                       K1 = K1_;
};

// CK's presets.
template <int K1> using Xdl32x32_4x2PerWave = XdlTraits<32, 32, 4, 2, K1>;
template <int K1> using Xdl32x32_2x4PerWave = XdlTraits<32, 32, 2, 4, K1>;
template <int K1> using Xdl32x32_2x2PerWave = XdlTraits<32, 32, 2, 2, K1>;
using XdlTraits_32x32Xdl_4x2XdlPerWave_4K1 = Xdl32x32_4x2PerWave<4>;
using XdlTraits_32x32Xdl_4x2XdlPerWave_8K1 = Xdl32x32_4x2PerWave<8>;
using XdlTraits_32x32Xdl_4x2XdlPerWave_16K1 = Xdl32x32_4x2PerWave<16>;
using XdlTraits_32x32Xdl_2x4XdlPerWave_4K1 = Xdl32x32_2x4PerWave<4>;
using XdlTraits_32x32Xdl_2x4XdlPerWave_8K1 = Xdl32x32_2x4PerWave<8>;
using XdlTraits_32x32Xdl_2x4XdlPerWave_16K1 = Xdl32x32_2x4PerWave<16>;
using XdlTraits_32x32Xdl_2x2XdlPerWave_4K1 = Xdl32x32_2x2PerWave<4>;
using XdlTraits_32x32Xdl_2x2XdlPerWave_8K1 = Xdl32x32_2x2PerWave<8>;
using XdlTraits_32x32Xdl_2x2XdlPerWave_16K1 = Xdl32x32_2x2PerWave<16>;

namespace detail {

/// The instruction of these extents for operands of type T; NoInstruction where there is none.
struct NoInstruction {
  static constexpr int M = 1, N = 1, K = 1, lanes = 64, a_values = 1;
};
template <class T, int M, int N> struct XdlInstruction { using type = NoInstruction; };
template <> struct XdlInstruction<half_t, 32, 32> { using type = CDNA_32x32x8_F32F16F16F32; };
template <> struct XdlInstruction<half_t, 16, 16> { using type = CDNA_16x16x16_F32F16F16F32; };
template <> struct XdlInstruction<bfloat16_t, 32, 32> { using type = CDNA_32x32x8_F32BF16BF16F32; };
template <> struct XdlInstruction<bfloat16_t, 16, 16> { using type = CDNA_16x16x16_F32BF16BF16F32; };
template <> struct XdlInstruction<float, 32, 32> { using type = CDNA_32x32x2_F32F32F32F32; };
template <> struct XdlInstruction<float, 16, 16> { using type = CDNA_16x16x4_F32F32F32F32; };
template <> struct XdlInstruction<std::int8_t, 32, 32> { using type = CDNA3_32x32x16_I32I8I8I32; };
template <> struct XdlInstruction<std::int8_t, 16, 16> { using type = CDNA3_16x16x32_I32I8I8I32; };

/// Do these numbers fit together? Rule by rule; where one does not hold, nothing that is derived from it compiles.
template <class Op, class Traits, int BlockSize, int MPerBlock, int NPerBlock, int KPerBlock>
struct XdlRules {
  static constexpr int lanes_of_row = Op::lanes / Op::M;
  static constexpr int wave_m = Traits::MPerXDL * Traits::MXdlPerWave, wave_n = Traits::NPerXDL * Traits::NXdlPerWave;
  static_assert(!std::is_same_v<Op, NoInstruction>,
                "XdlGemm: no matrix instruction multiplies MPerXDL x NPerXDL of this type: take 32 x 32 or 16 x 16");
  static_assert(std::is_same_v<Op, NoInstruction> || (Op::M == Traits::MPerXDL && Op::N == Traits::NPerXDL),
                "XdlGemm: the instruction is not MPerXDL x NPerXDL: let the traits name its extents");
  static_assert(MPerBlock % wave_m == 0,
                "XdlGemm: MPerBlock must be a multiple of MPerXDL * MXdlPerWave: widen the tile or give a wave fewer "
                "instructions");
  static_assert(NPerBlock % wave_n == 0,
                "XdlGemm: NPerBlock must be a multiple of NPerXDL * NXdlPerWave: widen the tile or give a wave fewer "
                "instructions");
  static_assert(BlockSize == (MPerBlock / wave_m) * (NPerBlock / wave_n) * Op::lanes,
                "XdlGemm: BlockSize must be 64 threads for each wave that the tile takes: (MPerBlock / MPerXDL / "
                "MXdlPerWave) * (NPerBlock / NPerXDL / NXdlPerWave) waves");
  static_assert(
      Traits::K1 % Op::a_values == 0,
      "XdlGemm: K1 must be a multiple of the elements that a lane gives to one instruction: take a larger K1");
  static_assert(KPerBlock % (Traits::K1 * lanes_of_row) == 0,
                "XdlGemm: KPerBlock must be a multiple of K1 times the lanes that share a row: widen the tile along K "
                "or take a smaller K1");
};

}  // namespace detail

/// A block of BlockSize threads that multiplies tiles of (MPerBlock,KPerBlock) and (NPerBlock,KPerBlock) of type T.
/// @tparam Op  the instruction, where the traits and T do not name the wanted one: gfx90a has other i8 instructions
///     than gfx942
template <class T, class Traits, int BlockSize, int MPerBlock, int NPerBlock, int KPerBlock,
          class Op = typename detail::XdlInstruction<T, Traits::MPerXDL, Traits::NPerXDL>::type>
struct XdlGemm : detail::XdlRules<Op, Traits, BlockSize, MPerBlock, NPerBlock, KPerBlock> {
  /// Waves side by side; the next instruction of a wave lies behind those of all waves.
  using Waves = Layout<Shape<Int<MPerBlock / (Traits::MPerXDL * Traits::MXdlPerWave)>,
                             Int<NPerBlock / (Traits::NPerXDL * Traits::NXdlPerWave)>, _1>>;
  /// A lane takes K1 neighbours, which feed several instructions; A and B have the same order of K, so sums do not
  /// change.
  using OrderOfK = Layout<Shape<Int<Op::a_values>, Int<Op::lanes / Op::M>, Int<Traits::K1 / Op::a_values>>,
                          Stride<_1, Int<Traits::K1>, Int<Op::a_values>>>;
  using Mma = TiledMma<MmaAtom<Op>, Waves, Tile<Underscore, Underscore, OrderOfK>>;
  static constexpr int threads = BlockSize;

  // (K0,BLK_M,K1)
  using TileA = Layout<Shape<Int<KPerBlock / Traits::K1>, Int<MPerBlock>, Int<Traits::K1>>,
                       Stride<Int<MPerBlock * Traits::K1>, Int<Traits::K1>, _1>>;
  // (K0,BLK_N,K1)
  using TileB = Layout<Shape<Int<KPerBlock / Traits::K1>, Int<NPerBlock>, Int<Traits::K1>>,
                       Stride<Int<NPerBlock * Traits::K1>, Int<Traits::K1>, _1>>;
};

/// The registers in which `thread` sums its part of a tile of C. (MMA,MMA_M,MMA_N)
/// @par Source CK's `make_blockwise_gemm_xdl_c_vgpr`
template <class T, class Traits, int BlockSize, int M, int N, int K, class Op>
TS_HOST_DEVICE constexpr auto make_blockwise_gemm_xdl_c_vgpr(XdlGemm<T, Traits, BlockSize, M, N, K, Op> const&) {
  using Mma = typename XdlGemm<T, Traits, BlockSize, M, N, K, Op>::Mma;
  auto const part = Mma::slice(0).partition_C(make_identity_tensor(make_shape(Int<M>{}, Int<N>{})));
  return make_register_tensor<typename Mma::ValC>(part.shape());
}

/// The elements of a tile of C that `thread` sums, in the order of those registers. @param tile (M,N) @return
/// (MMA,MMA_M,MMA_N)
/// @par Source CK's `make_blockwise_gemm_xdl_c_local_partition`
template <class T, class Traits, int BlockSize, int M, int N, int K, class Op, class Thread, class TensorT>
TS_HOST_DEVICE constexpr auto make_blockwise_gemm_xdl_c_local_partition(
    XdlGemm<T, Traits, BlockSize, M, N, K, Op> const&, Thread const& thread, TensorT&& tile) {
  return XdlGemm<T, Traits, BlockSize, M, N, K, Op>::Mma::slice(thread).partition_C(tile);
}

/// C += A B^T for one tile. It does not synchronise.
/// @param sA (M,K) or (K0,M,K1)   @param sB (N,K) or (K0,N,K1)   @param rC make_blockwise_gemm_xdl_c_vgpr
/// @par Source CK's `blockwise_gemm_xdl`
template <class T, class Traits, int BlockSize, int M, int N, int K, class Op, class Thread, class TensorA,
          class TensorB, class TensorC>
TS_INLINE TS_HOST_DEVICE constexpr void blockwise_gemm_xdl(XdlGemm<T, Traits, BlockSize, M, N, K, Op> const&,
                                                           Thread const& thread, TensorA const& sA, TensorB const& sB,
                                                           TensorC& rC) {
  using Read = AutoVectorizingCopyWithAssumedAlignment<128>;
  blockwise_gemm<Read, Read>(typename XdlGemm<T, Traits, BlockSize, M, N, K, Op>::Mma{}, thread, sA, sB, rC);
}

}  // namespace tilestep
