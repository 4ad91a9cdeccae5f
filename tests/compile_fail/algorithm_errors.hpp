#pragma once
// What the calls of algorithm_pairs.inc are made of: tensors in host memory and in registers, of any extents.

#include <tilestep/algorithm.hpp>  // what must refuse
#include <tilestep/atom/stmatrix.hpp>  // what must refuse
#include <tilestep/atom/tma.hpp>  // what must refuse
#include <tilestep/atom/wgmma.hpp>  // what must refuse
#include <tilestep/block.hpp>      // what must refuse
#include <tilestep/block/epilogue.hpp>  // what must refuse
#include <tilestep/block/fma_config.hpp>  // what must refuse
#include <tilestep/block/padded.hpp>      // what must refuse
#include <tilestep/block/pipeline.hpp>  // what must refuse
#include <tilestep/block/xdl.hpp>       // what must refuse

#include <tilestep/cute.hpp>             // what must refuse

#define REFUSED(...) static_cast<void>(__VA_ARGS__);

namespace tilestep {

/// A tensor in host memory.
template <class T = float, class... Extent>
auto mem(Extent... extent) { return make_tensor(static_cast<T*>(nullptr), make_shape(extent...)); }
template <class T = float, class S, class D>
auto mem(Layout<S, D> const& layout) { return make_tensor(static_cast<T*>(nullptr), layout); }

/// A tensor in registers.
template <class T = float, class... Extent>
auto reg(Extent... extent) { return make_register_tensor<T>(make_shape(extent...)); }

/// Copies in vectors of four along mode 1.
using Rows4 = VectorAccess<Step<_0, _1>, 1, 4>;
using ByRows = Layout<Shape<_4, _8>, Stride<_8, _1>>;

/// One matrix instruction, and one ldmatrix of four matrices.
template <class A, class B, class C>
void mma(A const& a, B const& b, C&& c) { MmaAtom<SM80_16x8x16_F32F16F16F32_TN>::call(a, b, c); }
/// The product of tiles of so many instructions.
template <int MA, int KA, int NB, int KB, int MC, int NC> void mma_tile() {
  gemm(MmaAtom<SM80_16x8x16_F32F16F16F32_TN>{}, reg<half_t>(_8{}, Int<MA>{}, Int<KA>{}),
       reg<half_t>(_4{}, Int<NB>{}, Int<KB>{}), reg(_4{}, Int<MC>{}, Int<NC>{}));
}
template <class Src, class Dst>
void load4(Src const& src, Dst&& dst) { CopyAtom<SM75_U32x4_LDSM_N, typename Src::value_type>::call(src, dst); }

/// One asynchronous copy of 16 bytes.
template <class Src, class Dst>
void copy16(Src const& src, Dst&& dst) { CopyAtom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>::call(src, dst); }

/// Elements of global and of shared memory.
template <class T, class L>
auto from_global(L const& layout) { return make_view(GlobalPtr<T const>{}, layout); }
template <class T, class L>
auto to_shared(L const& layout) { return make_view(SharedPtr<T>{}, layout); }
/// A tile of two runs of 16 bytes, as this layout has it in shared memory.
template <class L>
void copy_async(L const& layout) {
  copy_if(CopyAtom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, half_t>{}, Always{},
          from_global<half_t>(Layout<Shape<_8, _2>, Stride<_1, _8>>{}), to_shared<half_t>(layout));
}

template <class Src, class Dst>
void load4_trans(Src const& src, Dst&& dst) { CopyAtom<SM75_U16x8_LDSM_T, typename Src::value_type>::call(src, dst); }

/// A complex product, Gauss's, and a dot product of four.
template <class A, class C>
void complex_mma(A const& a, C&& c) { MmaTraits<SM80_8x8x4_C64C64C64C64_TN>::call(a, reg<complex<double>>(_1{}), c); }
template <class C>
void gauss_mma(C&& c) {
  MmaTraits<SM80_8x8x4_GC64C64C64GC64_TN>::call(reg<complex<double>>(_1{}), reg<complex<double>>(_1{}), c);
}
template <class A>
void dot_product(A const& a) {
  auto c = reg<std::int32_t>(_1{});
  MmaTraits<SM61_DP4A>::call(a, reg<std::int8_t>(_4{}), c);
}

/// Eight elements of shared memory.
template <class T>
auto row() { return make_view(SharedPtr<T>{}, Layout<_8>{}); }

/// Four matrices of 8 x 8 to shared memory.
template <class Src, class Dst>
void store4(Src const& src, Dst&& dst) { CopyTraits<SM90_U32x4_STSM_N>::call(src, dst); }

/// A tile for wgmma and TMA, the products of two, and a copy of one.
template <int X, int K, TileSwizzle SWIZZLE = TileSwizzle::bytes_32> auto wgmma_tile() {
  return swizzled_tile<half_t, Major::k, SWIZZLE>(Shape<Int<X>, Int<K>>{});
}
template <class T, int X, int K> auto shared_tile() { return make_view(SharedPtr<T>{}, wgmma_tile<X, K>()); }
template <class TA, int KA, int KB> void wgmma_products() {
  auto const mma = make_tiled_mma(SM90_64xNx16_SS<64, DType::f16>{}).slice(0);
  auto c = mma.partition_fragment_C(make_identity_tensor(Shape<_64, _64>{}));
  gemm(typename decltype(mma)::Atom{}, mma.partition_fragment_A(shared_tile<TA, 64, KA>()),
       mma.partition_fragment_B(shared_tile<half_t, 64, KB>()), c);
}
template <class A, class C> void wgmma_call(A const& a, C&& c) {
  auto const mma = make_tiled_mma(SM90_64xNx16_SS<64, DType::f16>{}).slice(0);
  mma.call(a, mma.partition_fragment_B(shared_tile<half_t, 64, 16>())(_, 0, 0), c);
}
auto wgmma_descriptor() {
  auto const mma = make_tiled_mma(SM90_64xNx16_SS<64, DType::f16>{}).slice(0);
  return mma.partition_fragment_A(shared_tile<half_t, 64, 16>())(_, 0, 0);
}
template <template <class> class Pointer> auto wgmma_fragment() {
  auto const mma = make_tiled_mma(SM90_64xNx16_SS<64, DType::f16>{}).slice(0);
  return mma.partition_fragment_A(make_view(Pointer<half_t>{}, wgmma_tile<64, 16>()));
}
template <int N, DType TC, DType TA, DType TB, Major A = Major::k> auto wgmma_name() {
  return SM90_64xN_SS<N, TC, TA, TB, A>::name;
}
template <class T, int BASE> auto swizzle_name() {
  return swizzle_of<T, decltype(composition(Swizzle<3, BASE, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}))>;
}
template <class TileLayout, int SHARES = 1> auto tma_copy() {
  return TmaCopy<SM90_TMA_LOAD, half_t, TileLayout, SHARES>::get_tma_tensor(Shape<_64, _64, _1>{});
}
template <int ROWS> void tma_boxes() {
  using Copy = TmaCopy<SM90_TMA_LOAD, half_t, decltype(wgmma_tile<64, 16>())>;
  auto const coords = Copy::get_tma_tensor(Shape<_64, _16, _1>{})(_, _, 0);
  copy(typename Copy::Atom{}, Copy::slice().partition(coords),
       Copy::slice().partition(shared_tile<half_t, ROWS, 16>()));
}

/// A block of Threads threads on (M,N,K) by CK's words.
template <class T, int MPerXDL, int NPerXDL, int MXdlPerWave, int NXdlPerWave, int K1, int Threads, int M, int N, int K,
          class... Op>
auto xdl() {
  return XdlGemm<T, XdlTraits<MPerXDL, NPerXDL, MXdlPerWave, NXdlPerWave, K1>, Threads, M, N, K, Op...>{};
}

/// Tiles that travel.
template <Route By, int Stages, Contiguous A = Contiguous::k> auto pipeline() {
  return Pipeline<GemmConfig<CDNA_32x32x8_F32F16F16F32, BlockTile<256, 128, 32, 2, 2>, half_t, A, Contiguous::k, 8,
                             Arrangement::swizzled>,
                  By, Stages, 2, 4>{};
}

/// A tile of 2 x 4 warps for multiply-adds.
template <int M, int N, int Width = 4>
auto fma_tile() { return FmaConfig<BlockTile<M, N, 8, 2, 4>, Contiguous::k, Contiguous::mn, Width>{}; }

/// One warp's sums of 16 x N on their way to C.
template <int N>
void sums_to_memory() {
  using Config = Pipeline<GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<16, N, 32, 1, 1>, half_t, Contiguous::k,
                                     Contiguous::k, 8, Arrangement::swizzled>,
                          Route::async, 2>;
  using Extents = Shape<std::int64_t, std::int64_t, std::int64_t>;
  SumsToMemory<Config>::store(Epilogue<float, half_t, Layout<Extents, Extents>>{}, SharedPtr<float>{},
                              Config::Mma::slice(0).partition_fragment_C(make_identity_tensor(Tile<_16, Int<N>>{})),
                              Extents{});
}

/// Eight elements of 16 bits in one access, to and from registers.
template <class Src>
void load8(Src const& src) { copy(CopyAtom<UniversalCopy<uint128_t>, half_t>{}, src, reg<half_t>(_8{}, _1{})); }
template <class Dst>
void store8(Dst&& dst) { copy(CopyAtom<UniversalCopy<uint128_t>, half_t>{}, reg<half_t>(_8{}, _1{}), dst); }
/// Eight by one elements of global memory, `Step` apart.
template <int Step>
auto apart() { return make_view(GlobalPtr<half_t>{}, Layout<Shape<_8, _1>, Stride<Int<Step>, _0>>{}); }
/// Eight by one elements of shared memory whose offsets are swizzled.
template <int Shift> auto exchanged() {
  return make_view(SharedPtr<half_t>{}, composition(Swizzle<1, 3, Shift>{}, Layout<Shape<_8, _1>, Stride<_1, _0>>{}));
}

}  // namespace tilestep
