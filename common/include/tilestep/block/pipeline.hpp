#pragma once
// A tile's way from global to shared memory while others are multiplied. Hardware offers several: through a thread's
// registers, or past them. A kernel sends for a tile by `fetch`, goes on, and calls `land` when the tile must be in
// shared memory. In between it multiplies.

#include <tilestep/backend/async.hpp>      // async_commit, async_wait
#include <tilestep/backend/order.hpp>      // issue_in_order
#include <tilestep/block/copy.hpp>         // copies by atoms
#include <tilestep/block/gemm.hpp>         // read_fragment
#include <tilestep/block/gemm_config.hpp>  // GemmConfig

namespace tilestep {

// [routes]
/// How a tile travels from `fetch` to `land`.
///   waiting     it does not: `fetch` loads it into registers, waits, and stores it to shared memory
///   registers   `fetch` loads it into registers, `land` stores it to shared memory
///   async       NVIDIA: each thread's copies go past the registers; it waits until at most N groups of copies are on
///   their way
///   async_warp  AMD CDNA: a warp's loads go past the registers; it waits until at most N loads are on their way
enum class Route { waiting, registers, async, async_warp };
// [routes]

/// The R-th copy from global to shared memory by a whole warp, asynchronous: the lanes' vectors follow each other in
/// shared memory.
/// @param src (CPY,CPY_M,..) in global memory
/// @param dst (CPY,CPY_M,..) in shared memory, of the same type: of lane l, l vectors behind lane 0's
/// @pre every lane of the warp takes part; from one vector of a thread to its next is a multiple of what the
///     destination's swizzle repeats after
template <int R, class S, class T, class Pred, class Src, class Dst>
TS_INLINE TS_DEVICE void copy_vector(CopyAtom<CDNA_BUFFER_LOAD_LDS<S>, T> const&, Pred const& pred, Src const& src,
                                     Dst&& dst) {
  constexpr int vec = int(sizeof(S) / sizeof(T)), rank = remove_cvref_t<Src>::rank;
  auto const s = group_modes<1, rank>(make_view(src.data(), src.layout()));                     // (CPY,rest)
  auto const d = group_modes<1, rank>(make_view(dst.data(), dst.layout()));                     // (CPY,rest)
  auto const plain = detail::unswizzled(d.layout());
  // where the warp's first vector goes
  int const first = uniform(int(detail::swizzled(d.layout(), Int<0>{})) - lane_index() * vec);
  constexpr auto c = make_coord(Int<0>{}, Int<R>{});
  async_copy_warp<vec>(dst.data() + (first + plain(c)), src.data(), s.layout()(c),
                       bool(detail::predicate(pred, Int<R * vec>{})));
}
/// All of them.
template <class S, class T, class Pred, class Src, class Dst>
TS_INLINE TS_DEVICE void copy_if(CopyAtom<CDNA_BUFFER_LOAD_LDS<S>, T> const& atom, Pred const& pred, Src const& src,
                                 Dst&& dst) {
  static_for<decltype(size(src))::value / int(sizeof(S) / sizeof(T))>(
      [&](auto r) TS_INLINE_LAMBDA { copy_vector<r.value>(atom, pred, src, dst); });
}

namespace detail {

/// The same copy by another instruction.
template <class Operation, class Tiled> struct CopiedBy;
template <class Operation, class Old, class T, class TV, class Tiler>
struct CopiedBy<Operation, TiledCopy<CopyAtom<Old, T>, TV, Tiler>> {
  using type = TiledCopy<CopyAtom<Operation, T>, TV, Tiler>;
};

/// Who copies what of a tile (MN,K). Asynchronous copies are as wide as their instruction.
template <Route By, int Bytes, Contiguous Along, class T, int Threads, int MN, int K>
TS_HOST_DEVICE constexpr auto route_copy() {
  constexpr int vec = Bytes / int(sizeof(T));
  using Tiled = decltype(tile_copy<Along, vec, T, Threads, MN, K>());
  if constexpr (By == Route::async) return typename CopiedBy<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, Tiled>::type{};
  else if constexpr (By == Route::async_warp)
    return typename CopiedBy<CDNA_BUFFER_LOAD_LDS<std::conditional_t<Bytes == 16, uint128_t, std::uint32_t>>,
                             Tiled>::type{};
  else return Tiled{};
}

}  // namespace detail

/// A GemmConfig with a pipeline of tiles.
/// @tparam Stages  tiles in shared memory
/// @tparam Fragments  2: one half of a tile is read while the other is multiplied; 1: before it is
/// @tparam Bytes   that a thread copies at once
template <class Config, Route By, int Stages, int Fragments = 2, int Bytes = 16>
struct Pipeline : Config {
  static constexpr Route route = By;
  static constexpr int stages = Stages, fragments = Fragments;
  static constexpr bool asynchronous = By == Route::async || By == Route::async_warp;
  static constexpr int ahead = asynchronous ? Stages - 1 : 1;  ///< tiles that are on their way while one is multiplied
  static_assert(By == Route::registers || Stages >= 2,
                "Pipeline: a tile that goes straight to shared memory needs a place while another is read: take two "
                "stages at least");
  static_assert(By != Route::async_warp || (Config::along_a == Contiguous::k && Config::along_b == Contiguous::k),
                "Pipeline: the lanes of a warp write side by side, which are lines of a tile along K: repack an "
                "operand that lies along M or N");

  using CopyA = decltype(detail::route_copy<By, Bytes, Config::along_a, typename Config::In, Config::threads,
                                            Config::BlkM::value, Config::BlkK::value>());
  using CopyB = decltype(detail::route_copy<By, Bytes, Config::along_b, typename Config::In, Config::threads,
                                            Config::BlkN::value, Config::BlkK::value>());
  /// of a thread for a tile
  static constexpr int copies = (Config::BlkM::value + Config::BlkN::value) * Config::BlkK::value *
                                int(sizeof(typename Config::In)) / Bytes / Config::threads;

  /// Whose part of a tile this thread copies. The lanes of a warp's copy write side by side: what a swizzle would
  /// exchange in shared memory is exchanged among the threads that read.
  TS_HOST_DEVICE static int copier(int thread) {
    if constexpr (By != Route::async_warp) return thread;
    else
      return decltype(std::declval<typename Config::SmemA>().layout_a()){}(thread *
                                                                           (Bytes / int(sizeof(typename Config::In)))) /
             (Bytes / int(sizeof(typename Config::In)));
  }

  /// Waits until a tile has arrived, as far as this thread copied it. @param full  as many newer tiles are on their way
  /// as ever are
  TS_INLINE TS_DEVICE static void wait(bool full) {
    if constexpr (asynchronous && Stages > 2) {
      if (full) async_wait<Stages - 2, copies>();
      else async_wait<0>();
    } else if constexpr (asynchronous) {
      async_wait<0>();
    }
  }
};

/// The tiles of one operand on their way, as far as one thread copies them.
/// @tparam Copy  a TiledCopy   @tparam Part (CPY,CPY_MN,CPY_K), of a tile in global memory
template <Route By, class Copy, class Part>
struct TileLoader {
  static constexpr int vectors = decltype(size(std::declval<Part>()))::value /
                                 decltype(size<0>(std::declval<Part>()))::value;

  /// Sends for a tile. @param pred  which vectors exist; zeros stand for the others   @param src in global memory
  /// @param dst in shared memory
  template <class Pred, class Src, class Dst>
  TS_INLINE TS_DEVICE void fetch(Pred const& pred, Src const& src, Dst&& dst) { copy_if(Copy{}, pred, src, dst); }
  /// Sends for the R-th of a thread's vectors of a tile.
  template <int R, class Pred, class Src, class Dst>
  TS_INLINE TS_DEVICE void fetch_vector(Pred const& pred, Src const& src, Dst&& dst) {
    copy_vector<R>(Copy{}, pred, src, dst);
  }
  template <class Dst>
  TS_INLINE TS_DEVICE void land(Dst&&) {}
};
/// Through registers. Vectors stay whole on the way unless their elements are rounded: the compiler would unpack 16-bit
/// elements in one pass of the loop and pack them again in the next.
template <class Operation, class In, class TV, class Tiler, class Part>
struct TileLoader<Route::registers, TiledCopy<CopyAtom<Operation, In>, TV, Tiler>, Part> {
  static constexpr int vec = detail::access_bits<Operation> / int(sizeof_bits_v<In>),
                       vectors = decltype(size(std::declval<Part>()))::value / vec;
  In held[vectors][vec];

  template <class Pred, class Src, class Dst>
  TS_INLINE TS_DEVICE void fetch(Pred const& pred, Src const& src, Dst&& dst) {
    static_for<vectors>([&](auto r) TS_INLINE_LAMBDA { fetch_vector<r.value>(pred, src, dst); });
  }
  template <int R, class Pred, class Src, class Dst>
  TS_INLINE TS_DEVICE void fetch_vector(Pred const& pred, Src const& src, Dst&&) {
    auto const s = group_modes<1, Src::rank>(make_view(src.data(), src.layout()));              // (CPY,rest)
    detail::read_vector<Operation, vec>(s, make_coord(Int<0>{}, Int<R>{}), held[R],
                                        detail::predicate(pred, Int<R * vec>{}));
  }
  template <class Dst>
  TS_INLINE TS_DEVICE void land(Dst&& dst) {
    using Out = typename remove_cvref_t<Dst>::value_type;
    auto const d = group_modes<1, remove_cvref_t<Dst>::rank>(make_view(dst.data(), dst.layout()));  // (CPY,rest)
    unroll<vectors>([&](auto r) {
      if constexpr (std::is_same_v<In, Out>) {
        detail::write_vector<vec>(d, make_coord(Int<0>{}, r), held[r], true);
      } else {
        Out out[vec];
        unroll<vec>([&](auto v) { out[v] = static_cast<Out>(held[r][v]); });
        detail::write_vector<vec>(d, make_coord(Int<0>{}, r), out, true);
      }
    });
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

/// The predicate of a tile that is whole along K, and of one that may be ragged there. @param coords -> (m,k) or (n,k)
/// @param shape of the matrix
struct InsideRows {
  template <class Coords, class Shape>
  TS_INLINE TS_HOST_DEVICE auto operator()(Coords const& coords, Shape const& shape) const {
    return rows_within(coords, shape);
  }
};
struct InsideBoth {
  template <class Coords, class Shape>
  TS_INLINE TS_HOST_DEVICE auto operator()(Coords const& coords, Shape const& shape) const {
    return within(coords, shape);
  }
};

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

  /// @param half  _0 or _1   @param sA (BLK_M,BLK_K)   @param sB (BLK_N,BLK_K)
  template <class Half, class TensorA, class TensorB>
  TS_INLINE TS_DEVICE void read(Half half, TensorA const& sA, TensorB const& sB) {
    auto const at = make_coord(_0{}, half);
    read_fragment<0>(typename Config::ReadA{}, Mma{}, thread_index(),
                     local_tile(sA, Tile<typename Config::BlkM, K>{}, at), a);
    read_fragment<1>(typename Config::ReadB{}, Mma{}, thread_index(),
                     local_tile(sB, Tile<typename Config::BlkN, K>{}, at), b);
  }
  /// f32 that came past the registers is rounded to tf32 here, where it meets them: the instruction would cut it.
  static constexpr bool rounds = Config::asynchronous && std::is_same_v<typename Mma::ValA, tfloat32_t>;
  static constexpr int values_a = decltype(size(a))::value, values = values_a + decltype(size(b))::value;
  /// Rounds the values FROM to TO, A's before B's.
  template <int FROM, int TO>
  TS_INLINE TS_DEVICE void round() {
    static_for<TO - FROM>([&](auto i) TS_INLINE_LAMBDA {
      constexpr int at = FROM + i.value;
      if constexpr (at < values_a) a.data()[at] = round_tf32(a.data()[at].bits);
      else b.data()[at - values_a] = round_tf32(b.data()[at - values_a].bits);
    });
  }
  /// As the instruction takes it.
  TS_INLINE TS_DEVICE HalfTile rounded() const {
    HalfTile half = *this;
    if constexpr (rounds) half.template round<0, values>();
    return half;
  }
  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply(TensorC& rC) const { gemm(typename Mma::Atom{}, a, b, rC); }
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
    if constexpr (Config::fragments == 1) multiply(upper, rC);
    else multiply(lower, rC);
  }
  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply_upper(TensorC& rC) const {
    if constexpr (Config::fragments == 2) multiply(upper, rC);
  }

 private:
  template <class TensorC>
  TS_INLINE TS_DEVICE static void multiply(detail::HalfTile<Config> const& half, TensorC& rC) {
    half.rounded().multiply(rC);
    issue_in_order();
  }
};

}  // namespace tilestep
