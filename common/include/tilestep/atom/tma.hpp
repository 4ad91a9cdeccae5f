#pragma once
// TMA as a copy operation. A TmaCopy holds the tensor map of a matrix in global memory, and knows the tile in shared
// memory that one block wants of it. A kernel tiles a tensor of coordinates instead of the matrix: TMA computes the
// addresses. One thread copies; the mbarrier that it names counts the bytes that land.

#include <tilestep/atom/copy_atom.hpp>      // CopyAtom, CopyTraits
#include <tilestep/atom/swizzled_tile.hpp>  // swizzle_of, major_of
#include <tilestep/backend/tma.hpp>         // tma_load, tma_store, TensorMap
#include <tilestep/tensor.hpp>              // CoordinateIterator, local_tile

#include <algorithm>  // std::min
#include <climits>    // INT_MAX

namespace tilestep {

// Names are CuTe's.
struct SM90_TMA_LOAD {};
struct SM90_TMA_LOAD_MULTICAST {};
struct SM90_TMA_STORE {};

/// The operation on boxes of so many bits, for one mbarrier: what with() gives.
template <class Operation, int Bits> struct TmaBox {};

namespace detail {
/// One thread copies a box.
template <int Bits>
struct TmaTraits {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, Int<Bits>>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};
}  // namespace detail

// [traits]
/// @par Source PTX ISA, "cp.async.bulk.tensor"; CuTe, copy_traits_sm90_tma.hpp
template <int Bits>
struct CopyTraits<TmaBox<SM90_TMA_LOAD, Bits>> : detail::TmaTraits<Bits> {
  TensorMap const* map;
  SharedPtr<Mbarrier> barrier;

  /// @param from  the box's first coordinate, contiguous mode first
  template <class T, class... Coord>
  TS_INLINE TS_HOST_DEVICE void call(SharedPtr<T> to, Coord... from) const {
    tma_load(to, *map, barrier, from...);
  }
};
template <int Bits>
struct CopyTraits<TmaBox<SM90_TMA_LOAD_MULTICAST, Bits>> : detail::TmaTraits<Bits> {
  TensorMap const* map;
  SharedPtr<Mbarrier> barrier;
  unsigned blocks;  ///< of the cluster that get the box: a bit for each

  template <class T, class... Coord>
  TS_INLINE TS_HOST_DEVICE void call(SharedPtr<T> to, Coord... from) const {
    tma_load_multicast(to, *map, barrier, blocks, from...);
  }
};
template <int Bits>
struct CopyTraits<TmaBox<SM90_TMA_STORE, Bits>> : detail::TmaTraits<Bits> {
  TensorMap const* map;

  template <class T, class... Coord>
  TS_INLINE TS_HOST_DEVICE void call(SharedPtr<T> from, Coord... to) const {
    tma_store(*map, from, to...);
  }
};
// [traits]

/// One block's tiles of a matrix, to or from shared memory. A kernel has it among its parameters.
/// @tparam TileLayout  (X,Y) -> the tile in shared memory, as swizzled_tile() makes it
/// @tparam SHARES  blocks of a cluster that share the tile: each copies as many rows of X, to all of them
template <class Operation, class T_, class TileLayout, int SHARES = 1>
struct TmaCopy {
  using T = T_;
  static constexpr TileSwizzle swizzle = swizzle_of<T, TileLayout>;
  static constexpr bool along_y = major_of<TileLayout> == Major::k;  ///< Y is contiguous
  static constexpr int X = size_v<decltype(get<0>(TileLayout{}))>, Y = size_v<decltype(get<1>(TileLayout{}))>,
                       run = detail::row_bytes(swizzle) / int(sizeof(T)), shares = SHARES,
                       tile_bytes = X * Y * int(sizeof(T));
  using Share = Shape<Int<X / SHARES>, Int<Y>>;
  /// What one instruction moves: a run of the contiguous mode, and all of the other.
  using Box = std::conditional_t<along_y, Shape<Int<X / SHARES>, Int<run>>, Shape<Int<run>, Int<Y>>>;
  static constexpr int box_elements = size_v<Box>, box_bits = box_elements * sizeof_bits_v<T>;
  using Atom = CopyAtom<TmaBox<Operation, box_bits>, T>;

  /// The two modes of a layout in TMA's order.
  template <class L>
  TS_HOST_DEVICE static constexpr auto contiguous_first(L const& l) {
    if constexpr (along_y) return make_layout(get<1>(l), get<0>(l));
    else return l;
  }
  static_assert(X % SHARES == 0 && (along_y ? Y : X / SHARES) % run == 0,
                "TMA: a block's share of the tile is whole boxes: choose a narrower swizzle or a wider tile");
  static_assert(std::is_same_v<decltype(coalesce(contiguous_first(get<0>(zipped_divide(detail::unswizzled(TileLayout{}),
                                                                                       Box{}))))),
                               Layout<Int<box_elements>, _1>>,
                "TMA writes the rows of a box one behind the other: make the tile's layout with swizzled_tile()");

  TensorMap map;  ///< a kernel copies no TmaCopy: TMA reads the map among the kernel's parameters

  /// The matrix as TMA sees it: each element is its coordinate, the contiguous mode first.
  /// @param shape (X,Y,L)
  template <class Shape3>
  TS_HOST_DEVICE static constexpr auto get_tma_tensor(Shape3 const& shape) {
    using Directions = std::conditional_t<along_y, Stride<E<1>, E<0>, E<2>>, Stride<E<0>, E<1>, E<2>>>;
    return make_view(CoordinateIterator<Coord<_0, _0, _0>>{}, make_layout(shape, Directions{}));
  }

  /// The operation for copies that land at `barrier`.
  /// @param blocks  of the cluster that get a shared tile: a bit for each
  TS_INLINE TS_HOST_DEVICE constexpr Atom with(SharedPtr<Mbarrier> barrier, unsigned blocks = 1) const {
    if constexpr (std::is_same_v<Operation, SM90_TMA_LOAD>) return {{{}, &map, barrier}};
    else return {{{}, &map, barrier, blocks}};
  }
  /// The operation for stores.
  TS_INLINE TS_HOST_DEVICE constexpr Atom with() const { return {{{}, &map}}; }

  /// A block's view of the copy. @param share  which part of a shared tile this block copies, 0 .. SHARES-1
  template <class Index = Int<0>> TS_HOST_DEVICE static constexpr auto slice(Index const& share = {});
};

/// One block's view of a TmaCopy.
template <class Copy, class Index>
struct ThrTma {
  Index share;

  /// @param tensor (X,Y,..) @return (TMA,TMA_X,TMA_Y,..): boxes, and how many there are along X and Y
  template <class TensorT>
  TS_INLINE TS_HOST_DEVICE constexpr auto partition(TensorT const& tensor) const {
    if constexpr (Copy::shares == 1) {
      return tiled_divide(tensor, typename Copy::Box{});
    } else {
      auto const mine = local_tile(tensor, typename Copy::Share{}, make_coord(share, _0{}));  // (X / SHARES,Y,..)
      return tiled_divide(mine, typename Copy::Box{});
    }
  }
  /// The same by CuTe's names, of what is read and of what is written.
  template <class TensorT>
  TS_INLINE TS_HOST_DEVICE constexpr auto partition_S(TensorT const& tensor) const {
    return partition(tensor);
  }
  template <class TensorT>
  TS_INLINE TS_HOST_DEVICE constexpr auto partition_D(TensorT const& tensor) const {
    return partition(tensor);
  }
};
template <class Operation, class T, class TileLayout, int SHARES>
template <class Index>
TS_HOST_DEVICE constexpr auto TmaCopy<Operation, T, TileLayout, SHARES>::slice(Index const& share) {
  return ThrTma<TmaCopy, Index>{share};
}

/// A kernel's parameter that copies tiles of a matrix. For the host.
/// @param matrix (X,Y,L) in global memory
/// @param lines  of each box, if fewer than it has: the tile's others stay as they are in shared memory
/// @par Errors  bad_input: what check_tensor_tile() says
template <class Copy, class Engine, class L>
Copy make_tma_copy(Tensor<Engine, L> const& matrix, int lines = INT_MAX) {
  constexpr int inner = Copy::along_y ? 1 : 0, outer = 1 - inner;
  auto const shape = matrix.shape();
  auto const stride = matrix.stride();
  // Strides of modes with one element are never used: they become what the hardware accepts.
  auto const used = [&](auto mode, std::int64_t otherwise) {
    return std::int64_t(get<mode.value>(shape)) > 1 ? std::int64_t(get<mode.value>(stride)) : otherwise;
  };
  TensorTile tile{.base = matrix.data(),
                  .element_size = int(sizeof(typename Copy::T)),
                  .rank = 3,
                  .extent = {get<inner>(shape), get<outer>(shape), get<2>(shape)},
                  .stride = {used(Int<inner>{}, 1), used(Int<outer>{}, 16), used(_2{}, 16)},
                  .swizzle = Copy::swizzle};
  tile.box[0] = size_v<tuple_element_t<inner, typename Copy::Box>>;
  tile.box[1] = std::min(lines, int(size_v<tuple_element_t<outer, typename Copy::Box>>));
  return {make_tensor_map(tile)};
}

// [copy]
namespace detail {
/// Where box `box` of a tile begins. Without the swizzle: TMA applies it to addresses.
template <int ELEMENTS, class TensorT, class Index>
TS_INLINE TS_HOST_DEVICE constexpr auto first_of_box(TensorT const& tile, Index box) {
  auto const at = unswizzled(tile.layout())(box * Int<ELEMENTS>{});
  if constexpr (is_composed_layout_v<typename TensorT::layout_type>) return tile.data() + (tile.layout().offset() + at);
  else return tile.data() + at;
}
template <class Atom, class Tile, class Coords>
TS_INLINE TS_HOST_DEVICE constexpr void copy_boxes(Atom const& atom, Tile const& tile, Coords const& coords) {
  constexpr int elements = decltype(size(typename Atom::ValLayoutSrc{}))::value;
  static_assert(std::is_same_v<memory_t<Tile>, SharedMemory> &&
                    size_v<typename Tile::layout_type> == size_v<typename Coords::layout_type>,
                "TMA copies between shared memory and as many coordinates: partition both tensors with one TmaCopy");
  static_for<size_v<typename Tile::layout_type> / elements>([&](auto box) TS_INLINE_LAMBDA {
    apply(coords(box * Int<elements>{}),
          [&](auto const&... c) TS_INLINE_LAMBDA { atom.call(first_of_box<elements>(tile, box), int(c)...); });
  });
}
}  // namespace detail

/// Issues the copies of a tile, box after box. One thread does it.
/// @param src (TMA,TMA_X,TMA_Y) of coordinates   @param dst (TMA,TMA_X,TMA_Y) in shared memory
template <class Operation, int Bits, class T, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy(CopyAtom<TmaBox<Operation, Bits>, T> const& atom, Src const& src,
                                             Dst&& dst) {
  detail::copy_boxes(atom, dst, src);
}
/// The way back. @param src in shared memory   @param dst of coordinates
template <int Bits, class T, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy(CopyAtom<TmaBox<SM90_TMA_STORE, Bits>, T> const& atom, Src const& src,
                                             Dst&& dst) {
  detail::copy_boxes(atom, src, dst);
}
// [copy]

}  // namespace tilestep
