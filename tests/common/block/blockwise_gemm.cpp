// blockwise_gemm and the partition of C that matches its accumulators: shared tiles (M,K) and (K0,M,K1), along K and
// along M and N, sums in f32, f16 and i32, on the instructions of all families.

#include "tile_product.hpp"  // TileProduct, check_product

using namespace tilestep;
using namespace tilestep::test;

namespace {

/// The product as a GemmConfig sets it up.
template <class Op, class BlkTile, class T, Contiguous AlongA, Contiguous AlongB>
Counted product(std::string const& target) {
  using Config = GemmConfig<Op, BlkTile, T, AlongA, AlongB, 1>;
  using Kernel = TileProduct<typename Config::Mma, typename Config::ReadA, typename Config::ReadB,
                             typename Config::SmemA, typename Config::SmemB, BlkTile::m, BlkTile::n, BlkTile::k>;
  return check_product<Kernel, typename Config::Mma, BlkTile::m, BlkTile::n, BlkTile::k>(target);
}

/// The same with both tiles as (K0,M,K1), K1 elements of K side by side and everything else M by M.
template <class Op, class BlkTile, class T, int K1>
void product_k0mk1(std::string const& target) {
  using Config = GemmConfig<Op, BlkTile, T, Contiguous::k, Contiguous::k, 1>;
  using Read = AutoVectorizingCopyWithAssumedAlignment<128>;
  using SmemA =
      Layout<Shape<Int<BlkTile::k / K1>, Int<BlkTile::m>, Int<K1>>, Stride<Int<BlkTile::m * K1>, Int<K1>, _1>>;
  using SmemB = decltype(unmerge<1>(typename Config::SmemB{}, make_shape(Int<BlkTile::k / K1>{}, Int<K1>{}),
                                    make_tuple(_1{}, make_tuple(_0{}, _2{}))));
  using Kernel = TileProduct<typename Config::Mma, Read, Read, SmemA, SmemB, BlkTile::m, BlkTile::n, BlkTile::k>;
  check_product<Kernel, typename Config::Mma, BlkTile::m, BlkTile::n, BlkTile::k>(target);
}

/// A's tile of M rows of K elements, swizzled for this instruction.
template <class Op, int M, int K, int Banks = detail::banks_of<Op>()>
using SwizzledA = typename GemmConfig<Op, BlockTile<M, 64, K, 2, 1>, typename MmaTraits<Op>::ValA, Contiguous::k,
                                      Contiguous::k, 1, Arrangement::swizzled, Banks>::SmemA;
template <class Function, int M, int K>
using Composed = decltype(composition(Function{}, Layout<Shape<Int<M>, Int<K>>, Stride<Int<K>, _1>>{}));

using enum Contiguous;

}  // namespace

TEST_CASE("each thread's registers are the elements of its partition of C, on mma.sync in four layouts", "[block]") {
  using Tile = BlockTile<64, 64, 32, 2, 2>;
  product<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, k, k>("sm80");
  product<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, k, mn>("sm80");
  product<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, mn, k>("sm80");
  product<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, mn, mn>("sm80");
}

TEST_CASE("each thread's registers are the elements of its partition of C, with sums in i32 and in f16", "[block]") {
  product<SM80_16x8x32_S32S8S8S32_TN, BlockTile<64, 64, 64, 2, 2>, std::int8_t, k, k>("sm80");
  product<SM80_16x8x16_F16F16F16F16_TN, BlockTile<64, 32, 32, 2, 1>, half_t, k, k>("sm80");
  product<CDNA3_32x32x16_I32I8I8I32, BlockTile<64, 64, 64, 2, 1>, std::int8_t, k, k>("gfx942");
  product<CDNA4_32x32x32_I32I8I8I32, BlockTile<64, 64, 64, 2, 1>, std::int8_t, k, k>("gfx950");
}

TEST_CASE("each thread's registers are the elements of its partition of C, on MFMA, WMMA and FMA", "[block]") {
  product<CDNA_32x32x8_F32F16F16F32, BlockTile<64, 64, 32, 2, 1>, half_t, k, mn>("gfx942");
  product<CDNA_32x32x2_F32F32F32F32, BlockTile<64, 64, 16, 2, 1>, float, k, k>("gfx950");
  product<RDNA3_16x16x16_F32F16F16F32, BlockTile<64, 32, 32, 2, 2>, half_t, mn, k>("gfx1100");
  product<RDNA4_16x16x16_F32BF16BF16F32, BlockTile<64, 32, 32, 2, 2>, bfloat16_t, k, k>("gfx1201");
  product<UniversalFMA<float>, BlockTile<32, 64, 8, 8, 8>, float, k, k>("sm80");
}

TEST_CASE("each thread's registers are the elements of its partition of C, in f64 on all families", "[block][f64]") {
  using Tile = BlockTile<64, 32, 16, 2, 2>;
  product<SM80_8x8x4_F64F64F64F64_TN, Tile, double, k, k>("sm80");
  product<SM80_8x8x4_F64F64F64F64_TN, Tile, double, mn, mn>("sm80");
  product<SM90_16x8x8_F64F64F64F64_TN, Tile, double, mn, k>("sm90");
  product<SM90_16x8x16_F64F64F64F64_TN, Tile, double, k, mn>("sm90");
  product<CDNA_16x16x4_F64F64F64F64, Tile, double, k, k>("gfx942");
  product<CDNA_16x16x4_F64F64F64F64, Tile, double, k, mn>("gfx90a");
  product<CDNA_4x4x4_F64F64F64F64, Tile, double, k, k>("gfx942");
  product<UniversalFMA<double>, BlockTile<32, 64, 8, 8, 8>, double, k, k>("gfx1100");
}

TEST_CASE("fragments of f64 are read in vectors of 16 bytes where K lies in memory", "[block][f64]") {
  // 2 warps on 64 x 32 x 16: each reads 32 x 16 of A and 32 x 16 of B, 64 f64 in one request.
  using Tile = BlockTile<64, 32, 16, 2, 1>;
  int const loads = 2 * (32 * 16 + 32 * 16) / 64;
  CHECK(product<SM90_16x8x16_F64F64F64F64_TN, Tile, double, k, k>("sm90").shared_loads == loads);
  CHECK(product<SM80_8x8x4_F64F64F64F64_TN, Tile, double, k, k>("sm80").shared_loads == loads);
  CHECK(product<CDNA_16x16x4_F64F64F64F64, Tile, double, k, k>("gfx942").shared_loads == loads / 2);
}

TEST_CASE("blockwise_gemm takes shared tiles as (K0,M,K1)", "[block]") {
  product_k0mk1<CDNA_32x32x8_F32F16F16F32, BlockTile<64, 64, 32, 2, 1>, half_t, 8>("gfx942");
  product_k0mk1<CDNA_32x32x8_F32F16F16F32, BlockTile<64, 64, 32, 2, 1>, half_t, 4>("gfx942");
  product_k0mk1<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 32, 32, 2, 1>, half_t, 8>("sm80");
  product_k0mk1<CDNA2_32x32x8_I32I8I8I32, BlockTile<64, 32, 32, 2, 1>, std::int8_t, 16>("gfx90a");
}

TEST_CASE("one ldmatrix.x4 feeds B of two instructions, transposed or not", "[block]") {
  // 2 x 2 warps on 64 x 64 x 32: each reads 32 x 32 of A and of B, 16 x 16 at a time.
  using Tile = BlockTile<64, 64, 32, 2, 2>;
  int const loads = 4 * (4 + 4);
  CHECK(product<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, k, k>("sm90").shared_loads == loads);
  CHECK(product<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, mn, mn>("sm90").shared_loads == loads);
}

TEST_CASE("blockwise_gemm does not synchronise", "[block]") {
  // the kernel's own
  CHECK(product<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 64, 32, 2, 2>, half_t, k, k>("sm80").barriers == 1);
}

TEST_CASE(
    "a swizzled tile is made for the banks of its instruction's targets: 32, and 64 where the instruction is gfx950's "
    "alone, or where it is asked for",
    "[block]") {
  CHECK(std::is_same_v<SwizzledA<SM80_16x8x16_F32F16F16F32_TN, 64, 32>, Composed<Swizzle<2, 3, 3>, 64, 32>>);
  CHECK(std::is_same_v<SwizzledA<CDNA_32x32x8_F32F16F16F32, 64, 32>, Composed<Swizzle<2, 3, 3>, 64, 32>>);
  CHECK(std::is_same_v<SwizzledA<CDNA_32x32x8_F32F16F16F32, 64, 64>, Composed<Swizzle<3, 3, 3>, 64, 64>>);
  CHECK(std::is_same_v<SwizzledA<CDNA_32x32x8_F32F16F16F32, 64, 128>, Composed<Swizzle<3, 3, 4>, 64, 128>>);
  CHECK(std::is_same_v<SwizzledA<RDNA4_16x16x16_F32F16F16F32, 64, 32>, Composed<Swizzle<2, 3, 3>, 64, 32>>);
  CHECK(std::is_same_v<SwizzledA<CDNA4_32x32x16_F32F16F16F32, 64, 32>, Composed<Swizzle<2, 3, 4>, 64, 32>>);
  CHECK(std::is_same_v<SwizzledA<CDNA4_32x32x16_F32F16F16F32, 64, 64>, Composed<Swizzle<3, 3, 4>, 64, 64>>);
  CHECK(std::is_same_v<SwizzledA<CDNA4_16x16x32_F32F16F16F32, 64, 128>, Composed<Swizzle<4, 3, 4>, 64, 128>>);
  CHECK(std::is_same_v<SwizzledA<CDNA_32x32x2_F32F32F32F32, 64, 16>, Composed<Swizzle<2, 2, 3>, 64, 16>>);
  CHECK(std::is_same_v<SwizzledA<CDNA_32x32x2_F32F32F32F32, 64, 16, 64>, Composed<Swizzle<2, 2, 4>, 64, 16>>);
}
