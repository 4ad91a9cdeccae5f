#pragma once
// Strides that are directions. A layout whose strides are E<0>, E<1>, .. gives coordinates instead of offsets: (m,n)
// maps to (m,n). Divide it, slice it or compose it like any other layout, and it still says where each element came
// from. That is what predicates at ragged edges are made of.

#include <tilestep/core/int_tuple.hpp>  // Tuple, transform

namespace tilestep {

/// `value` steps along mode N..., as a stride. E<1> is one step along mode 1; E<1,0> one along mode 0 of mode 1.
template <class T, int... N>
struct ScaledBasis : TupleElement<ScaledBasis<T, N...>, 0, T> {
  ScaledBasis() = default;
  TS_HOST_DEVICE constexpr ScaledBasis(T const& amount) : TupleElement<ScaledBasis, 0, T>{amount} {}
  TS_HOST_DEVICE constexpr T value() const {
    return detail::value_of(static_cast<TupleElement<ScaledBasis, 0, T> const*>(this));
  }
};

template <int... N> using E = ScaledBasis<Int<1>, N...>;

template <class T> inline constexpr bool is_basis_v = false;
template <class T, int... N> inline constexpr bool is_basis_v<ScaledBasis<T, N...>> = true;
template <class T> inline constexpr bool has_basis_v = is_basis_v<T>;
template <class... T> inline constexpr bool has_basis_v<Tuple<T...>> = (false || ... || has_basis_v<T>);
template <class T, int... N> inline constexpr bool is_integral_v<ScaledBasis<T, N...>> = true;

namespace detail {
template <class T, int... N> TS_HOST_DEVICE constexpr ScaledBasis<T, N...> scaled(T const& t, seq<N...>) { return {t}; }
template <int... N, class Shape, int... I> TS_HOST_DEVICE constexpr auto basis_of_modes(Shape const&, seq<I...>);
}  // namespace detail

/// Every leaf of shape replaced by the direction in which it lies: (4,(2,3)) -> (E<0>,(E<1,0>,E<1,1>)).
template <int... N, class Shape>
TS_HOST_DEVICE constexpr auto make_basis_like(Shape const& shape) {
  if constexpr (is_tuple_v<Shape>) return detail::basis_of_modes<N...>(shape, indices_of<Shape>{});
  else return E<N...>{};
}
namespace detail {
template <int... N, class Shape, int... I>
TS_HOST_DEVICE constexpr auto basis_of_modes(Shape const& shape, seq<I...>) {
  return make_tuple(make_basis_like<N..., I>(get<I>(shape))...);
}
}  // namespace detail

template <class T> TS_HOST_DEVICE constexpr auto as_coordinate(T const& t) { return t; }
template <class T> TS_HOST_DEVICE constexpr T as_coordinate(ScaledBasis<T> const& e) { return e.value(); }
/// The coordinate that lies `value` steps along mode N: (_0,..,_0,value).
template <class T, int N, int... Rest>
TS_HOST_DEVICE constexpr auto as_coordinate(ScaledBasis<T, N, Rest...> const& e) {
  auto const inner = as_coordinate(ScaledBasis<T, Rest...>(e.value()));
  return append(take<0, N>(detail::copies(Int<0>{}, make_seq<N + 1>{})), inner);
}

// ---- Arithmetic ----

template <class T, int... N, class X>
  requires(is_integral_v<X> && !is_basis_v<X>)
TS_HOST_DEVICE constexpr auto operator*(X const& x, ScaledBasis<T, N...> const& e) {
  return detail::scaled(x * e.value(), seq<N...>{});
}
template <class T, int... N, class X>
  requires(is_integral_v<X> && !is_basis_v<X>)
TS_HOST_DEVICE constexpr auto operator*(ScaledBasis<T, N...> const& e, X const& x) {
  return detail::scaled(e.value() * x, seq<N...>{});
}

template <class T, int... N>
TS_HOST_DEVICE constexpr auto abs(ScaledBasis<T, N...> const& e) { return detail::scaled(abs(e.value()), seq<N...>{}); }

template <class T, int... N, class U, int... M>
TS_HOST_DEVICE constexpr auto operator==(ScaledBasis<T, N...> const& a, ScaledBasis<U, M...> const& b) {
  if constexpr (std::is_same_v<seq<N...>, seq<M...>>) return true_type{} && (a.value() == b.value());
  else return false_type{};
}
template <class T, int... N, class X>
  requires(!is_basis_v<X> && !is_tuple_v<X>)
TS_HOST_DEVICE constexpr false_type operator==(ScaledBasis<T, N...> const&, X const&) { return {}; }
template <class T, int... N, class X>
  requires(!is_basis_v<X> && !is_tuple_v<X>)
TS_HOST_DEVICE constexpr false_type operator==(X const&, ScaledBasis<T, N...> const&) { return {}; }

/// Coordinates add mode by mode; the shorter one has zeros where it ends.
template <class... A, class... B>
TS_HOST_DEVICE constexpr auto operator+(Tuple<A...> const& a, Tuple<B...> const& b) {
  constexpr int R = sizeof...(A) > sizeof...(B) ? sizeof...(A) : sizeof...(B);
  return transform(append<R>(a, Int<0>{}), append<R>(b, Int<0>{}), [](auto const& x, auto const& y) { return x + y; });
}
template <class... A> TS_HOST_DEVICE constexpr Tuple<A...> operator+(Tuple<A...> const& a, Int<0>) { return a; }
template <class... A> TS_HOST_DEVICE constexpr Tuple<A...> operator+(Int<0>, Tuple<A...> const& a) { return a; }

template <class T, int... N, class U, int... M>
TS_HOST_DEVICE constexpr auto operator+(ScaledBasis<T, N...> const& a, ScaledBasis<U, M...> const& b) {
  return as_coordinate(a) + as_coordinate(b);
}
template <class T, int... N, class... B>
TS_HOST_DEVICE constexpr auto operator+(ScaledBasis<T, N...> const& a, Tuple<B...> const& b) {
  return as_coordinate(a) + b;
}
template <class T, int... N, class... B>
TS_HOST_DEVICE constexpr auto operator+(Tuple<B...> const& a, ScaledBasis<T, N...> const& b) { return b + a; }
template <class T, int... N>
TS_HOST_DEVICE constexpr ScaledBasis<T, N...> operator+(ScaledBasis<T, N...> const& a, Int<0>) { return a; }
template <class T, int... N>
TS_HOST_DEVICE constexpr ScaledBasis<T, N...> operator+(Int<0>, ScaledBasis<T, N...> const& a) { return a; }

}  // namespace tilestep
