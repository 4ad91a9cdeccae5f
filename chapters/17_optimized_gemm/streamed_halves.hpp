#pragma once
// A tile multiplied in two halves along K, as in pipeline.hpp, where two sets of fragments find no room beside the
// sums: f64 has two registers for each element. So the fragments of one half take the registers that the other half
// leaves: the products go column by column of the warp's tile, and once a column is done, its fragments of B are not
// needed.

#include <tilestep/block/pipeline.hpp>  // HalfTile

namespace tilestep {

namespace detail {

/// COUNT of a thread's accesses of 16 bytes to its part of an operand, from number FIRST on, in the order of its rows.
/// @param src (MMA,MMA_MN,MMA_K) in shared memory   @param dst the same in registers
/// @pre neighbours along K stand side by side in memory
template <int FIRST, int COUNT, class Src, class Dst> TS_INLINE TS_DEVICE void read_vectors(Src const& src, Dst& dst) {
  using T = typename Src::value_type;
  constexpr int vec = 16 / int(sizeof(T));
  auto const plain = unswizzled(src.layout());
  auto const vector = composition(right_inverse(plain), make_layout(Int<vec>{}));               // offset -> (v,mn,k)
  using S = decltype(logical_divide(plain, vector));                                            // (vector,rest)
  using D = decltype(logical_divide(dst.layout(), vector));                                     // (vector,rest)
  check_swizzle<typename Src::layout_type>();
  static_for<COUNT>([&](auto i) TS_INLINE_LAMBDA {
    constexpr Int<(FIRST + i.value) * vec> first;
    T values[vec];
    load<vec>(src.data() + swizzled(src.layout(), offset_of<S>(first)), values);
    unroll<vec>([&](auto v) TS_INLINE_LAMBDA { dst.data()[int(D{}(int(first) + int(v)))] = values[v]; });
  });
}

}  // namespace detail

/// Is it f64 with so many sums that two whole sets of fragments would not fit?
template <class Config>
inline constexpr bool streams_fragments =
    Config::route == Route::async && Config::along_a == Contiguous::k && Config::along_b == Contiguous::k &&
    Config::fragments == 2 && std::is_same_v<typename Config::Mma::ValC, double> &&
    Config::BlkM::value * Config::BlkN::value * 2 / Config::threads >= 128;  // registers of sums

/// The product of a tile in the calls of TileHalves.
/// @tparam Config  a Pipeline with two sets of fragments, asynchronous
template <class Config>
class StreamedHalves {
  using Mma = typename Config::Mma;
  using Half = detail::HalfTile<Config>;
  using ValA = typename Mma::ValA;
  using ValB = typename Mma::ValB;
  Half lower, upper;
  SharedPtr<ValA> next_a;  // of the tile whose lower half is read next
  SharedPtr<ValB> next_b;
  bool begun = false, waiting = false;  // for a first tile, for that lower half: the compiler knows both

  // MMA_M, MMA_N, MMA_K of a half; accesses of a row of A, of a column of B
  static constexpr int rows = decltype(size<1>(Half{}.a))::value, columns = decltype(size<1>(Half{}.b))::value,
                       steps = decltype(size<2>(Half{}.a))::value;
  static constexpr int of_row = decltype(size(Half{}.a))::value * int(sizeof(ValA)) / 16 / rows,
                       of_column = decltype(size(Half{}.b))::value * int(sizeof(ValB)) / 16 / columns;
  /// columns from the one whose products are issued back to the one in whose registers fragments are read
  static constexpr int behind = 3;
  static_assert(columns > behind, "StreamedHalves: a warp has too few columns of B: take TileHalves");

 public:
  /// The lower half of the first tile; that of a later tile is read among the products of the upper half before it.
  /// @param sA (BLK_M,BLK_K)   @param sB (BLK_N,BLK_K)
  template <class TensorA, class TensorB> TS_INLINE TS_DEVICE void read_lower(TensorA const& sA, TensorB const& sB) {
    if (!begun) lower.read(_0{}, sA, sB);
    waiting = begun;
    begun = true;
    next_a = sA.data();
    next_b = sB.data();
  }
  template <class TensorA, class TensorB, class TensorC>
  TS_INLINE TS_DEVICE void read_upper_multiply_lower(TensorA const& sA, TensorB const& sB, TensorC& rC) {
    stream<0>(lower, upper, _1{}, true, sA, sB, rC, [](auto) {});
  }
  template <class TensorC> TS_INLINE TS_DEVICE void multiply_upper_first(TensorC&) const {}
  /// @param send  send(Int<i>{}) issues the i-th of this thread's copies of a later tile
  template <class TensorC, class Send> TS_INLINE TS_DEVICE void multiply_upper_rest(TensorC& rC, Send const& send) {
    stream<Config::copies>(upper, lower, _0{}, waiting, make_tensor(next_a, typename Config::SmemA{}),
                           make_tensor(next_b, typename Config::SmemB{}), rC, send);
    waiting = false;
  }

 private:
  // [streamed]
  /// Multiplies the fragments that are there, and reads those of the other half if `more`.
  /// @param half  _0 or _1: the other   @param sA (BLK_M,BLK_K)   @param sB (BLK_N,BLK_K), of the other's tile
  template <int COPIES, class HalfIndex, class TensorA, class TensorB, class TensorC, class Send>
  TS_INLINE TS_DEVICE static void stream(Half const& now, Half& other, HalfIndex half, bool more, TensorA const& sA,
                                         TensorB const& sB, TensorC& rC, Send const& send) {
    auto const at = make_coord(_0{}, half);
    auto const mma = Mma::slice(thread_index());
    // (MMA,MMA_M,MMA_K), (MMA,MMA_N,MMA_K)
    auto const tCsA = mma.partition_A(local_tile(sA, Tile<typename Config::BlkM, typename Half::K>{}, at));
    auto const tCsB = mma.partition_B(local_tile(sB, Tile<typename Config::BlkN, typename Half::K>{}, at));
    static_for<columns>([&](auto n) TS_INLINE_LAMBDA {
      constexpr int row = n.value * rows / columns, row_end = (n.value + 1) * rows / columns;
      if (more) {
        if constexpr (n.value >= behind) detail::read_vectors<(n.value - behind) * of_column, of_column>(tCsB, other.b);
        if constexpr (row < row_end) detail::read_vectors<row * of_row, (row_end - row) * of_row>(tCsA, other.a);
      }
      static_for<COPIES>([&](auto i) TS_INLINE_LAMBDA {
        if constexpr (i.value * columns / COPIES == n.value) send(i);
      });
      static_for<steps * rows>([&](auto i) TS_INLINE_LAMBDA {
        constexpr Int<i.value / rows> k;
        constexpr auto m = detail::serpentine(decltype(n){}, Int<i.value % rows>{}, Int<rows>{});
        gemm(typename Mma::Atom{}, now.a(_, m, k), now.b(_, n, k), rC(_, m, n));
      });
    });
    if (more) detail::read_vectors<(columns - behind) * of_column, behind * of_column>(tCsB, other.b);
  }
  // [streamed]
};

}  // namespace tilestep
