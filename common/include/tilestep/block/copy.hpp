#pragma once
// Copies by atoms. Partitioned by a TiledCopy, a tensor has the values of one instruction in its first mode; the
// instruction runs for every coordinate of the others. `blockwise_copy` partitions and copies: a tile, by all threads
// of a block. It does not wait for them.

#include <tilestep/algorithm.hpp>         // copy, detail::read, detail::write
#include <tilestep/atom/async_copy.hpp>   // asynchronous copies
#include <tilestep/atom/ldmatrix.hpp>     // copies of a whole warp
#include <tilestep/atom/tiled_copy.hpp>   // TiledCopy
#include <tilestep/atom/vector_copy.hpp>  // ZeroFillCopy, AutoVectorizingCopyWithAssumedAlignment
#include <tilestep/backend/kernel.hpp>    // lane_index, uniform

#include <utility>                        // std::declval

namespace tilestep {

namespace detail {
/// `true_type` where the type of the predicate says so, else a bool.
TS_CALLS_ANY
template <class Pred, class Coord>
TS_INLINE TS_HOST_DEVICE constexpr auto predicate(Pred const& pred, Coord const& c) {
  if constexpr (std::is_same_v<Pred, Always>) return true_type{};
  else return static_cast<bool>(pred(c));
}

template <class Operation> inline constexpr int access_bits = 0;
template <class S, class D> inline constexpr int access_bits<UniversalCopy<S, D>> = sizeof_bits_v<S>;
template <int Bits> inline constexpr int access_bits<ZeroFillCopy<Bits>> = Bits;
template <class Operation> inline constexpr bool fills_with_zeros = false;
template <int Bits> inline constexpr bool fills_with_zeros<ZeroFillCopy<Bits>> = true;
/// Asynchronous operations, whose copies copy_vector() issues one by one.
template <class Operation> inline constexpr bool copies_vectors = false;
template <class S, class D> inline constexpr bool copies_vectors<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<S, D>> = true;
template <class S> inline constexpr bool copies_vectors<CDNA_BUFFER_LOAD_LDS<S>> = true;

/// Refuse a swizzle of a static layout under which no part of an offset would stay a constant; on every backend alike,
/// also where constants gain nothing.
template <class L>
TS_HOST_DEVICE constexpr void check_swizzle() {
  if constexpr (is_composed_layout_v<L> && is_static_v<decltype(unswizzled(std::declval<L>()))>)
    static_assert(
        decltype(std::declval<L>().layout_a())::shift > 0,
        "copy: a swizzle of shared memory changes low bits of the offset by higher ones: give it a positive shift");
}
// [swizzled]
/// The offset of the element at `inner` of the layout before swizzling. A swizzle changes nothing that is a multiple of
/// its period: that part stays a constant, which an address takes for free.
template <class L, class Inner>
TS_HOST_DEVICE constexpr auto swizzled(L const& layout, Inner const& inner) {
  if constexpr (!is_composed_layout_v<L>) {
    return inner;
  } else if constexpr (is_static_v<Inner>) {
    using Function = decltype(layout.layout_a());
    check_swizzle<L>();
    constexpr int period = 1 << (Function::base + Function::shift + Function::bits),
                  high = int(Inner::value) / period * period;
    return layout.layout_a()(layout.offset() + Int<int(Inner::value) - high>{}) + Int<high>{};
  } else {
    return layout.layout_a()(layout.offset() + inner);
  }
}
// [swizzled]
/// Where element i of a static layout lies, a type if i is one.
template <class L, class Index>
TS_HOST_DEVICE constexpr auto offset_of(Index const& i) {
  if constexpr (is_static_v<Index>) return Int<int(L{}(Index::value))>{};
  else return int(L{}(i));
}
/// Are the first VEC elements of mode 0 side by side?
template <class L, int VEC>
inline constexpr bool is_vector = VEC == 1 || [] {
  using Plain = decltype(unswizzled(std::declval<L>()));
  if constexpr (is_static_v<decltype(get<0>(std::declval<Plain>()))>)
    return VEC <= kept_together<L> && side_by_side<decltype(get<0>(Plain{})), 0, VEC>;
  else return false;
}();

/// Registers that hold the VEC elements of an access side by side, in the type T of the other side. A compiler keeps
/// such a vector whole: 16-bit elements that are moved one by one would be unpacked and packed again.
template <class T, class TensorT, int VEC>
inline constexpr bool keeps_vector = [] {
  if constexpr (in_registers<TensorT> && std::is_same_v<typename TensorT::value_type, T>)
    return is_vector<typename TensorT::layout_type, VEC>;
  else return false;
}();

/// Read the values of one instruction, from c on.
template <class Operation, int VEC, class Src, class Coord, class T, class Pred>
TS_INLINE TS_HOST_DEVICE constexpr void read_vector(Src const& src, Coord const& c, T* vector, Pred pred) {
  if constexpr (in_registers<Src>) {
    for_each_step(Int<VEC>{},
                  [&](auto v) { vector[v] = src.data()[src.layout()(make_coord(get<0>(c) + v, get<1>(c)))]; });
  } else {
    static_assert(is_vector<typename Src::layout_type, VEC>,
                  "copy: the elements of one access must stand side by side in memory: give the thread a run of them "
                  "along the mode of stride 1, or take narrower accesses");
    if constexpr (fills_with_zeros<Operation> && access_bits<Operation> == 128 &&
                  std::is_same_v<memory_t<Src>, GlobalMemory>) {
      load_or_zero<VEC>(src.data(), src.layout()(c), vector, pred);
    } else {
      if constexpr (fills_with_zeros<Operation>) for_each_step(Int<VEC>{}, [&](auto v) { vector[v] = T{}; });
      load_if<VEC>(src.data() + swizzled(src.layout(), unswizzled(src.layout())(c)), vector, bool(pred));
    }
  }
}
/// Write them.
template <int VEC, class Dst, class Coord, class T>
TS_INLINE TS_HOST_DEVICE constexpr void write_vector(Dst& dst, Coord const& c, T const* vector, bool pred) {
  if constexpr (in_registers<Dst>) {
    for_each_step(Int<VEC>{}, [&](auto v) {
      if (pred) dst.data()[dst.layout()(make_coord(get<0>(c) + v, get<1>(c)))] = vector[v];
    });
  } else {
    static_assert(is_vector<typename Dst::layout_type, VEC>,
                  "copy: the elements of one access must stand side by side in memory: give the thread a run of them "
                  "along the mode of stride 1, or take narrower accesses");
    store_if<VEC>(dst.data() + swizzled(dst.layout(), unswizzled(dst.layout())(c)), vector, pred);
  }
}

}  // namespace detail

/// Copy in accesses of the atom, each where `pred` of its first element holds; pred takes that element's index in src.
/// From memory to memory, accesses of 32 bits and more read everything before the first write. There would be too many
/// narrower ones for that: each of them reads and then writes.
/// @param src (CPY,CPY_M,..) as a TiledCopy partitions it
/// @param dst of the same extents, in elements of any type: they are converted
template <class Operation, class T, class Pred, class Src, class Dst>
  requires(detail::access_bits<Operation> > 0)
TS_INLINE TS_HOST_DEVICE constexpr void copy_if(CopyAtom<Operation, T> const& atom, Pred const& pred, Src const& src,
                                                Dst&& dst) {
  using In = typename Src::value_type;
  using Out = typename remove_cvref_t<Dst>::value_type;
  constexpr bool zeros = detail::fills_with_zeros<Operation>;
  constexpr bool memory_to_memory = detail::in_device_memory<Src> && detail::in_device_memory<Dst>;
  if constexpr (memory_to_memory && detail::access_bits<Operation> >= 32) {
    auto fragment = make_fragment_like<In>(src);
    copy_if(atom, pred, src, fragment);
    if constexpr (zeros) copy_if(atom, Always{}, fragment, dst);
    else copy_if(atom, pred, fragment, dst);
  } else {
    constexpr int vec = detail::access_bits<Operation> / sizeof_bits_v<In>;
    auto const s = group_modes<1, remove_cvref_t<Src>::rank>(make_view(src.data(), src.layout()));     // (CPY,rest)
    auto const d = group_modes<1, remove_cvref_t<Src>::rank>(make_view(dst.data(), dst.layout()));     // (CPY,rest)
    using S = remove_cvref_t<decltype(s)>;
    using D = remove_cvref_t<decltype(d)>;
    auto const one = [&](auto const& c) {
      auto const wanted = detail::predicate(pred, get<0>(c) + get<1>(c) * size<0>(s));
      if constexpr (detail::keeps_vector<Out, S, vec>) {
        detail::write_vector<vec>(d, c, (s.data() + int(s.layout()(c))).get(), zeros || bool(wanted));
      } else if constexpr (detail::keeps_vector<In, D, vec>) {
        detail::read_vector<Operation, vec>(s, c, (d.data() + int(d.layout()(c))).get(), wanted);
      } else {
        In in[vec];
        Out out[vec];
        detail::read_vector<Operation, vec>(s, c, in, wanted);
        detail::for_each_step(Int<vec>{}, [&](auto v) { out[v] = static_cast<Out>(in[v]); });
        detail::write_vector<vec>(d, c, out, zeros || bool(wanted));
      }
    };
    if constexpr (!memory_to_memory) detail::check_swizzle<typename S::layout_type>();
    if constexpr (!memory_to_memory) detail::check_swizzle<typename D::layout_type>();
    constexpr bool numbers = detail::takes_numbers<Pred>;
    auto const row = [&](auto r) {
      detail::for_each_step<numbers>(Int<decltype(size<0>(s))::value / vec>{},
                                     [&](auto i) { one(make_coord(i * Int<vec>{}, r)); });
    };
    if constexpr (memory_to_memory) {
      for (int r = 0; r < int(size<1>(s)); ++r) row(r);
    } else {
      detail::for_each_step<numbers>(size<1>(s), row);
    }
  }
}
template <class Operation, class T, class Src, class Dst>
  requires(detail::access_bits<Operation> > 0)
TS_INLINE TS_HOST_DEVICE constexpr void copy(CopyAtom<Operation, T> const& atom, Src const& src, Dst&& dst) {
  copy_if(atom, Always{}, src, dst);
}

/// The R-th, or all, of a thread's asynchronous copies from global to shared memory: each is in flight until this
/// thread waits for it, and fills with zeros where `pred` of its first element does not hold.
/// @param src (CPY,CPY_M,..) in global memory   @param dst (CPY,CPY_M,..) in shared memory, of the same type
/// @pre a copy of a whole warp: every lane takes part, lane l's vector lies l vectors behind lane 0's, and from one
///     vector of a thread to its next is a multiple of what the destination's swizzle repeats after
template <int R, class Operation, class T, class Pred, class Src, class Dst>
  requires(detail::copies_vectors<Operation>)
TS_INLINE TS_HOST_DEVICE constexpr void copy_vector(CopyAtom<Operation, T> const&, Pred const& pred, Src const& src,
                                                    Dst&& dst) {
  constexpr int vec = CopyTraits<Operation>::bytes / int(sizeof(T)), rank = remove_cvref_t<Src>::rank;
  auto const s = group_modes<1, rank>(make_view(src.data(), src.layout()));                     // (CPY,rest)
  auto const d = group_modes<1, rank>(make_view(dst.data(), dst.layout()));                     // (CPY,rest)
  static_assert(decltype(size<0>(s))::value == vec && detail::is_vector<decltype(s.layout()), vec> &&
                    detail::is_vector<decltype(d.layout()), vec>,
                "copy: an asynchronous copy moves one run of neighbours: partition both tensors with this atom, along "
                "the mode of stride 1");
  constexpr auto c = make_coord(Int<0>{}, Int<R>{});
  auto const plain = detail::unswizzled(d.layout());
  if constexpr (std::is_same_v<typename CopyTraits<Operation>::ThrID, Layout<_64>>) {
    // the warp's first vector; a plain layout leaves the lane's place in the pointer
    int const mine = int(detail::swizzled(d.layout(), Int<0>{})) - lane_index() * vec;
    int const first = is_composed_layout_v<remove_cvref_t<decltype(d.layout())>> ? uniform(mine) : mine;
    async_copy_warp<vec>(dst.data() + (first + plain(c)), src.data(), s.layout()(c),
                         bool(detail::predicate(pred, Int<R * vec>{})));
  } else {
    auto const to = dst.data() + detail::swizzled(d.layout(), plain(c));
    async_copy<vec, CacheAt::l2>(to, src.data() + s.layout()(c), bool(detail::predicate(pred, Int<R * vec>{})));
  }
}
template <class Operation, class T, class Pred, class Src, class Dst>
  requires(detail::copies_vectors<Operation>)
TS_INLINE TS_HOST_DEVICE constexpr void copy_if(CopyAtom<Operation, T> const& atom, Pred const& pred, Src const& src,
                                                Dst&& dst) {
  static_for<decltype(size(src))::value / (CopyTraits<Operation>::bytes / int(sizeof(T)))>(
      [&](auto r) TS_INLINE_LAMBDA { copy_vector<r.value>(atom, pred, src, dst); });
}

/// Copy by instructions of a whole warp, such as ldmatrix.
/// @param src (CPY,CPY_M,..), static layout, in shared memory
/// @param dst (CPY,CPY_M,..) in registers, as retile() arranges a fragment
template <class Operation, class T, class Src, class Dst>
  requires(CopyTraits<Operation>::registers > 0)
TS_INLINE TS_HOST_DEVICE constexpr void copy(CopyAtom<Operation, T> const&, Src const& src, Dst&& dst) {
  // of each lane: the elements of its row, and those that it receives
  constexpr int given = 16 / int(sizeof(T)), taken = CopyTraits<Operation>::registers * 4 / int(sizeof(T));
  detail::for_each_step(Int<decltype(size(src))::value / given>{}, [&](auto r) {
    detail::check_swizzle<typename Src::layout_type>();
    auto const inner = detail::offset_of<decltype(detail::unswizzled(src.layout()))>(r * Int<given>{});
    std::uint32_t registers[CopyTraits<Operation>::registers];
    CopyTraits<Operation>::load(src.data() + detail::swizzled(src.layout(), inner), registers);
    detail::from_registers<T, taken>(registers, dst, r * Int<taken>{});
  });
}

/// The way back, such as by stmatrix.
/// @param src (CPY,CPY_M,..) in registers, as retile() arranges a fragment
/// @param dst (CPY,CPY_M,..), static layout, in shared memory
template <class Operation, class T, class Src, class Dst>
  requires(CopyTraits<Operation>::registers_given > 0)
TS_INLINE TS_HOST_DEVICE constexpr void copy(CopyAtom<Operation, T> const&, Src const& src, Dst&& dst) {
  constexpr int values = CopyTraits<Operation>::registers_given * 4 / int(sizeof(T));  // of each lane
  using L = remove_cvref_t<decltype(src.layout())>;
  detail::for_each_step(Int<decltype(size(src))::value / values>{}, [&](auto r) {
    detail::check_swizzle<typename remove_cvref_t<Dst>::layout_type>();
    auto const inner = detail::offset_of<decltype(detail::unswizzled(dst.layout()))>(r * Int<values>{});
    auto const one = make_view(src.data() + detail::offset_of<L>(r * Int<values>{}),
                               decltype(composition(L{}, Layout<Int<values>>{})){});                       // (V)
    std::uint32_t registers[CopyTraits<Operation>::registers_given];
    detail::to_registers<T>(one, registers);
    CopyTraits<Operation>::store(dst.data() + detail::swizzled(dst.layout(), inner), registers);
  });
}

/// Copy from memory to registers in the widest accesses that both the layout and Bits allow.
/// @param src static layout, in memory   @param dst static layout, in registers
template <int Bits, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy(AutoVectorizingCopyWithAssumedAlignment<Bits> const&, Src const& src,
                                             Dst&& dst) {
  using T = typename Src::value_type;
  // Where memory holds neighbours, and how many of them: offset -> coordinate.
  auto const plain = detail::unswizzled(src.layout());
  auto const neighbours = right_inverse(plain);
  constexpr int asked = Bits / sizeof_bits_v<T>, together = detail::kept_together<typename Src::layout_type>;
  constexpr int widest = asked < together ? asked : together, run = decltype(size(neighbours))::value;
  constexpr int vec = run % widest == 0            ? widest
                      : run % 8 == 0 && widest > 8 ? 8
                      : run % 4 == 0 && widest > 4 ? 4
                      : run % 2 == 0 && widest > 2 ? 2
                                                   : 1;
  auto const vector = composition(neighbours, make_layout(Int<vec>{}));
  using S = decltype(logical_divide(plain, vector));                                            // (vector,rest)
  using D = decltype(logical_divide(dst.layout(), vector));                                     // (vector,rest)
  detail::for_each_step(Int<decltype(size(src))::value / vec>{}, [&](auto r) {
    detail::check_swizzle<typename Src::layout_type>();
    auto const first = r * Int<vec>{};
    T values[vec];
    load<vec>(src.data() + detail::swizzled(src.layout(), detail::offset_of<S>(first)), values);
    if constexpr (vec * sizeof(T) >= 4) {
      using Register = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
      Register registers[vec * sizeof(T) / sizeof(Register)];
      __builtin_memcpy(registers, values, sizeof(values));
      detail::from_registers<T, vec>(registers, make_view(dst.data(), D{}), first);
    } else {
      detail::for_each_step(Int<vec>{}, [&](auto v) { dst.data()[int(D{}(int(first) + int(v)))] = values[v]; });
    }
  });
}

/// Copy a tile by all threads of a block, each its part. It does not synchronise: wait before others read `dst`.
/// @param thread 0 .. size(tiled) - 1   @param src (M,N)   @param dst (M,N)
/// @par Source CK's `blockwise_copy`
// [blockwise_copy]
template <class Tiled, class Thread, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void blockwise_copy(Tiled const& tiled, Thread const& thread, Src const& src,
                                                       Dst&& dst) {
  auto const mine = tiled.slice(thread);
  copy(tiled, mine.partition_S(src), mine.partition_D(dst));
}
// [blockwise_copy]

}  // namespace tilestep
