#pragma once
// Many copy instructions side by side: all threads of a block copying one tile, and that tile repeated. A TiledCopy
// says which elements each thread reads and which it writes. The two differ for instructions whose lanes exchange
// elements.

#include <tilestep/atom/copy_atom.hpp>  // CopyAtom
#include <tilestep/atom/tiled_mma.hpp>  // TiledMma

namespace tilestep {

/// @tparam Atom      a CopyAtom
/// @tparam LayoutTV  (thread,value) -> (m,n) in the tile, column-major
/// @tparam Tiler     the tile's extents, one a mode
template <class Atom, class LayoutTV, class Tiler>
struct TiledCopy : Atom {
  using Tiler_MN = Tiler;
  using TiledLayoutTV = LayoutTV;
  static constexpr int atom_threads = size_v<typename Atom::ThrID>;
  static constexpr int atom_values = decltype(tilestep::size<1>(typename Atom::ValLayoutRef{}))::value;
  static constexpr int threads = decltype(tilestep::size<0>(LayoutTV{}))::value;
  static_assert(threads % atom_threads == 0,
                "TiledCopy: the instruction needs a multiple of its threads: give the tile more threads");
  static_assert(decltype(tilestep::size<1>(LayoutTV{}))::value % atom_values == 0,
                "TiledCopy: each thread's values must be a multiple of the instruction's: give each thread more "
                "values, or take a narrower instruction");

  TS_HOST_DEVICE static constexpr auto size() { return Int<threads>{}; }

  /// ((AtomThr,RestThr),(AtomV,RestV)) -> (m,n) in the tile, on the side whose values are laid out as Side.
  template <class Side>
  TS_HOST_DEVICE static constexpr auto thread_values() {
    // ((AtomThr,AtomV),(RestThr,RestV)) -> (m,n)
    auto const atoms = zipped_divide(LayoutTV{}, make_shape(Int<atom_threads>{}, Int<atom_values>{}));
    // side's (thread,value) -> reference's
    auto const to_side = composition(right_inverse(typename Atom::ValLayoutRef{}), Side{});
    auto const side = composition(atoms, make_tile(to_side, _));
    return coalesce(zip(get<0>(side), get<1>(side)), Shape<_1, Shape<_1, _1>>{});
  }
  /// (M,N,..) -> ((Thr,(FrgV,FrgX)),(RestM,RestN,..))
  template <class Side, class TensorT>
  TS_HOST_DEVICE static constexpr auto divide(TensorT const& tensor) {
    auto const tiles = zipped_divide(tensor, Tiler{});  // ((TileM,TileN),(RestM,RestN,..))
    return composition(tiles, make_tile(decltype(thread_values<Side>()){}, _));
  }

  /// What thread `thread` copies. @param thread 0 .. size()-1
  template <class Thread>
  TS_HOST_DEVICE static constexpr auto slice(Thread const& thread);
  /// The same by CuTe's names.
  template <class Thread>
  TS_HOST_DEVICE static constexpr auto get_slice(Thread const& thread) { return slice(thread); }
  template <class Thread>
  TS_HOST_DEVICE static constexpr auto get_thread_slice(Thread const& thread) { return slice(thread); }

  /// A fragment as an MmaAtom arranges it, seen as this copy fills it. @param fragment (V,M,N) @return
  /// (CPY,CPY_M,CPY_N)
  template <class TensorT>
  TS_HOST_DEVICE static constexpr auto retile(TensorT&& fragment) {
    auto const layout = fragment.layout();
    constexpr int V = decltype(tilestep::size<0>(layout))::value;
    // (m,n) -> fragment
    auto const fragments = upcast<threads * V>(composition(right_inverse(LayoutTV{}), make_layout(Tiler{})));
    // (AtomV,RestV) -> (v,m,n)
    auto const values = zipped_divide(logical_product(make_layout(Int<V>{}), right_inverse(fragments)),
                                      make_layout(Int<atom_values>{}));
    // ((TileV,TileM,TileN),(1,RestM,RestN))
    auto const tiles = zipped_divide(layout, prepend(product_each(fragments.shape()), Int<V>{}));
    auto const copied = composition(tiles, make_tile(values, _));  // ((AtomV,RestV),(1,RestM,RestN))
    return make_view(fragment.data(), copied(_, append<rank_v<decltype(layout)>>(make_coord(_0{}), _)));
  }
  /// The same by CuTe's names, of what is read and of what is written.
  template <class TensorT>
  TS_HOST_DEVICE static constexpr auto retile_S(TensorT&& fragment) { return retile(fragment); }
  template <class TensorT>
  TS_HOST_DEVICE static constexpr auto retile_D(TensorT&& fragment) { return retile(fragment); }
};

/// One thread's view of a TiledCopy.
template <class Tiled, class Thread>
struct ThrCopy : Tiled {
  Thread thread;

  /// What this thread reads. @param tensor (M,N,..) @return (CPY,CPY_M,CPY_N,..)
  template <class TensorT> TS_HOST_DEVICE constexpr auto partition_S(TensorT&& tensor) const {
    return part<typename Tiled::ValLayoutSrc>(tensor);
  }
  /// What this thread writes. @param tensor (M,N,..) @return (CPY,CPY_M,CPY_N,..)
  template <class TensorT> TS_HOST_DEVICE constexpr auto partition_D(TensorT&& tensor) const {
    return part<typename Tiled::ValLayoutDst>(tensor);
  }

 private:
  template <class Side, class TensorT>
  TS_HOST_DEVICE constexpr auto part(TensorT&& tensor) const {
    // ((Thr,(FrgV,FrgX)),(RestM,RestN,..))
    auto const divided = folded([&] { return Tiled::template divide<Side>(tensor.layout()); });
    auto const rest = repeat<rank_v<decltype(shape<1>(divided))>>(_);
    return detail::thread_part(tensor.data(), divided, make_coord(make_coord(thread, _), rest));
  }
};

template <class Atom, class LayoutTV, class Tiler>
template <class Thread>
TS_HOST_DEVICE constexpr auto TiledCopy<Atom, LayoutTV, Tiler>::slice(Thread const& thread) {
  return ThrCopy<TiledCopy, Thread>{{}, thread};
}

/// @param threads (THR_M,THR_N) -> thread   @param values (VAL_M,VAL_N) -> value: what each thread copies in one pass
template <class Operation, class T, class Threads, class Values = Layout<_1>>
TS_HOST_DEVICE constexpr auto make_tiled_copy(CopyAtom<Operation, T> const&, Threads const& threads,
                                              Values const& values = {}) {
  auto const tile = raked_product(threads, values);  // (M,N) -> (thread,value)
  auto const tv = composition(right_inverse(tile), make_layout(make_shape(size(threads), size(values))));
  auto const tiler = product_each(tile.shape());
  return TiledCopy<CopyAtom<Operation, T>, remove_cvref_t<decltype(tv)>, remove_cvref_t<decltype(tiler)>>{};
}

namespace detail {
template <int X, int Y, class AtomTV, class Operation, class T, class Mma>
TS_HOST_DEVICE constexpr auto tiled_copy_for(CopyAtom<Operation, T> const&, Mma const&) {
  auto const tv = Mma::template operand_tv<X, Y, AtomTV>();
  auto const tiler = make_shape(Mma::template tile_size<X>(), Mma::template tile_size<Y>());
  return TiledCopy<CopyAtom<Operation, T>, remove_cvref_t<decltype(tv)>, remove_cvref_t<decltype(tiler)>>{};
}
}  // namespace detail

/// The copy that fills, or empties, the fragments of an operand of `mma`.
template <class Operation, class T, class Mma>
TS_HOST_DEVICE constexpr auto make_tiled_copy_A(CopyAtom<Operation, T> const& atom, Mma const& mma) {
  return detail::tiled_copy_for<0, 2, typename Mma::ALayout>(atom, mma);
}
template <class Operation, class T, class Mma>
TS_HOST_DEVICE constexpr auto make_tiled_copy_B(CopyAtom<Operation, T> const& atom, Mma const& mma) {
  return detail::tiled_copy_for<1, 2, typename Mma::BLayout>(atom, mma);
}
template <class Operation, class T, class Mma>
TS_HOST_DEVICE constexpr auto make_tiled_copy_C(CopyAtom<Operation, T> const& atom, Mma const& mma) {
  return detail::tiled_copy_for<0, 1, typename Mma::CLayout>(atom, mma);
}

}  // namespace tilestep
