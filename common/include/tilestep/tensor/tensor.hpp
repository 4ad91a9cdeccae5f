#pragma once
// A tensor is memory seen through a layout: tensor(coordinate) is data()[layout()(coordinate)]. The type of its data
// says which memory it is: global and shared pointers come from the backend, registers are owned by the tensor itself.
// A coordinate with `_` in some modes gives the sub-tensor of those modes: a view, nothing is copied.

#include <tilestep/backend/kernel.hpp>   // what a kernel may call
#include <tilestep/backend/memory.hpp>   // GlobalMemory, SharedMemory, RegisterMemory, GenericMemory
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, SharedPtr, describe
#include <tilestep/backend/require.hpp>  // require
#include <tilestep/layout.hpp>           // Layout
#include <tilestep/tensor/loop.hpp>      // for_each_index
#include <tilestep/tensor/range.hpp>     // range in a coordinate

namespace tilestep {

// ---- Where the elements are ----

/// The memory an iterator points to: its own tag, or generic for an untagged pointer.
template <class Iterator>
struct MemoryOf { using type = GenericMemory; };
template <class Iterator>
  requires requires { typename Iterator::memory; }
struct MemoryOf<Iterator> { using type = typename Iterator::memory; };

/// The type an iterator points to.
template <class Iterator>
struct ValueOf { using type = typename Iterator::value_type; };
template <class T>
struct ValueOf<T*> { using type = T; };

/// A pointer into registers of this thread. StaticIndex: it comes from a tensor that only compile-time coordinates may
/// touch.
template <class T, bool StaticIndex = false>
struct RegisterPtr {
  using value_type = T;
  using memory = RegisterMemory;
  static constexpr bool static_index = StaticIndex;
  T* pointer;
  TS_HOST_DEVICE constexpr T& operator[](int i) const { return pointer[i]; }
  TS_HOST_DEVICE constexpr T& operator*() const { return *pointer; }
  TS_HOST_DEVICE constexpr RegisterPtr operator+(int i) const { return {pointer + i}; }
  TS_HOST_DEVICE constexpr T* get() const { return pointer; }
};

/// Memory that somebody else owns.
template <class Iterator>
struct View {
  using iterator = Iterator;
  using element_type = typename ValueOf<Iterator>::type;
  using memory = typename MemoryOf<Iterator>::type;
  static constexpr bool static_index = requires { requires Iterator::static_index; };
  Iterator begin;
  TS_HOST_DEVICE constexpr Iterator const& data() const { return begin; }
};

/// N elements owned by the tensor. StaticIndex: only compile-time coordinates may touch them, so that they stay in
/// registers.
template <class T, int N, bool StaticIndex>
struct Registers {
  using element_type = T;
  using memory = RegisterMemory;
  static constexpr bool static_index = StaticIndex;
  alignas(N * sizeof(T) % 16 == 0 ? 16 : alignof(T)) T elements[N > 0 ? N : 1];
  TS_HOST_DEVICE constexpr Registers() {  // leaves the elements uninitialised; the virtual GPU notices their use
    if constexpr (describes_tensors && N > 0) {
      if (!std::is_constant_evaluated()) begin_registers(RegisterPtr<T>{elements}, N);
    }
  }
  TS_HOST_DEVICE constexpr RegisterPtr<T, StaticIndex> data() { return {elements}; }
  TS_HOST_DEVICE constexpr RegisterPtr<T const, StaticIndex> data() const { return {elements}; }
};

// ---- The tensor ----

template <class Engine, class Layout_>
struct Tensor {
  using engine_type = Engine;
  using layout_type = Layout_;
  using element_type = typename Engine::element_type;
  using value_type = std::remove_const_t<element_type>;
  using memory = typename Engine::memory;
  static constexpr int rank = rank_v<Layout_>;

  Engine engine;
  Layout_ layout_;

  TS_HOST_DEVICE constexpr Layout_ const& layout() const { return layout_; }
  TS_HOST_DEVICE constexpr auto shape() const { return layout_.shape(); }
  TS_HOST_DEVICE constexpr auto stride() const { return layout_.stride(); }
  TS_HOST_DEVICE constexpr auto size() const { return tilestep::size(layout_); }
  TS_HOST_DEVICE constexpr decltype(auto) data() { return engine.data(); }
  TS_HOST_DEVICE constexpr decltype(auto) data() const { return engine.data(); }

  /// The element at a coordinate, or the sub-tensor of the modes where the coordinate is `_` or a range.
  template <class Coord>
  TS_HOST_DEVICE constexpr decltype(auto) operator()(Coord const& coord) { return at(*this, coord); }
  template <class Coord>
  TS_HOST_DEVICE constexpr decltype(auto) operator()(Coord const& coord) const { return at(*this, coord); }
  template <class Coord0, class Coord1, class... Coords>
  TS_HOST_DEVICE constexpr decltype(auto) operator()(Coord0 const& c0, Coord1 const& c1, Coords const&... cs) {
    return at(*this, make_coord(c0, c1, cs...));
  }
  template <class Coord0, class Coord1, class... Coords>
  TS_HOST_DEVICE constexpr decltype(auto) operator()(Coord0 const& c0, Coord1 const& c1, Coords const&... cs) const {
    return at(*this, make_coord(c0, c1, cs...));
  }
  template <class Coord>
  TS_HOST_DEVICE constexpr decltype(auto) operator[](Coord const& coord) { return at(*this, coord); }
  template <class Coord>
  TS_HOST_DEVICE constexpr decltype(auto) operator[](Coord const& coord) const { return at(*this, coord); }

 private:
  template <class Self, class Coord>
  TS_HOST_DEVICE static constexpr decltype(auto) at(Self& self, Coord const& coord) {
    if constexpr (has_underscore_v<Coord> || has_range_v<Coord>) {
      using Sliced = decltype(slice_and_offset(coord, self.layout_));
      using Offset = typename Checked<tuple_element_t<1, Sliced>>::type;
      if constexpr (is_static_v<Sliced>) {
        return make_view(self.data() + Offset{}, tuple_element_t<0, Sliced>{});
      } else {
        auto const [sub_layout, offset] = slice_and_offset(coord, self.layout_);
        return make_view(self.data() + offset, sub_layout);
      }
    } else {
      using Offset = typename Checked<decltype(self.layout_(coord))>::type;
      if constexpr (is_static_v<Offset>) return self.data()[Offset{}];
      else return self.data()[self.layout_(coord)];
    }
  }
  template <class Offset>
  struct Checked {
    static_assert(!Engine::static_index || is_static_v<Offset>,
                  "a register tensor takes compile-time coordinates only: loop with static_for and Int<>");
    using type = Offset;
  };
};

template <class T>
inline constexpr bool is_tensor_v = false;
template <class Engine, class Layout_>
inline constexpr bool is_tensor_v<Tensor<Engine, Layout_>> = true;

/// The memory tag of a tensor type.
template <class T>
using memory_t = typename remove_cvref_t<T>::memory;

// ---- Making one ----

/// A view with exactly this data and layout; it tells the virtual GPU nothing.
template <class Iterator, class Layout_>
TS_HOST_DEVICE constexpr auto make_view(Iterator data, Layout_ const& layout) {
  return Tensor<View<Iterator>, Layout_>{{data}, layout};
}

namespace detail {
/// How many numbers the coordinate of each mode has, once it is flat.
template <class Shape> inline constexpr int numbers_of_modes[] = {1};
template <class... S>
inline constexpr int numbers_of_modes<Tuple<S...>>[] = {
    int(tuple_size_v<decltype(flatten_to_tuple(std::declval<S>()))>)...};

/// Tell the virtual GPU how this memory is laid out, so that it can name a coordinate where it reports a hazard.
/// @param unswizzle  from an element's place to where the strides put it; null: it is there
template <class Iterator, class Layout_>
  requires requires(Layout_ layout) { layout.stride(); }
TS_HOST_DEVICE constexpr void describe_layout(Iterator const& data, Layout_ const& layout,
                                              std::int64_t (*unswizzle)(std::int64_t) = nullptr) {
  if constexpr (describes_tensors && requires { describe(data, 0, nullptr, nullptr); }) {
    auto const shape = flatten_to_tuple(layout.shape());
    auto const stride = flatten_to_tuple(layout.stride());
    apply(shape, [&](auto const&... s) {
      apply(stride, [&](auto const&... d) {
        std::int64_t const shapes[] = {static_cast<std::int64_t>(s)...};
        std::int64_t const strides[] = {static_cast<std::int64_t>(d)...};
        describe(data, int(sizeof...(s)), shapes, strides,
                 numbers_of_modes<remove_cvref_t<decltype(layout.shape())>>, unswizzle);
      });
    });
  }
}
template <class Iterator, int B, int M, int S, class L>
TS_HOST_DEVICE constexpr void describe_layout(Iterator const& data,
                                              ComposedLayout<Swizzle<B, M, S>, Int<0>, L> const& layout) {
  if constexpr (describes_tensors) {
    describe_layout(data, layout.layout_b(), [](std::int64_t at) -> std::int64_t { return Swizzle<B, M, S>{}(at); });
  }
}

/// Arithmetic of the algorithm `where` uses a value: the virtual GPU reports a register that nobody wrote.
template <class T>
TS_INLINE TS_HOST_DEVICE constexpr void use(T const& value, char const* where) {
  if constexpr (describes_tensors) {
    if (!std::is_constant_evaluated()) note_use(RegisterPtr<T const>{&value}, where);
  }
}
}  // namespace detail

/// The memory at `data` seen through `layout`.
template <class Iterator, class Layout_>
TS_HOST_DEVICE constexpr auto make_tensor(Iterator data, Layout_ const& layout) {
  if constexpr (requires { detail::describe_layout(data, layout); }) detail::describe_layout(data, layout);
  if constexpr (is_layout_v<Layout_>) return make_view(data, layout);
  else return make_tensor(data, make_layout(layout));
}
template <class Iterator, class Shape, class Stride>
TS_HOST_DEVICE constexpr auto make_tensor(Iterator data, Shape const& shape, Stride const& stride) {
  return make_tensor(data, make_layout(shape, stride));
}

namespace detail {
template <class T, bool StaticIndex, class First, class... Rest>
TS_HOST_DEVICE constexpr auto make_owning(First const& first, Rest const&... rest) {
  static_assert((is_static_v<First> && ... && is_static_v<Rest>),
                "a tensor that owns its elements needs a compile-time layout: write its extents as Int<>");
  if constexpr (!is_layout_v<First>) return make_owning<T, StaticIndex>(make_layout(first, rest...));
  else return Tensor<Registers<T, int(decltype(cosize(first))::value), StaticIndex>, First>{{}, first};
}
}  // namespace detail

/// A tensor that owns its elements, uninitialised: registers of this thread, as long as the coordinates that touch them
/// are known at compile time. Of elements that a stride of 0 repeats it has one: a predicate for each row, for
/// instance.
/// @param args a layout, or what make_layout takes: a shape, and strides or LayoutRight; all static
template <class T, class... Args>
TS_HOST_DEVICE constexpr auto make_tensor(Args const&... args) { return detail::make_owning<T, false>(args...); }

/// As make_tensor<T>(layout), but a coordinate known only at run time is refused, so that the elements surely stay in
/// registers.
template <class T, class... A>
TS_HOST_DEVICE constexpr auto make_register_tensor(A const&... a) { return detail::make_owning<T, true>(a...); }

// ---- Rearranging one: the layout changes, the data stays ----

/// The modes First..Last-1 of a tensor as one mode.
template <int First, int Last, class Engine, class Layout_>
TS_HOST_DEVICE constexpr auto group_modes(Tensor<Engine, Layout_> const& t) {
  return make_view(t.data(), group_modes<First, Last>(t.layout()));
}

/// The modes First..Last-1 of a tensor.
template <int First, int Last, class Engine, class Layout_>
TS_HOST_DEVICE constexpr auto take(Tensor<Engine, Layout_> const& t) {
  return make_view(t.data(), take<First, Last>(t.layout()));
}

template <class Engine, class Layout_> TS_HOST_DEVICE constexpr auto flatten(Tensor<Engine, Layout_> const& t) {
  return make_view(t.data(), flatten(t.layout()));
}
template <class Engine, class Layout_> TS_HOST_DEVICE constexpr auto coalesce(Tensor<Engine, Layout_> const& t) {
  return make_view(t.data(), coalesce(t.layout()));
}

/// The same elements with the origin moved to `coord`. The shape stays: what lies past the end is for predicates to
/// mask.
template <class Coord, class Engine, class L>
TS_HOST_DEVICE constexpr auto domain_offset(Coord const& coord, Tensor<Engine, L> const& t) {
  auto const l = t.layout();
  if constexpr (!is_composed_layout_v<L>) return make_view(t.data() + l(coord), l);
  else return make_view(t.data(), make_composed_layout(l.layout_a(), l.offset() + l.layout_b()(coord), l.layout_b()));
}

template <class Engine, class Layout_, class Tiler>
TS_HOST_DEVICE constexpr auto composition(Tensor<Engine, Layout_> const& t, Tiler const& tiler) {
  return make_view(t.data(), composition(t.layout(), tiler));
}
template <class Engine, class Layout_, class Tiler>
TS_HOST_DEVICE constexpr auto logical_divide(Tensor<Engine, Layout_> const& t, Tiler const& tiler) {
  return make_view(t.data(), logical_divide(t.layout(), tiler));
}
template <class Engine, class Layout_, class Tiler>
TS_HOST_DEVICE constexpr auto zipped_divide(Tensor<Engine, Layout_> const& t, Tiler const& tiler) {
  return make_view(t.data(), zipped_divide(t.layout(), tiler));
}
template <class Engine, class Layout_, class Tiler>
TS_HOST_DEVICE constexpr auto tiled_divide(Tensor<Engine, Layout_> const& t, Tiler const& tiler) {
  return make_view(t.data(), tiled_divide(t.layout(), tiler));
}
template <class Engine, class Layout_, class Tiler>
TS_HOST_DEVICE constexpr auto flat_divide(Tensor<Engine, Layout_> const& t, Tiler const& tiler) {
  return make_view(t.data(), flat_divide(t.layout(), tiler));
}

}  // namespace tilestep
