#pragma once
// Copy a tensor to another of the same size: whole, element by element where a predicate holds, or in vectors. The
// memories may be any two: the types of the tensors choose the instructions.

#include <tilestep/algorithm/access.hpp>  // read, write, for_each_coordinate

#include <utility>  // std::declval

namespace tilestep {

namespace detail {
template <class Src, class Dst> inline constexpr bool unroll_copy = in_registers<Src> || in_registers<Dst>;

/// Do the types alone say that neighbours along a mode are neighbours in memory?
template <class TensorT, int Mode>
inline constexpr bool stride_one =
    is_constant_v<1, remove_cvref_t<decltype(get<Mode>(std::declval<TensorT>().stride()))>>;

/// Which mode of the walk is mode M: the walk's first mode, the fastest, is the last one of Order.
template <class Order, int M>
TS_HOST_DEVICE constexpr int walked_at() {
  constexpr int rank = tuple_size_v<Order>;
  int found = 0;
  static_for<rank>([&](auto i) {
    if (decltype(get<i.value>(Order{}))::value == M) found = i.value;
  });
  return rank - 1 - found;
}
}  // namespace detail

/// Copy src(c) to dst(c) wherever pred(c) is nonzero; every other element of dst keeps its value.
/// @param pred anything callable with a coordinate of src: a tensor of its shape, or a function
/// @param dst  has the extents of src; or another rank and its size, and an index counts the coordinates of all three
/// @par Errors  extents that differ, the predicate's among them, are a compile error or, at run time, one of require():
///     it names the mode
/// @par Source CuTe's `copy_if`; it does not fill with zeros
// [copy_if]
template <class Pred, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy_if(Pred const& pred, Src const& src, Dst&& dst) {
  using Out = typename remove_cvref_t<Dst>::value_type;
  auto const extents = detail::loop_over(src, dst, pred);
  detail::for_each_coordinate<detail::unroll_copy<Src, Dst>>(extents, [&](auto const& c) {
    typename Src::value_type value{};
    bool const wanted = detail::wants(pred, c);
    detail::read(src, c, &value, wanted);
    Out const converted = static_cast<Out>(value);
    detail::write(dst, c, &converted, wanted);
  });
}
// [copy_if]

/// Copy src(c) to dst(c) for every coordinate c, one element at a time.
template <class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy(Src const& src, Dst&& dst) {
  copy_if(Always{}, src, dst);
}

/// The order in which copy walks the modes, the mode along which it takes vectors, and the elements in one vector.
/// @par Source CK's `copy<DimAccessOrder, vector_dim, scalar_per_vector>`
template <class Order, int VectorMode, int ScalarsPerVector>
struct VectorAccess {
  static_assert(ScalarsPerVector == 1 || ScalarsPerVector == 2 || ScalarsPerVector == 4 || ScalarsPerVector == 8 ||
                    ScalarsPerVector == 16,
                "VectorAccess: a vector has 1, 2, 4, 8 or 16 elements");
};

/// Copy in vectors: along VectorMode, ScalarsPerVector elements at a time, where `pred` of the vector's first
/// coordinate holds.
/// @tparam Order  of the modes: Step<_0,_1> walks mode 0 outermost, mode 1 innermost
/// @pre both tensors have stride 1 along VectorMode, the extent there is static and a multiple of ScalarsPerVector, and
///     every vector starts at a multiple of its own size in bytes
template <class Order, int VectorMode, int ScalarsPerVector, class Pred, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy_if(VectorAccess<Order, VectorMode, ScalarsPerVector>, Pred const& pred,
                                                Src const& src, Dst&& dst) {
  using T = typename Src::value_type;
  static_assert(std::is_same_v<T, typename remove_cvref_t<Dst>::value_type>,
                "copy in vectors: source and destination must have one element type; convert in registers");
  constexpr int rank = rank_v<Src>;
  static_assert(tuple_size_v<Order> == rank && VectorMode < rank && rank_v<remove_cvref_t<Dst>> == rank,
                "copy in vectors: source, destination and order need as many modes: VectorMode is one of them");
  static_assert(detail::stride_one<Src, VectorMode> && detail::stride_one<remove_cvref_t<Dst>, VectorMode>,
                "copy in vectors: both tensors need a compile-time stride of 1 along the vector mode; choose another "
                "mode or one scalar per vector");
  auto const extents = detail::shared_extents(src, dst, pred);
  using Extent = tuple_element_t<VectorMode, decltype(extents)>;
  static_assert(
      is_static_v<Extent>,
      "copy in vectors: the extent of the vector mode must be known at compile time: tile it, or copy scalars");
  static_assert(
      Extent{} % ScalarsPerVector == 0,
      "copy in vectors: the extent of the vector mode must be a multiple of the vector: take shorter vectors");
  // Walk the modes in the order asked for, the vector mode in steps of one vector.
  auto const steps = replace<VectorMode>(extents, Extent{} / Int<ScalarsPerVector>{});
  auto const walk = [&]<int... I>(seq<I...>) {
    return make_shape(get<decltype(get<rank - 1 - I>(Order{}))::value>(steps)...);
  }(make_seq<rank>{});
  detail::for_each_coordinate<detail::unroll_copy<Src, Dst>>(walk, [&](auto const& w) {
    auto const place = [&](auto mode) {
      constexpr int at = detail::walked_at<Order, decltype(mode)::value>();
      if constexpr (decltype(mode)::value == VectorMode) return get<at>(w) * Int<ScalarsPerVector>{};
      else return get<at>(w);
    };
    auto const c = unwrap([&]<int... I>(seq<I...>) { return make_coord(place(Int<I>{})...); }(make_seq<rank>{}));
    T vector[ScalarsPerVector]{};
    bool const wanted = detail::wants(pred, c);
    detail::read<ScalarsPerVector>(src, c, vector, wanted);
    detail::write<ScalarsPerVector>(dst, c, vector, wanted);
  });
}
template <class Order, int VectorMode, int ScalarsPerVector, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy(VectorAccess<Order, VectorMode, ScalarsPerVector> access, Src const& src,
                                             Dst&& dst) {
  copy_if(access, Always{}, src, dst);
}

}  // namespace tilestep
