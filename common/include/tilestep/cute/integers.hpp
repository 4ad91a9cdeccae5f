#pragma once
// Integers and tuples by CuTe's names.

#include <tilestep/core.hpp>  // C, Tuple, ScaledBasis

#include <cstdint>      // int64_t
#include <type_traits>  // common_type, is_same
#include <utility>      // integer_sequence

namespace tilestep {

// CuTe has these of the standard library in its namespace, too.
using std::conditional_t;
using std::enable_if_t;
using std::is_convertible;
using std::is_convertible_v;
using std::is_same;
using std::is_same_v;

// ---- Integers ----

template <class T, T v> using integral_constant = C<v>;
template <auto v> using constant = C<v>;

template <class T> struct is_static : bool_constant<is_static_v<T>> {};
template <class T> struct is_integral : bool_constant<is_integral_v<remove_cvref_t<T>>> {};
template <auto n, class T> struct is_constant : bool_constant<is_constant_v<n, T>> {};

namespace detail {
template <char... Digits>
constexpr std::int64_t number_of() {
  std::int64_t value = 0;
  ((value = Digits == '\'' ? value : 10 * value + (Digits - '0')), ...);
  return value;
}
}  // namespace detail

/// 4_c is Int<4>{}.
template <char... Digits>
TS_HOST_DEVICE constexpr StaticInt<detail::number_of<Digits...>()> operator""_c() { return {}; }

/// The least common multiple.
template <class A, class B>
TS_HOST_DEVICE constexpr auto lcm(A a, B b) { return a / gcd(a, b) * b; }

// ---- Tuples ----

template <class... T> using tuple = Tuple<T...>;
template <class T> struct is_tuple : bool_constant<is_tuple_v<T>> {};
template <class T> struct tuple_size : bool_constant<false> {};
template <class... T> struct tuple_size<Tuple<T...>> : C<sizeof...(T)> {};
template <std::size_t I, class T> struct tuple_element { using type = tuple_element_t<int(I), T>; };

/// The constants n..., as a tuple.
template <class T, T... n> using integer_sequence = Tuple<C<n>...>;
template <int... n> using int_sequence = integer_sequence<int, n...>;

namespace detail {
template <class T, T... n> integer_sequence<T, n...> constants(std::integer_sequence<T, n...>);
}  // namespace detail
/// The constants 0 .. N-1.
template <class T, T N>
using make_integer_sequence = decltype(detail::constants(std::make_integer_sequence<T, N>{}));
template <int N> using make_int_sequence = make_integer_sequence<int, N>;

namespace detail {
template <int... n> int_sequence<n...> constants_of(seq<n...>);
}  // namespace detail
/// The constants First .. Last-1.
template <int First, int Last> using make_int_range = decltype(detail::constants_of(make_range<First, Last>{}));

/// The elements from the last to the first.
template <class T>
  requires(is_tuple_v<T>)
TS_HOST_DEVICE constexpr auto reverse(T const& t) {
  return [&]<int... I>(seq<I...>) { return make_tuple(get<tuple_size_v<T> - 1 - I>(t)...); }(indices_of<T>{});
}

// ---- Order of coordinates ----

/// Whether a comes before b where the last mode runs fastest, as words in a dictionary; what ends earlier comes first.
template <class A, class B>
TS_HOST_DEVICE constexpr bool lex_less(A const& a, B const& b);
/// Whether a comes before b where the first mode runs fastest, as indices do.
template <class A, class B>
TS_HOST_DEVICE constexpr bool colex_less(A const& a, B const& b);

namespace detail {
template <bool FromLast, int I, class A, class B>
TS_HOST_DEVICE constexpr bool before(A const& a, B const& b) {
  constexpr int p = tuple_size_v<A>, q = tuple_size_v<B>;
  if constexpr (I == p || I == q) {
    return p < q;
  } else {
    auto const x = get<FromLast ? p - 1 - I : I>(a);
    auto const y = get<FromLast ? q - 1 - I : I>(b);
    if constexpr (FromLast) return colex_less(x, y) || (!colex_less(y, x) && before<FromLast, I + 1>(a, b));
    else return lex_less(x, y) || (!lex_less(y, x) && before<FromLast, I + 1>(a, b));
  }
}
}  // namespace detail

template <class A, class B>
TS_HOST_DEVICE constexpr bool lex_less(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) return detail::before<false, 0>(a, b);
  else return a < b;
}
template <class A, class B>
TS_HOST_DEVICE constexpr bool colex_less(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) return detail::before<true, 0>(a, b);
  else return a < b;
}

// ---- Coordinates that add: all tuples do ----

template <class... T> using ArithmeticTuple = Tuple<T...>;
template <class... T>
TS_HOST_DEVICE constexpr ArithmeticTuple<T...> make_arithmetic_tuple(T const&... t) { return Tuple<T...>(t...); }
template <class T>
TS_HOST_DEVICE constexpr auto as_arithmetic_tuple(T const& t) { return as_coordinate(t); }

template <class T> inline constexpr bool is_scaled_basis_v = is_basis_v<T>;
template <class T> struct is_scaled_basis : bool_constant<is_basis_v<T>> {};

/// What t has in the mode to which the stride e leads; t itself if e is an integer.
template <class E, class T>
TS_HOST_DEVICE constexpr auto basis_get(E const&, T const& t) { return t; }
template <class S, int N, int... Rest, class T>
TS_HOST_DEVICE constexpr auto basis_get(ScaledBasis<S, N, Rest...> const&, T const& t) { return get<N, Rest...>(t); }

/// How many steps the stride e takes along its mode; an integer is its own.
template <class E>
TS_HOST_DEVICE constexpr auto basis_value(E const& e) {
  if constexpr (is_basis_v<E>) return e.value();
  else return e;
}

}  // namespace tilestep
