#pragma once
// The table of what is compiled: which tiles each instruction has, and their routes. The planner takes one of those
// that compute a problem.

#include "fma_variants.hpp"  // FmaTiles
#include "variants.hpp"      // TilesFor, TileVariant, SkinnyVariant

namespace tilestep::optimized_gemm {

namespace kinds {

// ---- NVIDIA, by mma.sync: rings of stages that cp.async fills ----

template <class P>
using nvidia_16_bits =
    TilesFor<P, TileVariant<BlockTile<128, 256, 32, 2, 4>, Route::async, 4>,
             TileVariant<BlockTile<128, 128, 32, 2, 2, 2>, Route::async, 4>,
             TileVariant<BlockTile<64, 128, 64, 2, 2, 2>, Route::async, 4>>;
template <class P>
using nvidia_16_bits_few =
    TilesFor<P, SkinnyVariant<BlockTile<16, 64, 64, 1, 4, 2>, Route::async, 8>,
             SkinnyVariant<BlockTile<32, 64, 64, 2, 2, 2>, Route::async, 8>,
             SkinnyVariant<BlockTile<64, 64, 128, 2, 2>, Route::async, 5>,
             SkinnyVariant<BlockTile<128, 64, 64, 2, 2>, Route::async, 6>>;
using nvidia_f16 = nvidia_16_bits<Product<SM80_16x8x16_F32F16F16F32_TN, half_t>>;
using nvidia_f16_few = nvidia_16_bits_few<Product<SM80_16x8x16_F32F16F16F32_TN, half_t>>;
using nvidia_f16_sums = TilesFor<Product<SM80_16x8x16_F16F16F16F16_TN, half_t>,
                                 TileVariant<BlockTile<128, 256, 32, 2, 4>, Route::async, 4>>;
using nvidia_bf16 = nvidia_16_bits<Product<SM80_16x8x16_F32BF16BF16F32_TN, bfloat16_t>>;
using nvidia_bf16_few = nvidia_16_bits_few<Product<SM80_16x8x16_F32BF16BF16F32_TN, bfloat16_t>>;
using nvidia_tf32 = TilesFor<Product<SM80_16x8x8_F32TF32TF32F32_TN, float>,
                             TileVariant<BlockTile<128, 256, 16, 2, 4>, Route::async, 4>,
                             TileVariant<BlockTile<128, 128, 16, 2, 2, 2>, Route::async, 4>,
                             TileVariant<BlockTile<64, 128, 32, 2, 2, 2>, Route::async, 4>>;
using nvidia_i8 = TilesFor<Product<SM80_16x8x32_S32S8S8S32_TN, std::int32_t>,
                           TileVariant<BlockTile<128, 256, 64, 2, 4>, Route::async, 4>,
                           TileVariant<BlockTile<128, 128, 64, 2, 2, 2>, Route::async, 4>,
                           TileVariant<BlockTile<64, 128, 128, 2, 2, 2>, Route::async, 4>>;

/// f64: Hopper has an instruction that multiplies four times as much at once. Its parts come before those of nvidia.
/// @tparam Stages, Fragments  of the tile that shares a multiprocessor with another
template <class P, int Stages, int Fragments>
using nvidia_64_bits = TilesFor<P, TileVariant<BlockTile<128, 128, 16, 4, 2>, Route::async, 4>,
                                TileVariant<BlockTile<64, 128, 16, 2, 2, 2>, Route::async, Stages, Fragments>,
                                TileVariant<BlockTile<16, 64, 32, 1, 4, 2>, Route::async, 4>>;
using hopper_f64 = nvidia_64_bits<Product<SM90_16x8x8_F64F64F64F64_TN, double>, 4, 2>;
using nvidia_f64 = nvidia_64_bits<Product<SM80_8x8x4_F64F64F64F64_TN, double>, 3, 1>;

// ---- AMD CDNA, by MFMA: one tile in shared memory, the next in registers ----
// cdna4 is gfx950's own, before cdna: instructions that the others lack, and f32 and f64 on tiles for its 64 banks.

/// Few rows by the second product, whose instruction has 16 of them.
template <class P32, class P16>
using cdna_16_bits = Together<TilesFor<P32, TileVariant<BlockTile<256, 256, 32, 2, 4>, Route::registers, 1>,
                                       TileVariant<BlockTile<256, 128, 32, 2, 2, 2>, Route::registers, 1>,
                                       TileVariant<BlockTile<64, 128, 64, 2, 2, 2>, Route::registers, 1>>,
                              TilesFor<P16, SkinnyVariant<BlockTile<16, 64, 128, 1, 4, 2>, Route::registers, 1>>>;
template <class P> using cdna_one_f32 = TilesFor<P, TileVariant<BlockTile<256, 128, 16, 2, 2, 2>, Route::registers, 1>>;
template <class P>
using cdna_64_bits = TilesFor<P, TileVariant<BlockTile<128, 128, 16, 2, 2, 2>, Route::registers, 1>,
                              TileVariant<BlockTile<16, 64, 32, 1, 4, 2>, Route::registers, 1>>;
template <class P> using cdna_one_i8 = TilesFor<P, TileVariant<BlockTile<256, 128, 64, 2, 2, 2>, Route::registers, 1>>;

using cdna4_f16 =
    cdna_16_bits<Product<CDNA4_32x32x16_F32F16F16F32, half_t>, Product<CDNA4_16x16x32_F32F16F16F32, half_t>>;
using cdna4_bf16 = cdna_16_bits<Product<CDNA4_32x32x16_F32BF16BF16F32, bfloat16_t>,
                                Product<CDNA4_16x16x32_F32BF16BF16F32, bfloat16_t>>;
using cdna4_f64 = cdna_64_bits<Product<CDNA_16x16x4_F64F64F64F64, double, 64>>;
using cdna4_f32 = cdna_one_f32<Product<CDNA_32x32x2_F32F32F32F32, float, 64>>;
using cdna4_i8 = cdna_one_i8<Product<CDNA4_32x32x32_I32I8I8I32, std::int32_t>>;

using cdna_f16 = cdna_16_bits<Product<CDNA_32x32x8_F32F16F16F32, half_t>, Product<CDNA_16x16x16_F32F16F16F32, half_t>>;
using cdna_bf16 = cdna_16_bits<Product<CDNA_32x32x8_F32BF16BF16F32, bfloat16_t>,
                               Product<CDNA_16x16x16_F32BF16BF16F32, bfloat16_t>>;
using cdna_f32 = cdna_one_f32<Product<CDNA_32x32x2_F32F32F32F32, float>>;
using cdna_i8 = Together<cdna_one_i8<Product<CDNA2_32x32x8_I32I8I8I32, std::int32_t>>,
                         cdna_one_i8<Product<CDNA3_32x32x16_I32I8I8I32, std::int32_t>>>;

using cdna_f64 = cdna_64_bits<Product<CDNA_16x16x4_F64F64F64F64, double>>;

// ---- AMD RDNA, by WMMA: the same. On RDNA3 a lane has whole rows, so that fragments of one half fit alone ----

template <class P, int Fragments>
using rdna_16_bits = TilesFor<P, TileVariant<BlockTile<128, 256, 32, 2, 4>, Route::registers, 1, Fragments>,
                              TileVariant<BlockTile<64, 128, 64, 2, 2>, Route::registers, 1, Fragments>,
                              SkinnyVariant<BlockTile<16, 64, 128, 1, 4, 2>, Route::registers, 1, Fragments>>;
template <class P, int Fragments>
using rdna_one_i8 = TilesFor<P, TileVariant<BlockTile<128, 256, 64, 2, 4>, Route::registers, 1, Fragments>>;
using rdna3_f16 = rdna_16_bits<Product<RDNA3_16x16x16_F32F16F16F32, half_t>, 1>;
using rdna3_bf16 = rdna_16_bits<Product<RDNA3_16x16x16_F32BF16BF16F32, bfloat16_t>, 1>;
using rdna3_i8 = rdna_one_i8<Product<RDNA3_16x16x16_I32I8I8I32, std::int32_t>, 1>;
using rdna4_f16 = rdna_16_bits<Product<RDNA4_16x16x16_F32F16F16F32, half_t>, 2>;
using rdna4_bf16 = rdna_16_bits<Product<RDNA4_16x16x16_F32BF16BF16F32, bfloat16_t>, 2>;
using rdna4_i8 = rdna_one_i8<Product<RDNA4_16x16x16_I32I8I8I32, std::int32_t>, 2>;

// ---- f32 by FMA ----

using fma =
    FmaTiles<FmaTileVariant<BlockTile<128, 128, 8, 2, 2, 2>>, FmaTileVariant<BlockTile<64, 64, 8, 2, 2, 4>>,
             FmaTileVariant<BlockTile<64, 64, 32, 2, 2, 4>>, FmaTileVariant<BlockTile<32, 64, 16, 1, 2, 8>>,
             FmaTileVariant<BlockTile<8, 128, 16, 1, 1, 12>>>;

}  // namespace kinds

template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return Kind::choices(call);
}

}  // namespace tilestep::optimized_gemm
