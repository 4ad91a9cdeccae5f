#pragma once
// How an algorithm walks over a tensor and touches its elements, whatever memory they live in. Global and shared memory
// go through the backend's loads and stores: instructions on a GPU, one recorded event each on the virtual GPU.
// Registers and host memory are ordinary objects.

#include <tilestep/tensor.hpp>  // Tensor, for_each_index

namespace tilestep {

/// The predicate of a copy without one.
struct Always {
  template <class Coord>
  TS_HOST_DEVICE constexpr true_type operator()(Coord const&) const { return {}; }
};

namespace detail {

template <class TensorT>
inline constexpr bool in_device_memory = std::is_same_v<memory_t<TensorT>, GlobalMemory> ||
                                         std::is_same_v<memory_t<TensorT>, SharedMemory>;
template <class TensorT>
inline constexpr bool in_registers = std::is_same_v<memory_t<TensorT>, RegisterMemory>;

/// False where the types alone say that two extents differ.
template <class P, class Q>
inline constexpr bool same_extent = true;
template <auto p, auto q>
inline constexpr bool same_extent<C<p>, C<q>> = p == q;

/// The extent of one mode, or of the whole where Mode is -1, that two tensors share.
template <int Mode, class S, class D> TS_HOST_DEVICE constexpr auto shared_extent(S const& s, D const& d) {
  constexpr bool same = same_extent<S, D>;
  static_assert(same || Mode != -1, "source, destination or predicate differs in size: tile all alike");
  static_assert(same || Mode != 0, "mode 0 of source, destination or predicate differs in extent: tile all alike");
  static_assert(same || Mode != 1, "mode 1 of source, destination or predicate differs in extent: tile all alike");
  static_assert(same || Mode != 2, "mode 2 of source, destination or predicate differs in extent: tile all alike");
  static_assert(same || Mode < 3,
                "mode 3 of source, destination or predicate differs in extent, or a later mode: tile "
                "all alike");
  require(s == d, Mode == -1  ? "source, destination or predicate differs in size: tile all alike"
                  : Mode == 0 ? "mode 0 of source, destination or predicate differs in extent: tile all alike"
                  : Mode == 1 ? "mode 1 of source, destination or predicate differs in extent: tile all alike"
                  : Mode == 2 ? "mode 2 of source, destination or predicate differs in extent: tile all alike"
                              : "mode 3 of source, destination or predicate differs in extent, or a later mode: tile "
                                "all alike");
  if constexpr (is_static_v<S>) return s;
  else return d;
}
/// The extents that two shapes share, one integer a mode: the compile-time one where only one of the two knows it.
/// Shapes of other ranks are walked by one index, first mode fastest.
template <class S, class D> TS_HOST_DEVICE constexpr auto shared_shape(S const& s, D const& d) {
  if constexpr (rank_v<S> != rank_v<D>) {
    return shared_extent<-1>(size(s), size(d));
  } else {
    return [&]<int... I>(seq<I...>) {
      return Tuple<decltype(shared_extent<I>(size<I>(s), size<I>(d)))...>{
          shared_extent<I>(size<I>(s), size<I>(d))...};  // braces: mode 0 first
    }(make_seq<rank_v<S>>{});
  }
}
/// The extents that source and destination share, and the predicate where it is a tensor.
template <class Src, class Dst, class Pred = Always>
TS_HOST_DEVICE constexpr auto shared_extents(Src const& src, Dst const& dst, Pred const& pred = {}) {
  auto const extents = shared_shape(src.shape(), dst.shape());
  if constexpr (is_tensor_v<Pred>) return shared_shape(extents, pred.shape());
  else return extents;
}

/// Does a predicate take coordinates of numbers as well as of types? One of the user's may index registers.
template <class Pred> inline constexpr bool takes_numbers = std::is_same_v<Pred, Always>;
/// The extents that source, destination and predicate share, for a loop over their elements.
template <class S, class D, class P> TS_HOST_DEVICE constexpr auto loop_over(S const& src, D const& dst, P const& p) {
  return loop_extents<takes_numbers<P>>(shared_extents(src, dst, p));
}

/// Call f on every coordinate of `shape`, first mode fastest or last mode fastest: integers where it has one mode,
/// tuples of integers elsewhere.
template <bool Unroll, bool LastFastest = false, class Shape, class F, class... Outer>
TS_INLINE TS_HOST_DEVICE constexpr void for_each_coordinate(Shape const& shape, F&& f, Outer const&... outer) {
  if constexpr (!is_tuple_v<Shape>) {
    for_each_index<Unroll>(shape, f);
  } else if constexpr (sizeof...(Outer) == tuple_size_v<Shape>) {
    if constexpr (sizeof...(Outer) == 1) f(outer...);
    else f(make_coord(outer...));
  } else {
    constexpr int mode = LastFastest ? int(sizeof...(Outer)) : tuple_size_v<Shape> - 1 - int(sizeof...(Outer));
    for_each_index<Unroll>(size(get<mode>(shape)), [&](auto i) TS_INLINE_LAMBDA {
      if constexpr (LastFastest) for_each_coordinate<Unroll, true>(shape, f, outer..., i);
      else for_each_coordinate<Unroll>(shape, f, i, outer...);
    });
  }
}

/// Whether the predicate wants coordinate c. A kernel's predicate may be callable on the device alone.
TS_CALLS_ANY
template <class Pred, class Coord>
TS_INLINE TS_HOST_DEVICE constexpr bool wants(Pred const& pred, Coord const& c) { return static_cast<bool>(pred(c)); }

/// Read the VEC elements that start at `coord` into `registers`. Where `pred` is false nothing is read.
TS_CALLS_ANY
template <int VEC = 1, class TensorT, class Coord, class T>
TS_INLINE TS_HOST_DEVICE constexpr void read(TensorT const& src, Coord const& coord, T* registers, bool pred = true) {
  if constexpr (in_device_memory<TensorT>) {
    load_if<VEC>(src.data() + src.layout()(coord), registers, pred);
  } else if (pred) {
    if constexpr (VEC == 1) registers[0] = src.data()[src.layout()(coord)];
    else unroll<VEC>([&](auto v) { registers[v] = (src.data() + src.layout()(coord))[v]; });
  }
}

/// Write the VEC elements that start at `coord` from `registers`. Where `pred` is false nothing is written.
TS_CALLS_ANY
template <int VEC = 1, class TensorT, class Coord, class T>
TS_INLINE TS_HOST_DEVICE constexpr void write(TensorT&& dst, Coord const& coord, T const* registers, bool pred = true) {
  if constexpr (in_device_memory<TensorT>) {
    store_if<VEC>(dst.data() + dst.layout()(coord), registers, pred);
  } else if (pred) {
    if constexpr (VEC == 1) dst.data()[dst.layout()(coord)] = registers[0];
    else unroll<VEC>([&](auto v) { (dst.data() + dst.layout()(coord))[v] = registers[v]; });
  }
}

}  // namespace detail

}  // namespace tilestep
