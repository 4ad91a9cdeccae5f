#pragma once
// Layouts of tiles in shared memory that TMA writes and wgmma reads. A layout atom has eight rows, each as long as its
// swizzle; tile_to_shape() repeats it over a tile, and over the stages of a ring. Which mode is contiguous is decided
// in global memory: TMA transposes nothing.

#include <tilestep/backend/tensor_tile.hpp>        // TileSwizzle
#include <tilestep/backend/wgmma_instruction.hpp>  // Major
#include <tilestep/layout.hpp>                     // Layout, Swizzle, tile_to_shape

namespace tilestep {

namespace detail {
/// The bytes of a row of a layout atom: those of its swizzle. Without a swizzle, one piece of 16.
TS_HOST_DEVICE constexpr int row_bytes(TileSwizzle swizzle) { return swizzle == TileSwizzle::none ? 16 : int(swizzle); }

/// Pieces of 16 bytes change places by the number of their line of 128 bytes.
template <class T, TileSwizzle SWIZZLE>
TS_HOST_DEVICE constexpr auto tile_swizzle() {
  constexpr int bits = SWIZZLE == TileSwizzle::bytes_128  ? 3
                       : SWIZZLE == TileSwizzle::bytes_64 ? 2
                       : SWIZZLE == TileSwizzle::bytes_32 ? 1
                                                          : 0;
  return Swizzle<bits, log2(16 / int(sizeof(T))), 3>{};
}
}  // namespace detail

// [atoms]
/// Eight rows of K, (8,run), or of M or N, (run,8): a run of `SWIZZLE` bytes is contiguous.
template <class T, Major MAJOR, TileSwizzle SWIZZLE, int RUN = detail::row_bytes(SWIZZLE) / int(sizeof(T))>
using SwizzledAtom =
    decltype(composition(detail::tile_swizzle<T, SWIZZLE>(),
                         std::conditional_t<MAJOR == Major::k, Layout<Shape<_8, Int<RUN>>, Stride<Int<RUN>, _1>>,
                                            Layout<Shape<Int<RUN>, _8>, Stride<_1, Int<RUN>>>>{}));

// By CuTe's names.
template <class T> using Layout_K_SW128_Atom = SwizzledAtom<T, Major::k, TileSwizzle::bytes_128>;
template <class T> using Layout_K_SW64_Atom = SwizzledAtom<T, Major::k, TileSwizzle::bytes_64>;
template <class T> using Layout_K_SW32_Atom = SwizzledAtom<T, Major::k, TileSwizzle::bytes_32>;
template <class T> using Layout_K_INTER_Atom = SwizzledAtom<T, Major::k, TileSwizzle::none>;
template <class T> using Layout_MN_SW128_Atom = SwizzledAtom<T, Major::mn, TileSwizzle::bytes_128>;
template <class T> using Layout_MN_SW64_Atom = SwizzledAtom<T, Major::mn, TileSwizzle::bytes_64>;
template <class T> using Layout_MN_SW32_Atom = SwizzledAtom<T, Major::mn, TileSwizzle::bytes_32>;
template <class T> using Layout_MN_INTER_Atom = SwizzledAtom<T, Major::mn, TileSwizzle::none>;
// [atoms]

// [tile]
/// A tile (X,K), or a ring of them (X,K,PIPE). Along the contiguous mode a tile is cut into panels as wide as the
/// swizzle, one behind the other: TMA brings a panel as one box.
/// @par Errors  a static_assert where the tile's contiguous mode is no multiple of the swizzle
template <class T, Major MAJOR, TileSwizzle SWIZZLE, class Extents>
TS_HOST_DEVICE constexpr auto swizzled_tile(Extents const& extents) {
  constexpr int run = detail::row_bytes(SWIZZLE) / int(sizeof(T)), other = MAJOR == Major::k ? 0 : 1;
  static_assert(size_v<tuple_element_t<1 - other, Extents>> % run == 0,
                "a tile's contiguous mode is a multiple of its swizzle: choose a narrower swizzle or a wider tile");
  static_assert(size_v<tuple_element_t<other, Extents>> % 8 == 0,
                "a tile's other mode is a multiple of 8, the rows of a layout atom: choose a larger tile");
  using Order = std::conditional_t<MAJOR == Major::k, Step<_1, _2, _3>, Step<_2, _1, _3>>;
  return tile_to_shape(SwizzledAtom<T, MAJOR, SWIZZLE>{}, extents, take<0, rank_v<Extents>>(Order{}));
}

/// The widest swizzle that a tile of X x K elements allows.
template <class T>
TS_HOST_DEVICE constexpr TileSwizzle widest_swizzle(Major major, int x, int k) {
  int const bytes = (major == Major::k ? k : x) * int(sizeof(T));
  return bytes % 128 == 0  ? TileSwizzle::bytes_128
         : bytes % 64 == 0 ? TileSwizzle::bytes_64
         : bytes % 32 == 0 ? TileSwizzle::bytes_32
                           : TileSwizzle::none;
}
// [tile]

/// The swizzle of a tile's layout, of elements of type T, as TMA and wgmma name it.
template <class T, class L> inline constexpr TileSwizzle swizzle_of = TileSwizzle::none;
template <class T, int B, int M, int S, class O, class L>
inline constexpr TileSwizzle swizzle_of<T, ComposedLayout<Swizzle<B, M, S>, O, L>> = [] {
  static_assert(S == 3 && B <= 3 && (sizeof(T) << M) == 16,
                "TMA and wgmma swizzle pieces of 16 bytes in rows of 32, 64 or 128: take a SwizzledAtom's layout");
  return B == 3   ? TileSwizzle::bytes_128
         : B == 2 ? TileSwizzle::bytes_64
         : B == 1 ? TileSwizzle::bytes_32
                  : TileSwizzle::none;
}();

/// The contiguous mode of a tile's layout (X,K,..).
template <class L>
inline constexpr Major major_of = [] {
  using Plain = decltype(coalesce(take<0, 2>(detail::unswizzled(L{})), Shape<_1, _1>{}));
  return size_v<decltype(get<1>(Plain{}))> > 1 && int(Plain{}(_0{}, _1{})) == 1 ? Major::k : Major::mn;
}();

}  // namespace tilestep
