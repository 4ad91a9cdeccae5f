#pragma once
// A tensor that carries its own predicate. Its extents are rounded up to whole tiles, and it knows where the matrix
// ends: elements past that read as zeros, and what is written there is dropped. Divide, partition and copy it like any
// other tensor; every element asks for itself whether it exists.

#include <tilestep/algorithm.hpp>  // Tensor, pad, VectorAccess

#include <utility>  // std::declval

namespace tilestep {

/// An element of a padded tensor, which may lie past the end of the matrix.
template <class Ptr> struct PaddedElement {
  using element_type = typename ValueOf<Ptr>::type;
  using value_type = std::remove_const_t<element_type>;
  Ptr at;
  bool exists;
  TS_HOST_DEVICE constexpr operator value_type() const {
    if (!exists) return value_type{};
    return static_cast<value_type>(*at);
  }
  TS_HOST_DEVICE constexpr PaddedElement const& operator=(value_type const& value) const {
    static_assert(!std::is_const_v<element_type>, "pad: this tensor only reads: make it over a pointer that writes");
    if (exists) *at = value;
    return *this;
  }
};

/// An iterator that counts in coordinates, as that of an identity tensor does, and finds the memory of each.
/// @tparam Memory  the layout of the matrix itself, coordinate -> offset
template <class Ptr, class Memory, class Coord> struct PaddedIterator {
  using value_type = typename ValueOf<Ptr>::type;
  using memory = typename MemoryOf<Ptr>::type;
  Ptr begin;
  Memory layout;
  Coord coord;

  TS_HOST_DEVICE constexpr bool exists() const { return elem_less(coord, layout.shape()); }
  /// The element's address, or that of the first one where it does not exist.
  TS_HOST_DEVICE constexpr Ptr address() const { return begin + (exists() ? std::int64_t(layout(coord)) : 0); }
  TS_HOST_DEVICE constexpr PaddedElement<Ptr> operator*() const { return {address(), exists()}; }
  template <class Step> TS_HOST_DEVICE constexpr auto operator+(Step const& step) const {
    auto const sum = coord + as_coordinate(step);
    return PaddedIterator<Ptr, Memory, remove_cvref_t<decltype(sum)>>{begin, layout, sum};
  }
  template <class Step> TS_HOST_DEVICE constexpr auto operator[](Step const& step) const { return *(*this + step); }
};

/// Each mode rounded up to a multiple of its entry in `tile`: past the end of `tensor` the result reads zeros and drops
/// what is written.
/// @param tensor a view of memory   @param tile as pad of a layout takes it
/// @post result(c) is tensor(c) for all c inside tensor's shape, and 0 for the others
/// @par Source CK's `pad` of a layout, whose tensors do so
template <class Ptr, class L, class Tile>
TS_HOST_DEVICE constexpr auto pad(Tensor<View<Ptr>, L> const& tensor, Tile const& tile) {
  auto const layout = make_identity_layout(detail::padded(tensor.shape(), tile));
  auto const origin = repeat_like(layout.shape(), Int<0>{});
  return make_view(PaddedIterator<Ptr, L, remove_cvref_t<decltype(origin)>>{tensor.data(), tensor.layout(), origin},
                   layout);
}

/// One access of VEC elements, which all exist or all do not: zeros for those that do not.
/// @pre VEC divides the true extent of the mode along which the elements are neighbours
template <int VEC, class Ptr, class Memory, class Coord, class T>
TS_DEVICE TS_INLINE void load_if(PaddedIterator<Ptr, Memory, Coord> const& from, T* registers, bool pred) {
  bool const exists = from.exists();
  if (pred && !exists) unroll<VEC>([&](auto v) { registers[v] = T{}; });
  load_if<VEC>(from.address(), registers, pred && exists);
}
/// The same way back: what does not exist is not written.
template <int VEC, class Ptr, class Memory, class Coord, class T>
TS_DEVICE TS_INLINE void store_if(PaddedIterator<Ptr, Memory, Coord> const& to, T const* registers, bool pred) {
  store_if<VEC>(to.address(), registers, pred && to.exists());
}

namespace detail {
/// Are steps in this direction neighbours in memory of this layout?
template <class Direction, class Memory> inline constexpr bool neighbours_along = false;
template <int... N, class Memory>
inline constexpr bool neighbours_along<ScaledBasis<Int<1>, N...>, Memory> =
    is_constant_v<1, decltype(get<N...>(std::declval<Memory>().stride()))>;

template <class Ptr, class Memory, class Coord, class L, int Mode>
inline constexpr bool stride_one<Tensor<View<PaddedIterator<Ptr, Memory, Coord>>, L>, Mode> =
    in_device_memory<Tensor<View<PaddedIterator<Ptr, Memory, Coord>>, L>> &&
    neighbours_along<remove_cvref_t<decltype(get<Mode>(std::declval<L>().stride()))>, Memory>;
}  // namespace detail

}  // namespace tilestep
