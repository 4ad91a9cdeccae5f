#pragma once
// Hopper's matrix instruction as an atom, and the tiles in shared memory that it reads. An operand's tile is made of
// panels, whose rows are as long as the swizzle: the copy engine writes a panel as one box, wgmma finds its part by a
// descriptor. OperandTile says where each element stands; boxes and descriptors follow from the same numbers.

#include <tilestep/atom/matrix_fragment.hpp>           // MatrixValue
#include <tilestep/backend/tma.hpp>                    // tma_load
#include <tilestep/backend/wgmma.hpp>                  // wgmma
#include <tilestep/backend/wgmma_instruction.hpp>      // SM90_64xNx16_SS, TileDescriptor

namespace tilestep {

namespace detail {

/// C of m64nNk16: (t,g,warp),(2 neighbours along N, rows g and g + 8, 8 columns further).
/// @par Source PTX ISA, "Register Fragments and Shared Memory Matrix Layouts" of wgmma.mma_async.m64nNk16
template <int N>
using AccumulatorsM64 =
    Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, Int<N / 8>>>, Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>;

/// An operand in shared memory belongs to all threads alike.
template <int X>
using SharedOperand = Layout<Shape<_128, Shape<Int<X>, _16>>, Stride<_0, Stride<_1, Int<X>>>>;

template <class Op>
struct WgmmaTraits {
  using ValA = typename MatrixValue<Op::a>::type;
  using ValB = typename MatrixValue<Op::b>::type;
  using ValC = float;
  using Shape_MNK = Shape<Int<Op::M>, Int<Op::N>, Int<Op::K>>;
  using ThrID = Layout<_128>;
  using BLayout = SharedOperand<Op::N>;
  using CLayout = AccumulatorsM64<Op::N>;
};

}  // namespace detail

// [traits]
template <int N, MatrixType T, Major A, Major B>
struct MmaTraits<SM90_64xNx16_SS<N, T, A, B>> : detail::WgmmaTraits<SM90_64xNx16_SS<N, T, A, B>> {
  using ALayout = detail::SharedOperand<64>;
};
template <int N, MatrixType T, Major B>
struct MmaTraits<SM90_64xNx16_RS<N, T, B>> : detail::WgmmaTraits<SM90_64xNx16_RS<N, T, B>> {
  // (t,g,warp),(k, m + 8, k + 8)
  using ALayout =
      Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, _2>>, Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>;
};
// [traits]

/// An operand's tile, (X,K) with X of M or N, of 16-bit elements. It begins at a multiple of 1024 bytes.
/// @tparam MAJOR  which mode is contiguous, as in global memory: the copy engine transposes nothing
template <int X_, int K_, Major MAJOR, TileSwizzle SWIZZLE = TileSwizzle::bytes_128>
struct OperandTile {
  static constexpr int X = X_, K = K_, elements = X * K, bytes = 2 * elements;
  static constexpr Major major = MAJOR;
  static constexpr TileSwizzle swizzle = SWIZZLE;
  static constexpr int span = SWIZZLE == TileSwizzle::none ? 16 : int(SWIZZLE);  ///< bytes of a panel's row
  static constexpr int run = span / 2;                                           ///< its elements
  static_assert(K % 16 == 0 && X % 8 == 0,
                "a tile for wgmma has a K of 16, 32, .. and an M or N of 8, 16, ..: choose another");
  static_assert((MAJOR == Major::k ? K : X) % run == 0,
                "a tile's contiguous mode is a multiple of its swizzle: choose a narrower swizzle or a wider tile");

  // A panel is a box: `run` elements of the contiguous mode, all of the other.
  static constexpr int box_columns = run, box_rows = MAJOR == Major::k ? X : K;
  static constexpr int panels = elements / (box_columns * box_rows);

  // [layout]
  /// (X,K) -> where the element stands, before and with the swizzle.
  TS_HOST_DEVICE static constexpr auto panel_layout() {
    if constexpr (MAJOR == Major::k)
      return Layout<Shape<Int<X>, Shape<Int<run>, Int<K / run>>>, Stride<Int<run>, Stride<_1, Int<run * X>>>>{};
    else return Layout<Shape<Shape<Int<run>, Int<X / run>>, Int<K>>, Stride<Stride<_1, Int<run * K>>, Int<run>>>{};
  }
  TS_HOST_DEVICE static constexpr auto layout() {
    // Pieces of 16 bytes, 8 elements, change places by the number of their line of 128 bytes.
    constexpr int bits = SWIZZLE == TileSwizzle::bytes_128  ? 3
                         : SWIZZLE == TileSwizzle::bytes_64 ? 2
                         : SWIZZLE == TileSwizzle::bytes_32 ? 1
                                                            : 0;
    if constexpr (bits == 0) return panel_layout();
    else return composition(Swizzle<bits, 3, 3>{}, Int<0>{}, panel_layout());
  }
  // [layout]

  // [descriptor]
  // Cores of 8 rows are 8 spans long; the other distance is from panel to panel. Without swizzle, and M or N
  // contiguous, they change places.
  static constexpr int core_bytes = 8 * span, panel_bytes = 2 * box_columns * box_rows;
  static constexpr bool is_exchanged = SWIZZLE == TileSwizzle::none && MAJOR == Major::mn;
  static constexpr int leading_bytes = is_exchanged ? core_bytes : panel_bytes,
                       stride_bytes = is_exchanged ? panel_bytes : core_bytes;

  /// Where the part from row `x` and from `k` on begins, in elements. Without the swizzle: the hardware applies it to
  /// addresses.
  /// @pre x is a multiple of 8, where X is contiguous of `run`; k is a multiple of 16
  TS_HOST_DEVICE static constexpr int part(int x, int k) {
    return MAJOR == Major::k ? x * run + k / run * (run * X) + k % run : x / run * (run * K) + k * run;
  }
  /// The descriptor of the tile's first part. The others are so many bytes further: descriptor(tile).plus(2 * part(x,
  /// k)).
  template <class T>
  TS_DEVICE TS_INLINE static auto descriptor(SharedPtr<T> tile) {
    return tile_descriptor(tile, leading_bytes, stride_bytes, SWIZZLE);
  }
  // [descriptor]

  /// The box of one copy, for a tensor map of the operand in global memory. @param matrix  extents and strides, mode 0
  /// contiguous
  static TensorTile boxed(TensorTile matrix) {
    matrix.box[0] = box_columns;
    matrix.box[1] = box_rows;
    matrix.swizzle = SWIZZLE;
    return matrix;
  }

  /// Issues the copies of the tile whose first element is (x,k) of the operand, `rest` in its further modes. `bytes` of
  /// them land at `barrier`.
  template <class T, class Map, class Barrier, class... Rest>
  TS_DEVICE TS_INLINE static void load(SharedPtr<T> tile, Map const& map, Barrier const& barrier, int x, int k,
                                       Rest... rest) {
    for_each_box(tile, x, k, [&](SharedPtr<T> to, int first, int second) TS_INLINE_LAMBDA {
      tma_load(to, map, barrier, first, second, rest...);
    });
  }
  /// The same to every block of the cluster whose bit is set in `blocks`.
  template <class T, class Map, class Barrier, class... Rest>
  TS_DEVICE TS_INLINE static void load_multicast(SharedPtr<T> tile, Map const& map, Barrier const& barrier,
                                                 unsigned blocks, int x, int k, Rest... rest) {
    for_each_box(tile, x, k, [&](SharedPtr<T> to, int first, int second) TS_INLINE_LAMBDA {
      tma_load_multicast(to, map, barrier, blocks, first, second, rest...);
    });
  }

 private:
  // f(where it goes, where it begins in the contiguous mode and in the other) of each box.
  template <class T, class F>
  TS_DEVICE TS_INLINE static void for_each_box(SharedPtr<T> tile, int x, int k, F const& f) {
    TS_UNROLL
    for (int panel = 0; panel < panels; ++panel) {
      auto const to = tile + panel * (box_columns * box_rows);
      if constexpr (MAJOR == Major::k) f(to, k + panel * run, x);
      else f(to, x + panel * run, k);
    }
  }
};

/// Issues C += A B, or C = A B, for `BANDS` bands of 64 rows of A's tile from row `m` on, all of B's, and all of K: K /
/// 16 wgmma for each band.
/// @param a, b  the tiles' descriptors
/// @param d  this thread's accumulators: N / 2 for the first band, then those of the next
template <class TileA, class TileB, MatrixType TYPE, int BANDS = 1>
TS_DEVICE TS_INLINE void issue_products(TileDescriptor a, int m, TileDescriptor b, float* d, bool accumulate) {
  static_assert(TileA::K == TileB::K, "the tiles of A and B differ in K: choose one BLK_K");
  SM90_64xNx16_SS<TileB::X, TYPE, TileA::major, TileB::major> const op;
  TS_UNROLL
  for (int k = 0; k < TileA::K; k += 16) {
    TS_UNROLL
    for (int band = 0; band < BANDS; ++band) {
      wgmma(op, a.plus(2 * TileA::part(m + 64 * band, k)), b.plus(2 * TileB::part(0, k)), d + band * (TileB::X / 2),
            accumulate || k > 0);
    }
  }
}

}  // namespace tilestep
