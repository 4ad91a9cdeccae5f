#pragma once
// A tuple in which static elements take no room. Unlike std::tuple it may be used in kernels and passed to them: it is
// trivially copyable, and host and device compilers lay it out alike. Each element is a base class tagged by the tuple
// and the index, so that two empty bases of the same type never meet at one address.

#include <tilestep/core/integer.hpp>  // Int, true_type

#include <cstddef>                    // size_t
#include <utility>                    // integer_sequence, tuple_size, tuple_element

namespace tilestep {

template <int... I> using seq = std::integer_sequence<int, I...>;
template <int N> using make_seq = std::make_integer_sequence<int, N>;

/// Element I of Owner. A static element is its type: nothing is stored.
template <class Owner, int I, class T>
struct TupleElement {
  using type = T;
  T value;
};
template <class Owner, int I, class T>
  requires(is_static_v<T>)
struct TupleElement<Owner, I, T> {
  using type = T;
  TupleElement() = default;
  TS_HOST_DEVICE constexpr TupleElement(T const&) {}
};

namespace detail {
/// The base class of an object that is its element I. Only its type is asked for: a static element is read without a
/// call.
template <int I, class Owner, class T> TupleElement<Owner, I, T> element(TupleElement<Owner, I, T> const&);
template <class Owner, int I, class T>
TS_HOST_DEVICE constexpr T value_of(TupleElement<Owner, I, T> const* e) {
  if constexpr (is_static_v<T>) return {};
  else return e->value;
}
}  // namespace detail

template <class Owner, class Indices, class... T> struct TupleElements;
template <class Owner, int... I, class... T>
struct TupleElements<Owner, seq<I...>, T...> : TupleElement<Owner, I, T>... {
  TupleElements() = default;
  TS_HOST_DEVICE constexpr TupleElements(T const&... values) requires(!(is_static_v<T> && ...))
      : TupleElement<Owner, I, T>{values}... {}
};

template <class... T>
struct Tuple : TupleElements<Tuple<T...>, make_seq<sizeof...(T)>, T...> {
  Tuple() = default;
  TS_HOST_DEVICE constexpr Tuple(T const&...) requires(sizeof...(T) > 0 && (is_static_v<T> && ...)) {}
  TS_HOST_DEVICE constexpr Tuple(T const&... values) requires(!(is_static_v<T> && ...))
      : TupleElements<Tuple<T...>, make_seq<sizeof...(T)>, T...>(values...) {}
};

template <class... T>
TS_HOST_DEVICE constexpr Tuple<T...> make_tuple(T const&... t) {
  if constexpr ((is_static_v<T> && ...)) return {};
  else return Tuple<T...>(t...);
}

// ---- Traits ----

template <class T> inline constexpr bool is_tuple_v = false;
template <class... T> inline constexpr bool is_tuple_v<Tuple<T...>> = true;
template <class T> inline constexpr bool is_tuple_v<T const> = is_tuple_v<T>;

template <class T> inline constexpr int tuple_size_v = 1;
template <class... T> inline constexpr int tuple_size_v<Tuple<T...>> = sizeof...(T);
template <class T> inline constexpr int tuple_size_v<T const> = tuple_size_v<T>;

/// 0, 1, .. one per element of T.
template <class T> using indices_of = make_seq<tuple_size_v<T>>;
/// The same of the elements that both have: where a rank is wrong, one sentence says so, and no access beyond it.
template <class T, class U>
using common_indices = std::conditional_t<(tuple_size_v<T> < tuple_size_v<U>), indices_of<T>, indices_of<U>>;

// ---- Access ----

/// Element I; of an element that is itself a tuple, element I1, and so on. An integer is its own element 0.
template <int I, class... T>
TS_HOST_DEVICE constexpr decltype(auto) get(Tuple<T...> const& t) {
  static_assert(0 <= I && I < int(sizeof...(T)), "get<I>: the tuple has no element I; use 0 <= I < rank");
  using Element = decltype(detail::element<I>(t));
  if constexpr (is_static_v<typename Element::type>) return typename Element::type{};
  else return (static_cast<Element const&>(t).value);
}
template <int I, class... T>
TS_HOST_DEVICE constexpr decltype(auto) get(Tuple<T...>& t) {
  static_assert(0 <= I && I < int(sizeof...(T)), "get<I>: the tuple has no element I; use 0 <= I < rank");
  using Element = decltype(detail::element<I>(t));
  if constexpr (is_static_v<typename Element::type>) return typename Element::type{};
  else return (static_cast<Element&>(t).value);
}
template <int I, class... T>
TS_HOST_DEVICE constexpr auto get(Tuple<T...>&& t) { return get<I>(static_cast<Tuple<T...> const&>(t)); }
template <int I, class T>
  requires(is_integral_v<T>)
TS_HOST_DEVICE constexpr T get(T const& t) {
  static_assert(I == 0, "get<I>: an integer has rank 1; use get<0>");
  return t;
}
template <int I0, int I1, int... I, class T>
TS_HOST_DEVICE constexpr auto get(T const& t) { return get<I1, I...>(get<I0>(t)); }

template <int I, class T> using tuple_element_t = remove_cvref_t<decltype(get<I>(std::declval<T const&>()))>;

// ---- Comparison: a static truth where the types decide ----

template <class... T, class... U>
TS_HOST_DEVICE constexpr auto operator==(Tuple<T...> const& a, Tuple<U...> const& b) {
  if constexpr (sizeof...(T) != sizeof...(U)) {
    return false_type{};
  } else {
    return [&]<int... I>(seq<I...>) {
      return (true_type{} && ... && (get<I>(a) == get<I>(b)));
    }(make_seq<sizeof...(T)>{});
  }
}
template <class... T, class U>
  requires(!is_tuple_v<U>)
TS_HOST_DEVICE constexpr false_type operator==(Tuple<T...> const&, U const&) { return {}; }
template <class T, class... U>
  requires(!is_tuple_v<T>)
TS_HOST_DEVICE constexpr false_type operator==(T const&, Tuple<U...> const&) { return {}; }
template <class... T, class... U>
TS_HOST_DEVICE constexpr auto operator!=(Tuple<T...> const& a, Tuple<U...> const& b) { return !(a == b); }
template <class... T, class U>
TS_HOST_DEVICE constexpr auto operator!=(Tuple<T...> const& a, U const& b) { return !(a == b); }

}  // namespace tilestep

// Structured bindings: auto [shape, stride] = make_tuple(a, b).
template <class... T>
struct std::tuple_size<tilestep::Tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t I, class... T>
struct std::tuple_element<I, tilestep::Tuple<T...>> {
  using type = tilestep::tuple_element_t<int(I), tilestep::Tuple<T...>>;
};
