#pragma once
// How a tile gets from global to shared memory while others are multiplied. Hardware offers several routes: through a
// thread's registers, or past them. A kernel issues a tile's copies by `fetch`, goes on, and calls `land` when the tile
// must be in shared memory. In between it multiplies, half a tile after the other.

#include <tilestep/backend/async.hpp>      // async_commit, async_wait
#include <tilestep/backend/order.hpp>      // issue_in_order
#include <tilestep/block/copy.hpp>         // copies by atoms
#include <tilestep/block/gemm.hpp>         // read_fragment
#include <tilestep/block/gemm_config.hpp>  // GemmConfig

namespace tilestep {

// [routes]
/// How a tile gets from global to shared memory: `fetch` begins it, `land` completes it.
///   async       NVIDIA: each thread's copies bypass the registers; it waits until at most N groups of copies are in
///   flight
///   registers   `fetch` loads it into registers, `land` stores it to shared memory
///   async_warp  AMD CDNA: a warp's loads bypass the registers; it waits until at most N loads are in flight
enum class Route { async, registers, async_warp };
// [routes]

namespace detail {
/// The instruction that copies so many bytes on a route.
template <Route By, int Bytes>
using RouteCopy = std::conditional_t<
    By == Route::async, SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>,
    std::conditional_t<By == Route::async_warp,
                       CDNA_BUFFER_LOAD_LDS<std::conditional_t<Bytes == 16, uint128_t, std::uint32_t>>,
                       ZeroFillCopy<8 * Bytes>>>;
}  // namespace detail

/// A GemmConfig with a pipeline of tiles.
/// @tparam Stages  tiles in shared memory
/// @tparam Fragments  2: one half of a tile is read while the other is multiplied; 1: before it is
/// @tparam Bytes   that a thread copies at once
template <class Config, Route By, int Stages, int Fragments = 2, int Bytes = 16>
struct Pipeline : Config {
  static constexpr Route route = By;
  static constexpr int stages = Stages, fragments = Fragments;
  static constexpr bool asynchronous = By != Route::registers;  ///< past the registers
  static constexpr int ahead = asynchronous ? Stages - 1 : 1;  ///< tiles in flight while one is multiplied
  static_assert(By == Route::registers || Stages >= 2,
                "Pipeline: a tile that goes straight to shared memory needs a place while another is read: take two "
                "stages at least");
  static_assert(By != Route::async_warp || (Config::along_a == Contiguous::k && Config::along_b == Contiguous::k),
                "Pipeline: the lanes of a warp write side by side, which are lines of a tile along K: repack an "
                "operand that lies along M or N");

  static constexpr int elements_at_once = Bytes / int(sizeof(typename Config::In));  ///< that a thread copies
  template <Contiguous Along, class BlkMN>
  using Copy = decltype(detail::tile_copy<Along, elements_at_once, typename Config::In, Config::threads, BlkMN::value,
                                          Config::BlkK::value, detail::RouteCopy<By, Bytes>>());
  using CopyA = Copy<Config::along_a, typename Config::BlkM>;
  using CopyB = Copy<Config::along_b, typename Config::BlkN>;
  /// of a thread for a tile
  static constexpr int copies = (Config::BlkM::value + Config::BlkN::value) * Config::BlkK::value / elements_at_once /
                                Config::threads;

  /// Whose part of a tile this thread copies. The lanes of a warp's copy write side by side, so what a swizzle would
  /// exchange in shared memory is exchanged among the threads that read.
  TS_HOST_DEVICE static int copier(int thread) {
    if constexpr (By != Route::async_warp) return thread;
    else
      return decltype(std::declval<typename Config::SmemA>().layout_a()){}(thread * elements_at_once) /
             elements_at_once;
  }

  /// Waits until this thread's part of a tile has arrived. @param full  whether as many newer tiles are in flight as
  /// the stages allow
  TS_INLINE TS_DEVICE static void wait(bool full) {
    if constexpr (asynchronous && Stages > 2) {
      if (full) async_wait<Stages - 2, copies>();
      else async_wait<0>();
    } else if constexpr (asynchronous) {
      async_wait<0>();
    }
  }
};

/// One thread's copies of the tiles of one operand. Through registers, vectors stay whole unless their elements are
/// rounded: the compiler would unpack 16-bit elements in one pass of the loop and pack them again in the next.
/// @tparam Copy  a TiledCopy   @tparam Part (CPY,CPY_MN,CPY_K), of a tile in global memory
template <Route By, class Copy, class Part>
struct TileLoader {
  using T = typename Part::value_type;
  static constexpr int vec = decltype(size<0>(std::declval<Part>()))::value,
                       vectors = decltype(size(std::declval<Part>()))::value / vec;
  T held[By == Route::registers ? vectors : 1][vec];  ///< between `fetch` and `land`

  /// Issues the copy of the R-th of a thread's vectors of a tile; does nothing where there is no R-th.
  /// @param pred  which vectors exist; zeros stand for the others   @param src in global memory
  /// @param dst in shared memory
  template <int R, class Pred, class Src, class Dst>
  TS_INLINE TS_DEVICE void fetch_vector(Int<R>, Pred const& pred, Src const& src, Dst&& dst) {
    if constexpr (R >= 0 && R < vectors && By == Route::registers) {
      auto const s = group_modes<1, Src::rank>(make_view(src.data(), src.layout()));            // (CPY,rest)
      detail::read_vector<ZeroFillCopy<vec * sizeof_bits_v<T>>, vec>(s, make_coord(Int<0>{}, Int<R>{}), held[R],
                                                                     detail::predicate(pred, Int<R * vec>{}));
    } else if constexpr (R >= 0 && R < vectors) {
      copy_vector<R>(Copy{}, pred, src, dst);
    }
  }
  /// Issues all of them.
  template <class Pred, class Src, class Dst>
  TS_INLINE TS_DEVICE void fetch(Pred const& pred, Src const& src, Dst&& dst) {
    static_for<vectors>([&](auto r) TS_INLINE_LAMBDA { fetch_vector(r, pred, src, dst); });
  }
  /// Stores to shared memory what came through registers.
  template <class Dst>
  TS_INLINE TS_DEVICE void land(Dst&& dst) {
    if constexpr (By == Route::registers) {
      using Out = typename remove_cvref_t<Dst>::value_type;
      auto const d = group_modes<1, remove_cvref_t<Dst>::rank>(make_view(dst.data(), dst.layout()));  // (CPY,rest)
      unroll<vectors>([&](auto r) {
        if constexpr (std::is_same_v<T, Out>) {
          detail::write_vector<vec>(d, make_coord(Int<0>{}, r), held[r], true);
        } else {
          Out out[vec];
          unroll<vec>([&](auto v) { out[v] = static_cast<Out>(held[r][v]); });
          detail::write_vector<vec>(d, make_coord(Int<0>{}, r), out, true);
        }
      });
    }
  }
};
template <Route By, class Copy, class Part>
TS_HOST_DEVICE auto tile_loader(Copy const&, Part const&) { return TileLoader<By, Copy, Part>{}; }

/// Places of equal tiles in shared memory: tile t takes the one that tile t - Stages had. @param tile 0, 1, 2, ..
/// @return (MN,K)
template <int Stages, class Ptr, class L>
struct Ring {
  Ptr first;
  TS_HOST_DEVICE auto operator()(int tile) const {
    return make_tensor(first + (Stages == 1 ? 0 : int(unsigned(tile) % unsigned(Stages)) * int(cosize_v<L>)), L{});
  }
};
template <int Stages, class Ptr, class L>
TS_HOST_DEVICE auto make_ring(Ptr first, L const&) { return Ring<Stages, Ptr, L>{first}; }

namespace detail {
/// A thread's fragments for half a tile along K.
template <class Config>
struct HalfTile {
  using Mma = typename Config::Mma;
  using K = Int<Config::BlkK::value / 2>;
  // (MMA,MMA_M,MMA_K)
  decltype(Mma::slice(0).partition_fragment_A(make_identity_tensor(make_shape(typename Config::BlkM{}, K{})))) a;
  // (MMA,MMA_N,MMA_K)
  decltype(Mma::slice(0).partition_fragment_B(make_identity_tensor(make_shape(typename Config::BlkN{}, K{})))) b;
  // MMA_M, MMA_N, MMA_K, and their product
  static constexpr int rows = decltype(size<1>(a))::value, columns = decltype(size<1>(b))::value,
                       steps = decltype(size<2>(a))::value, products = rows * columns * steps;

  /// @param half  _0 or _1   @param sA (BLK_M,BLK_K)   @param sB (BLK_N,BLK_K)
  template <class Half, class TensorA, class TensorB>
  TS_INLINE TS_DEVICE void read(Half half, TensorA const& sA, TensorB const& sB) {
    auto const at = make_coord(_0{}, half);
    read_fragment_A<typename Config::ReadA>(Mma{}, thread_index(), local_tile(sA, Tile<typename Config::BlkM, K>{}, at),
                                            a);
    read_fragment_B<typename Config::ReadB>(Mma{}, thread_index(), local_tile(sB, Tile<typename Config::BlkN, K>{}, at),
                                            b);
  }
  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply(TensorC& rC) const { gemm(typename Mma::Atom{}, a, b, rC); }
  /// The I-th of these products alone, in the same order.
  template <int I, class TensorC>
  TS_INLINE TS_DEVICE void multiply_one(TensorC& rC) const {
    constexpr TileStep<rows, columns> at(I);
    constexpr Int<at.m> m;
    constexpr Int<at.n> n;
    constexpr Int<at.k> k;
    gemm(typename Mma::Atom{}, a(_, m, k), b(_, n, k), rC(_, m, n));
  }
};
}  // namespace detail

/// The product of a tile in two halves along K: while one is multiplied, the fragments of the other are read from
/// shared memory.
template <class Config>
struct TileHalves {
  detail::HalfTile<Config> lower, upper;

  /// Read the lower half of a tile that is complete. @param sA (BLK_M,BLK_K)   @param sB (BLK_N,BLK_K)
  template <class TensorA, class TensorB>
  TS_INLINE TS_DEVICE void read_lower(TensorA const& sA, TensorB const& sB) {
    lower.read(_0{}, sA, sB);
    issue_in_order();
  }
  /// Read the upper half and multiply the lower one. From here on nothing of the tile is read any more.
  template <class TensorA, class TensorB, class TensorC>
  TS_INLINE TS_DEVICE void read_upper_multiply_lower(TensorA const& sA, TensorB const& sB, TensorC& rC) {
    if constexpr (Config::fragments == 1) multiply(lower, rC);  // before more registers are asked for
    upper.read(_1{}, sA, sB);
    issue_in_order();
    multiply(Config::fragments == 1 ? upper : lower, rC);
  }
  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply_upper(TensorC& rC) const {
    if constexpr (Config::fragments == 2) multiply(upper, rC);
  }

 private:
  template <class TensorC>
  TS_INLINE TS_DEVICE static void multiply(detail::HalfTile<Config> const& half, TensorC& rC) {
    half.multiply(rC);
    issue_in_order();
  }
};

}  // namespace tilestep
