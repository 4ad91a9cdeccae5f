#pragma once
// The GEMM of Composable Kernel's wrapper tutorial, step by step in its order, with padded tensors and CK's functions.
// docs/from_ck.md shows these lines.

#include <tilestep/backend/launch.hpp>  // global, shared, thread_index
#include <tilestep/block/coord.hpp>     // block_coord
#include <tilestep/block/padded.hpp>    // pad of a tensor
#include <tilestep/block/xdl.hpp>       // XdlGemm, blockwise_gemm_xdl

#include <type_traits>  // std::conditional_t

namespace ck_test {

using namespace tilestep;

template <class T, class Sum> struct CkParams {
  T const* a;  // (M,K), K contiguous
  T const* b;  // (N,K), K contiguous
  Sum* c;      // (M,N), N contiguous
  int m, n, k;
};

/// @tparam ScalarPerVector  elements of K in one access of global memory
/// @tparam K0MK1            whether shared tiles are (K0,M,K1), as CK's optimized example has them, or (M,K)
template <class T, class Traits, int BlockSize, int MPerBlock, int NPerBlock, int KPerBlock, int ScalarPerVector,
          bool K0MK1>
struct CkGemm {
  // [traits]
  using Gemm = XdlGemm<T, Traits, BlockSize, MPerBlock, NPerBlock, KPerBlock>;
  // [traits]
  using Sum = typename Gemm::Mma::ValC;
  using Params = CkParams<T, Sum>;
  static constexpr char const* name = "CkGemm";
  static constexpr int threads = BlockSize;
  static constexpr auto tile_shape = Shape<Int<MPerBlock>, Int<NPerBlock>, Int<KPerBlock>>{};

  // [lds]
  // (M,K) by rows; or CK's (K0,M,K1), seen as (M,(K1,K0)).
  using RowsA = Layout<Shape<Int<MPerBlock>, Int<KPerBlock>>, Stride<Int<KPerBlock>, _1>>;
  using RowsB = Layout<Shape<Int<NPerBlock>, Int<KPerBlock>>, Stride<Int<KPerBlock>, _1>>;
  using LdsA = std::conditional_t<K0MK1, typename Gemm::TileA, RowsA>;
  using LdsB = std::conditional_t<K0MK1, typename Gemm::TileB, RowsB>;
  struct Shared {
    SharedArray<T, cosize_v<LdsA>> a;
    SharedArray<T, cosize_v<LdsB>> b;
  };
  // [lds]

  TS_HOST_DEVICE static auto grid(Params const& p) {
    return make_shape(ceil_div(p.m, Int<MPerBlock>{}), ceil_div(p.n, Int<NPerBlock>{}));
  }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    // [pad]
    // Tensors over global memory, each rounded up to whole tiles: past the end they read 0 and drop what is written.
    auto const a_layout = make_layout(make_shape(p.m, p.k), make_stride(p.k, _1{}));
    auto const b_layout = make_layout(make_shape(p.n, p.k), make_stride(p.k, _1{}));
    auto const c_layout = make_layout(make_shape(p.m, p.n), make_stride(p.n, _1{}));
    auto a_global = pad(make_tensor(global(p.a), a_layout), Tile<Int<MPerBlock>, Int<KPerBlock>>{});  // (M,K)
    auto b_global = pad(make_tensor(global(p.b), b_layout), Tile<Int<NPerBlock>, Int<KPerBlock>>{});  // (N,K)
    auto c_global = pad(make_tensor(global(p.c), c_layout), Tile<Int<MPerBlock>, Int<NPerBlock>>{});  // (M,N)
    // [pad]

    // [tiles]
    auto const [m, n] = block_coord(grid(p));
    auto const block = make_coord(m, n, _);
    auto a_tiles = local_tile(a_global, tile_shape, block, Step<_1, X, _1>{});  // (MPerBlock,KPerBlock,k)
    auto b_tiles = local_tile(b_global, tile_shape, block, Step<X, _1, _1>{});  // (NPerBlock,KPerBlock,k)
    auto c_tile = local_tile(c_global, tile_shape, block, Step<_1, _1, X>{});  // (MPerBlock,NPerBlock)
    // [tiles]

    // [registers]
    auto c_vgpr = make_blockwise_gemm_xdl_c_vgpr(Gemm{});  // (MMA,MMA_M,MMA_N)
    auto c_part = make_blockwise_gemm_xdl_c_local_partition(Gemm{}, thread_index(), c_tile);  // (MMA,MMA_M,MMA_N)
    clear(c_vgpr);
    // [registers]

    // [loop]
    auto a_lds = make_tensor(shared(memory.a, "a_lds"), LdsA{});  // (MPerBlock,KPerBlock) or (K0,MPerBlock,K1)
    auto b_lds = make_tensor(shared(memory.b, "b_lds"), LdsB{});  // (NPerBlock,KPerBlock) or (K0,NPerBlock,K1)
    for (int k = 0; k < int(size<2>(a_tiles)); ++k) {
      blockwise_copy(a_tiles(_, _, k), a_lds);
      blockwise_copy(b_tiles(_, _, k), b_lds);
      sync_threads();  // all threads wrote a_lds and b_lds before any reads them
      blockwise_gemm_xdl(Gemm{}, thread_index(), a_lds, b_lds, c_vgpr);
      sync_threads();  // all threads read a_lds and b_lds before any overwrites them
    }
    copy(c_vgpr, c_part);
    // [loop]
  }

  /// Copy a tile by all threads of the block, each a run of its elements. It does not synchronise.
  /// @param src (MN,K)   @param dst (MN,K) or (K0,MN,K1)
  template <class Src, class Dst> TS_DEVICE static void blockwise_copy(Src const& src, Dst const& dst) {
    // [copy]
    using ThreadLayout = Layout<Shape<Int<BlockSize / 4>, _4>, Stride<_4, _1>>;  // (MN,K) -> thread
    using Access = VectorAccess<Step<_0, _1>, 1, ScalarPerVector>;  // order, vector_dim, scalars
    copy(Access{}, packed_partition(src, ThreadLayout{}, thread_index()),
         packed_partition(as_rows(dst), ThreadLayout{}, thread_index()));
    // [copy]
  }
  /// (K0,MN,K1) as (MN,K): one access has K1 neighbours at most.
  template <class TensorT> TS_DEVICE static auto as_rows(TensorT const& t) {
    if constexpr (K0MK1) return detail::as_mk(t);
    else return t;
  }
};

}  // namespace ck_test
