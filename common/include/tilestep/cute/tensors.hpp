#pragma once
// Tensors, pointers and iterators by CuTe's names, and its algorithms on the elements of a tensor.

#include <tilestep/algorithm.hpp>     // Tensor, for_each_index
#include <tilestep/cute/layouts.hpp>  // layout

#include <cstddef>  // nullptr_t

namespace tilestep {

template <class T> struct is_tensor : bool_constant<is_tensor_v<remove_cvref_t<T>>> {};
template <class T> struct is_gmem : bool_constant<std::is_same_v<memory_t<T>, GlobalMemory>> {};
template <class T> struct is_smem : bool_constant<std::is_same_v<memory_t<T>, SharedMemory>> {};
template <class T> struct is_rmem : bool_constant<std::is_same_v<memory_t<T>, RegisterMemory>> {};

/// A view of mode I... of a tensor, from its first element on; of the whole tensor where no mode is named.
template <int... I, class Engine, class L>
TS_HOST_DEVICE constexpr auto tensor(Tensor<Engine, L> const& t) { return make_view(t.data(), layout<I...>(t)); }

// ---- Pointers that know their memory ----

template <class P> using gmem_ptr = GlobalPtr<std::remove_pointer_t<P>>;
template <class P> using smem_ptr = SharedPtr<std::remove_pointer_t<P>>;
template <class P> using rmem_ptr = RegisterPtr<std::remove_pointer_t<P>>;

template <class T>
TS_HOST_DEVICE auto make_gmem_ptr(T* raw) { return global(raw); }
template <class T>
TS_HOST_DEVICE auto make_gmem_ptr(void* raw) { return global(static_cast<T*>(raw)); }
template <class T>
TS_HOST_DEVICE auto make_gmem_ptr(void const* raw) { return global(static_cast<T const*>(raw)); }
template <class T>
TS_HOST_DEVICE auto make_gmem_ptr(std::nullptr_t) { return gmem_ptr<T*>{}; }
/// Of an array that is a member of the kernel's Shared: its size is known here, as a bare pointer's is not.
template <class T, int N>
TS_DEVICE auto make_smem_ptr(SharedArray<T, N>& array) { return shared(array); }
template <class T>
TS_HOST_DEVICE constexpr auto make_rmem_ptr(T* raw) { return RegisterPtr<T>{raw}; }

// ---- The same memory read as another type ----

/// @pre the memory may be read as U: bytes, or words that hold the same bits
template <class U, class T>
TS_HOST_DEVICE auto recast_ptr(T* ptr) { return reinterpret_cast<U*>(ptr); }
template <class U, class T, bool StaticIndex>
TS_HOST_DEVICE auto recast_ptr(RegisterPtr<T, StaticIndex> ptr) {
  return RegisterPtr<U, StaticIndex>{reinterpret_cast<U*>(ptr.pointer)};
}
template <class U, class P>
  requires requires(P p) { recast<U>(p); }
TS_HOST_DEVICE auto recast_ptr(P ptr) { return recast<U>(ptr); }

/// A view of the tensor's memory as elements of type U.
template <class U, class Engine, class L>
TS_HOST_DEVICE auto recast(Tensor<Engine, L>& t) {
  return make_view(recast_ptr<U>(t.data()), recast_layout<typename Tensor<Engine, L>::value_type, U>(t.layout()));
}
template <class U, class Engine, class L>
TS_HOST_DEVICE auto recast(Tensor<Engine, L> const& t) {
  return make_view(recast_ptr<U>(t.data()), recast_layout<typename Tensor<Engine, L>::value_type, U>(t.layout()));
}

// ---- Iterators without memory ----

/// Points to n, n + 1, ..
template <class T = int>
struct counting_iterator {
  using value_type = T;
  T n = 0;
  TS_HOST_DEVICE constexpr T operator*() const { return n; }
  TS_HOST_DEVICE constexpr counting_iterator operator+(T i) const { return {T(n + i)}; }
  TS_HOST_DEVICE constexpr T operator[](T i) const { return T(n + i); }
};

template <class Coord> using ArithmeticTupleIterator = CoordinateIterator<Coord>;

/// Points to a coordinate: make_inttuple_iter(make_coord(0, 0)), or to one of several integers.
template <class Coord>
TS_HOST_DEVICE constexpr auto make_inttuple_iter(Coord const& coord) { return CoordinateIterator<Coord>{coord}; }
template <class First, class Second, class... Rest>
TS_HOST_DEVICE constexpr auto make_inttuple_iter(First const& first, Second const& second, Rest const&... rest) {
  return make_inttuple_iter(make_coord(first, second, rest...));
}

/// The coordinates that a layout with directions for strides gives, as a tensor.
template <class S, class D>
TS_HOST_DEVICE constexpr auto make_coord_tensor(Layout<S, D> const& layout) {
  auto const first = as_coordinate(layout(repeat_like(layout.shape(), Int<0>{})));
  return make_view(make_inttuple_iter(transform_leaf(first, [](auto const&) { return Int<0>{}; })), layout);
}

// ---- Element by element ----

namespace detail {
template <class Out, class F, class... In>
TS_HOST_DEVICE constexpr void transform_elements(Out& out, F&& f, In const&... in) {
  for_each_index<(in_registers<Out> || ... || in_registers<In>)>(size(out), [&](auto i) { out(i) = f(in(i)...); });
}
}  // namespace detail

/// t(i) = f(t(i)) for every index i.
template <class E, class L, class F>
TS_HOST_DEVICE constexpr void transform(Tensor<E, L>& t, F&& f) { detail::transform_elements(t, f, t); }
template <class E, class L, class F>
TS_HOST_DEVICE constexpr void transform(Tensor<E, L> const& t, F&& f) { detail::transform_elements(t, f, t); }
/// out(i) = f(in(i)) for every index i.
template <class E, class L, class E1, class L1, class F>
TS_HOST_DEVICE constexpr void transform(Tensor<E, L> const& in, Tensor<E1, L1>& out, F&& f) {
  detail::transform_elements(out, f, in);
}
template <class E, class L, class E1, class L1, class F>
TS_HOST_DEVICE constexpr void transform(Tensor<E, L> const& in, Tensor<E1, L1> const& out, F&& f) {
  detail::transform_elements(out, f, in);
}
/// out(i) = f(a(i), b(i)) for every index i.
template <class E, class L, class E1, class L1, class E2, class L2, class F>
TS_HOST_DEVICE constexpr void transform(Tensor<E, L> const& a, Tensor<E1, L1> const& b, Tensor<E2, L2>& out, F&& f) {
  detail::transform_elements(out, f, a, b);
}
template <class E, class L, class E1, class L1, class E2, class L2, class F>
TS_HOST_DEVICE constexpr void transform(Tensor<E, L> const& a, Tensor<E1, L1> const& b, Tensor<E2, L2> const& out,
                                        F&& f) {
  detail::transform_elements(out, f, a, b);
}

/// The sum.
struct plus {
  template <class A, class B>
  TS_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const { return a + b; }
};

/// f(.. f(f(init, t(0)), t(1)) .., t(n-1)), in init's type.
template <class E, class L, class T, class F = plus>
TS_HOST_DEVICE constexpr T reduce(Tensor<E, L> const& t, T init, F&& f = {}) {
  for_each_index<detail::in_registers<Tensor<E, L>>>(size(t), [&](auto i) { init = f(init, t(i)); });
  return init;
}

}  // namespace tilestep
