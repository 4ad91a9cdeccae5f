#pragma once
// Many atoms side by side: the warps of a block, each with its instruction, repeated over a tile. A TiledMma says which
// elements of A, B and C each thread holds, by dividing the tile into atoms, each atom among its threads, and the atoms
// among the warps.

#include <tilestep/atom/fragment.hpp>            // make_fragment_like
#include <tilestep/atom/mma_atom.hpp>            // MmaAtom, MmaTraits
#include <tilestep/tensor/local_partition.hpp>   // thread_coordinate

namespace tilestep {

namespace detail {
/// Where a thread's part of a tensor starts. A pointer may keep what is a thread's own apart from what the block
/// shares.
template <class Iterator, class Offset>
TS_HOST_DEVICE constexpr auto for_thread(Iterator const& tile, Offset const& offset) {
  if constexpr (requires { tile.for_thread(offset); }) return tile.for_thread(offset);
  else return tile + offset;
}

/// The part of a divided tensor at a thread's coordinate. @param divided (thread,..) @param coord `_` in every mode but
/// the thread's
template <class Iterator, class Divided, class Coord>
TS_HOST_DEVICE constexpr auto thread_part(Iterator const& data, Divided const& divided, Coord const& coord) {
  auto const [part, offset] = slice_and_offset(coord, divided);
  return make_view(for_thread(data, offset), part);
}
}  // namespace detail

/// @tparam Atom_        an MmaAtom
/// @tparam AtomLayout   (M,N,K) -> which copy of the atom's threads works there, such as Layout<Shape<_2,_2,_1>>
/// @tparam Permutation  Tile of one entry a mode: the extent that one pass covers, a layout that permutes it, or `_`
template <class Atom_, class AtomLayout, class Permutation>
struct TiledMma : Atom_ {
  using Atom = Atom_;
  using ThrID = typename Atom::ThrID;

  /// (V,M,N,K) -> thread: the threads of an atom, then the atoms.
  TS_HOST_DEVICE static constexpr auto thread_layout() { return tiled_product(ThrID{}, AtomLayout{}); }
  TS_HOST_DEVICE static constexpr auto size() { return tilestep::size(thread_layout()); }

  /// What one pass covers along mode I of (M,N,K): an extent or a permuting layout.
  template <int I>
  TS_HOST_DEVICE static constexpr auto pass() {
    auto const asked = get<I>(Permutation{});
    if constexpr (is_underscore_v<remove_cvref_t<decltype(asked)>>)
      return get<I>(typename Atom::Shape_MNK{}) * tilestep::size<I + 1>(thread_layout());
    else return asked;
  }
  template <int I>
  TS_HOST_DEVICE static constexpr auto tile_size() { return tilestep::size(pass<I>()); }

  /// (X,Y) -> ((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY))), for the operand with modes X, Y of (M,N,K) and the atom's
  /// layout AtomTV.
  template <int X, int Y, class AtomTV, class TensorT>
  TS_HOST_DEVICE static constexpr auto divide(TensorT const& tensor) {
    using Mnk = typename Atom::Shape_MNK;
    auto const permuted = logical_divide(tensor, Tile<decltype(pass<X>()), decltype(pass<Y>())>{});  // (X,Y)
    // ((AtomX,AtomY),(RestX,RestY))
    auto const atoms = zipped_divide(permuted, make_tile(make_layout(get<X>(Mnk{})), make_layout(get<Y>(Mnk{}))));
    auto const values = composition(atoms, make_tile(AtomTV{}, _));  // ((ThrV,FrgV),(RestX,RestY))
    auto const warps = make_tile(_, make_tile(make_layout(tilestep::size<X + 1>(thread_layout())),
                                              make_layout(tilestep::size<Y + 1>(thread_layout()))));
    return zipped_divide(values, warps);
  }

  /// (thread,value) -> (x,y) of one pass, column-major, for the operand with modes X, Y: what a TiledCopy for this
  /// operand follows.
  template <int X, int Y, class AtomTV>
  TS_HOST_DEVICE static constexpr auto operand_tv() {
    auto const threads = thread_layout();                                                       // (V,M,N,K) -> thread
    // ((ThrV,(ThrX,ThrY)),Frg)
    auto const divided = divide<X, Y, AtomTV>(make_layout(make_shape(tile_size<X>(), tile_size<Y>())));
    // Warps that differ only in the third mode hold the same part of this operand: its stride is 0.
    auto const step = [&](auto mode) {
      if constexpr (decltype(mode)::value == X) return Int<1>{};
      else if constexpr (decltype(mode)::value == Y) return tilestep::size<X + 1>(threads);
      else return Int<0>{};
    };
    auto const warps =
        make_layout(take<1, 4>(product_each(threads.shape())), make_stride(step(_0{}), step(_1{}), step(_2{})));
    return composition(composition(divided, make_tile(make_tile(_, warps), _)), make_tile(right_inverse(threads), _));
  }

  /// What thread `thread` holds. @param thread 0 .. size()-1
  template <class Thread>
  TS_HOST_DEVICE static constexpr auto slice(Thread const& thread);
  /// The same by CuTe's names.
  template <class Thread>
  TS_HOST_DEVICE static constexpr auto get_slice(Thread const& thread) { return slice(thread); }
  template <class Thread>
  TS_HOST_DEVICE static constexpr auto get_thread_slice(Thread const& thread) { return slice(thread); }

  /// Registers, in the atom's types, for what partition_A, _B and _C give: A's and B's in the order of memory, C's
  /// packed. Of an instruction that reads shared memory: descriptors of the parts there.
  template <class Part>
  TS_HOST_DEVICE static constexpr auto make_fragment_A(Part const& part) {
    if constexpr (requires { Atom::operand_A(part); }) return Atom::operand_A(part);
    else return make_fragment_like<typename Atom::ValA>(part);
  }
  template <class Part>
  TS_HOST_DEVICE static constexpr auto make_fragment_B(Part const& part) {
    if constexpr (requires { Atom::operand_B(part); }) return Atom::operand_B(part);
    else return make_fragment_like<typename Atom::ValB>(part);
  }
  template <class Part>
  TS_HOST_DEVICE static constexpr auto make_fragment_C(Part const& part) {
    return make_register_tensor<typename Atom::ValC>(part.shape());
  }
};

/// One thread's view of a TiledMma.
template <class Tiled, class Coord>
struct ThrMma : Tiled {
  Coord coord;  // (V,M,N,K)

  /// @param tensor (M,N,..) @return (MMA,MMA_M,MMA_N,..)
  template <class TensorT> TS_HOST_DEVICE constexpr auto partition_C(TensorT&& tensor) const {
    return part<0, 1, typename Tiled::CLayout>(tensor);
  }
  /// @param tensor (M,K,..) @return (MMA,MMA_M,MMA_K,..)
  template <class TensorT> TS_HOST_DEVICE constexpr auto partition_A(TensorT&& tensor) const {
    return part<0, 2, typename Tiled::ALayout>(tensor);
  }
  /// @param tensor (N,K,..) @return (MMA,MMA_N,MMA_K,..)
  template <class TensorT> TS_HOST_DEVICE constexpr auto partition_B(TensorT&& tensor) const {
    return part<1, 2, typename Tiled::BLayout>(tensor);
  }

  /// Registers for this thread's part of a tensor, in the atom's types.
  template <class T>
  TS_HOST_DEVICE constexpr auto partition_fragment_C(T&& t) const { return Tiled::make_fragment_C(partition_C(t)); }
  template <class T>
  TS_HOST_DEVICE constexpr auto partition_fragment_A(T&& t) const { return Tiled::make_fragment_A(partition_A(t)); }
  template <class T>
  TS_HOST_DEVICE constexpr auto partition_fragment_B(T&& t) const { return Tiled::make_fragment_B(partition_B(t)); }

 private:
  template <int X, int Y, class AtomTV, class TensorT>
  TS_HOST_DEVICE constexpr auto part(TensorT&& tensor) const {
    auto const divided = folded([&] { return Tiled::template divide<X, Y, AtomTV>(tensor.layout()); });
    auto const mine = make_coord(get<0>(coord), make_coord(get<X + 1>(coord), get<Y + 1>(coord)));
    auto const rest = repeat<rank_v<decltype(shape<1, 1>(divided))>>(_);
    return detail::thread_part(tensor.data(), divided, make_coord(mine, make_coord(_, rest)));
  }
};

template <class Atom, class AtomLayout, class Permutation>
template <class Thread>
TS_HOST_DEVICE constexpr auto TiledMma<Atom, AtomLayout, Permutation>::slice(Thread const& thread) {
  auto const coord = detail::thread_coordinate(decltype(thread_layout()){}, thread);
  return ThrMma<TiledMma, remove_cvref_t<decltype(coord)>>{{}, coord};
}

/// @tparam AtomLayout   Layout<Shape<_2,_2,_1>>: two by two warps
/// @tparam Permutation  Tile<_32,_32,_16>, or `_` where nothing is asked for
template <class Operation, class AtomLayout = Layout<Shape<_1, _1, _1>>,
          class Permutation = Tile<Underscore, Underscore, Underscore>>
TS_HOST_DEVICE constexpr auto make_tiled_mma(MmaAtom<Operation> const&, AtomLayout const& = {},
                                             Permutation const& = {}) {
  constexpr int missing = 3 - rank_v<AtomLayout>;
  auto const layout = append<3>(AtomLayout{}, Layout<_1, _0>{});
  auto const tile = append<3>(Permutation{}, _);
  static_assert(missing >= 0, "make_tiled_mma: the layout of atoms has modes M, N and K: drop the others");
  return TiledMma<MmaAtom<Operation>, remove_cvref_t<decltype(layout)>, remove_cvref_t<decltype(tile)>>{};
}
/// The same of an operation without its atom: make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}).
template <class Operation, class... Arrangement>
  requires requires { typename MmaTraits<Operation>::Shape_MNK; }
TS_HOST_DEVICE constexpr auto make_tiled_mma(Operation const&, Arrangement const&... arrangement) {
  return make_tiled_mma(MmaAtom<Operation>{}, arrangement...);
}

}  // namespace tilestep
