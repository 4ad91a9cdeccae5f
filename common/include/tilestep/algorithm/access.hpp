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

template <class S, class D>
TS_HOST_DEVICE constexpr auto shared_extent(S const& s, D const& d) {
  static_assert(same_extent<S, D>, "source and destination differ in size, or in a mode's extent: tile both alike");
  require(s == d, "source and destination differ in size, or in a mode's extent: tile both alike");
  if constexpr (is_static_v<S>) return s;
  else return d;
}
/// The extents that source and destination share, one integer a mode: the compile-time one where only one of the two
/// knows it. Tensors of other ranks are walked by one index, first mode fastest.
template <class Src, class Dst>
TS_HOST_DEVICE constexpr auto shared_extents(Src const& src, Dst const& dst) {
  if constexpr (rank_v<Src> != rank_v<Dst>) {
    return shared_extent(size(src), size(dst));
  } else {
    return transform(product_each(src.shape()), product_each(dst.shape()),
                     [](auto const& s, auto const& d) { return shared_extent(s, d); });
  }
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

/// Does a predicate take coordinates of numbers as well as of types? One of the user's may index registers.
template <class Pred> inline constexpr bool takes_numbers = false;
template <> inline constexpr bool takes_numbers<Always> = true;

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
