#pragma once
// Functions of tuples: apply, transform, fold, and the ways to rearrange one. An integer counts as a tuple of rank 1
// wherever that makes sense, so that the layers above need no special case for it.

#include <tilestep/core/tuple.hpp>  // Tuple, get, seq

namespace tilestep {

namespace detail {
template <int First, int... I> TS_HOST_DEVICE constexpr seq<First + I...> shifted(seq<I...>) { return {}; }

// The calls behind the functions below.
TS_CALLS_ANY template <class F, int... I>
TS_INLINE TS_HOST_DEVICE constexpr void call_each(F&& f, seq<I...>) { (static_cast<void>(f(Int<I>{})), ...); }
TS_CALLS_ANY template <class T, class F, int... I>
TS_INLINE TS_HOST_DEVICE constexpr void call_each(T const& t, F&& f, seq<I...>) {
  (static_cast<void>(f(get<I>(t))), ...);
}
TS_CALLS_ANY template <class T, class F, int... I>
TS_HOST_DEVICE constexpr auto call(T const& t, F&& f, seq<I...>) { return f(get<I>(t)...); }
TS_CALLS_ANY template <class T, class F, int... I>
TS_HOST_DEVICE constexpr auto map(T const& t, F&& f, seq<I...>) { return make_tuple(f(get<I>(t))...); }
TS_CALLS_ANY template <class T, class U, class F, int... I>
TS_HOST_DEVICE constexpr auto map(T const& t, U const& u, F&& f, seq<I...>) {
  return make_tuple(f(get<I>(t), get<I>(u))...);
}
TS_CALLS_ANY template <class T, class U, class V, class F, int... I>
TS_HOST_DEVICE constexpr auto map(T const& t, U const& u, V const& v, F&& f, seq<I...>) {
  return make_tuple(f(get<I>(t), get<I>(u), get<I>(v))...);
}
}  // namespace detail

/// First, First + 1, .. Last - 1.
template <int First, int Last>
using make_range = decltype(detail::shifted<First>(make_seq<(Last > First ? Last - First : 0)>{}));

// ---- Loops over indices known at compile time ----

/// Call f(Int<First>{}), .. f(Int<Last - 1>{}).
template <int First, int Last, class F>
TS_INLINE TS_HOST_DEVICE constexpr void static_for(F&& f) { detail::call_each(f, make_range<First, Last>{}); }
template <int N, class F>
TS_INLINE TS_HOST_DEVICE constexpr void static_for(F&& f) { detail::call_each(f, make_seq<N>{}); }

// ---- Function of all elements, function of each element ----

/// f(t0, t1, ..)
template <class T, class F>
TS_HOST_DEVICE constexpr auto apply(T const& t, F&& f) { return detail::call(t, f, indices_of<T>{}); }

/// Call f on each element, in order.
template <class T, class F>
TS_HOST_DEVICE constexpr void for_each(T const& t, F&& f) { detail::call_each(t, f, indices_of<T>{}); }

/// (f(t0), f(t1), ..), or f(t) of an integer.
TS_CALLS_ANY template <class T, class F>
TS_HOST_DEVICE constexpr auto transform(T const& t, F&& f) {
  if constexpr (is_tuple_v<T>) return detail::map(t, f, indices_of<T>{});
  else return f(t);
}
TS_CALLS_ANY template <class T, class U, class F>
TS_HOST_DEVICE constexpr auto transform(T const& t, U const& u, F&& f) {
  if constexpr (is_tuple_v<T>) {
    static_assert(tuple_size_v<T> == tuple_size_v<U>, "the two tuples differ in rank; give both as many modes");
    return detail::map(t, u, f, common_indices<T, U>{});
  } else {
    return f(t, u);
  }
}
TS_CALLS_ANY template <class T, class U, class V, class F>
TS_HOST_DEVICE constexpr auto transform(T const& t, U const& u, V const& v, F&& f) {
  if constexpr (is_tuple_v<T>) {
    static_assert(tuple_size_v<T> == tuple_size_v<U> && tuple_size_v<T> == tuple_size_v<V>,
                  "the three tuples differ in rank; give all the same number of modes");
    return detail::map(t, u, v, f, common_indices<T, U>{});
  } else {
    return f(t, u, v);
  }
}

/// f of every integer in the tree, which keeps its form.
TS_CALLS_ANY template <class T, class F>
TS_HOST_DEVICE constexpr auto transform_leaf(T const& t, F&& f) {
  if constexpr (is_tuple_v<T>) return transform(t, [&](auto const& x) { return transform_leaf(x, f); });
  else return f(t);
}
TS_CALLS_ANY template <class T, class U, class F>
TS_HOST_DEVICE constexpr auto transform_leaf(T const& t, U const& u, F&& f) {
  if constexpr (is_tuple_v<T>) return transform(t, u, [&](auto const& x, auto y) { return transform_leaf(x, y, f); });
  else return f(t, u);
}

/// f(.. f(f(init, t0), t1) .., tn): the type of the value may change at each step.
TS_CALLS_ANY template <int I = 0, class T, class V, class F>
TS_HOST_DEVICE constexpr auto fold(T const& t, V const& init, F&& f) {
  if constexpr (I == tuple_size_v<T>) return init;
  else return fold<I + 1>(t, f(init, get<I>(t)), f);
}

// ---- Rearranging ----

/// The elements I.. as a tuple.
template <int... I, class T> TS_HOST_DEVICE constexpr auto select(T const& t) { return make_tuple(get<I>(t)...); }

namespace detail {
template <class T, int... I>
TS_HOST_DEVICE constexpr auto elements(T const& t, seq<I...>) { return make_tuple(get<I>(t)...); }
template <class X, int... I>
TS_HOST_DEVICE constexpr auto copies(X const& x, seq<I...>) { return make_tuple((static_cast<void>(I), x)...); }
template <class... A, class... B, int... I, int... J>
TS_HOST_DEVICE constexpr Tuple<A..., B...> concat(Tuple<A...> const& a, Tuple<B...> const& b, seq<I...>, seq<J...>) {
  if constexpr (is_static_v<Tuple<A..., B...>>) return {};
  else return Tuple<A..., B...>(get<I>(a)..., get<J>(b)...);
}
}  // namespace detail

/// The elements First .. Last-1; Last = -1 means up to the end.
template <int First, int Last, class T>
TS_HOST_DEVICE constexpr auto take(T const& t) {
  return detail::elements(t, make_range<First, Last == -1 ? tuple_size_v<T> : Last>{});
}

TS_HOST_DEVICE constexpr Tuple<> tuple_cat() { return {}; }
template <class A> TS_HOST_DEVICE constexpr A tuple_cat(A const& a) { return a; }
/// All elements of all tuples, in order.
template <class A, class B, class... Rest>
TS_HOST_DEVICE constexpr auto tuple_cat(A const& a, B const& b, Rest const&... rest) {
  using Front = decltype(detail::concat(a, b, indices_of<A>{}, indices_of<B>{}));
  if constexpr (sizeof...(rest) > 0) return tuple_cat(tuple_cat(a, b), rest...);
  else if constexpr (is_static_v<Front>) return Front{};
  else return detail::concat(a, b, indices_of<A>{}, indices_of<B>{});
}

/// An integer as a tuple of rank 1; a tuple as it is.
template <class T>
TS_HOST_DEVICE constexpr auto wrap(T const& t) {
  if constexpr (is_tuple_v<T>) return t;
  else return make_tuple(t);
}
/// The content of tuples of rank 1.
template <class T>
TS_HOST_DEVICE constexpr auto unwrap(T const& t) {
  if constexpr (is_tuple_v<T> && tuple_size_v<T> == 1) return unwrap(get<0>(t));
  else return t;
}

/// x N times; just x where N is 1.
template <int N, class X>
TS_HOST_DEVICE constexpr auto repeat(X const& x) {
  if constexpr (N == 1) return x;
  else return detail::copies(x, make_seq<N>{});
}
/// x at every leaf of t.
template <class T, class X>
TS_HOST_DEVICE constexpr auto repeat_like(T const& t, X const& x) {
  return transform_leaf(t, [&](auto const&) { return x; });
}

template <class T, class X>
TS_HOST_DEVICE constexpr auto append(T const& t, X const& x) { return tuple_cat(wrap(t), make_tuple(x)); }
template <class T, class X>
TS_HOST_DEVICE constexpr auto prepend(T const& t, X const& x) { return tuple_cat(make_tuple(x), wrap(t)); }
/// t, extended to rank N by x at its end.
template <int N, class T, class X>
TS_HOST_DEVICE constexpr auto append(T const& t, X const& x) {
  static_assert(tuple_size_v<T> <= N, "append<N>: the tuple already has more than N modes; ask for a larger N");
  if constexpr (tuple_size_v<T> == N) return t;
  else return tuple_cat(wrap(t), detail::copies(x, make_seq<N - tuple_size_v<T>>{}));
}
/// t, extended to rank N by x at its beginning.
template <int N, class T, class X>
TS_HOST_DEVICE constexpr auto prepend(T const& t, X const& x) {
  static_assert(tuple_size_v<T> <= N, "prepend<N>: the tuple already has more than N modes; ask for a larger N");
  if constexpr (tuple_size_v<T> == N) return t;
  else return tuple_cat(detail::copies(x, make_seq<N - tuple_size_v<T>>{}), wrap(t));
}

/// t with element N replaced by x.
template <int N, class T, class X>
TS_HOST_DEVICE constexpr auto replace(T const& t, X const& x) {
  if constexpr (is_tuple_v<T>) return tuple_cat(take<0, N>(t), make_tuple(x), take<N + 1, tuple_size_v<T>>(t));
  else return x;
}
/// t with the elements First .. Last-1 made one element.
template <int First, int Last, class T>
TS_HOST_DEVICE constexpr auto group(T const& t) {
  constexpr int end = Last == -1 ? tuple_size_v<T> : Last;
  if constexpr (First == end) return wrap(t);
  else return tuple_cat(take<0, First>(t), make_tuple(take<First, end>(t)), take<end, tuple_size_v<T>>(t));
}

namespace detail {
template <class T> inline constexpr bool is_flat = true;
template <class... T> inline constexpr bool is_flat<Tuple<T...>> = (true && ... && !is_tuple_v<T>);
}  // namespace detail

/// Every leaf in one tuple of depth 1.
template <class T>
TS_HOST_DEVICE constexpr auto flatten_to_tuple(T const& t) {
  if constexpr (detail::is_flat<T>) return wrap(t);
  else return apply(t, [](auto const&... x) { return tuple_cat(flatten_to_tuple(x)...); });
}
/// Every leaf in one tuple of depth 1; an integer as it is.
template <class T>
TS_HOST_DEVICE constexpr auto flatten(T const& t) {
  if constexpr (is_tuple_v<T>) return flatten_to_tuple(t);
  else return t;
}

namespace detail {
/// (the leaves of t that profile uses up, put in its form; the leaves left over)
template <class T, class Profile>
TS_HOST_DEVICE constexpr auto unflatten_step(T const& t, Profile const& profile) {
  if constexpr (is_tuple_v<Profile>) {
    return fold(profile, make_tuple(Tuple<>{}, t), [](auto const& state, auto const& p) {
      auto const next = unflatten_step(get<1>(state), p);
      return make_tuple(append(get<0>(state), get<0>(next)), get<1>(next));
    });
  } else {
    return make_tuple(get<0>(t), take<1, tuple_size_v<T>>(t));
  }
}
}  // namespace detail

/// The leaves of the flat tuple t in the form of profile: the inverse of flatten.
template <class T, class Profile>
TS_HOST_DEVICE constexpr auto unflatten(T const& t, Profile const& profile) {
  auto const result = detail::unflatten_step(wrap(t), profile);
  static_assert(tuple_size_v<tuple_element_t<1, decltype(result)>> == 0,
                "unflatten: the profile has fewer leaves than the tuple; give it one place per leaf");
  return get<0>(result);
}

/// (a,b) and (x,y) -> ((a,x),(b,y)); an integer is paired whole.
template <class T, class U>
TS_HOST_DEVICE constexpr auto zip(T const& t, U const& u) {
  if constexpr (is_tuple_v<T>) {
    static_assert(is_tuple_v<U>, "zip: a tuple is paired with an integer; wrap the integer in a tuple of rank 1");
    return transform(t, u, [](auto const& x, auto const& y) { return make_tuple(x, y); });
  } else {
    return make_tuple(make_tuple(t, u));
  }
}

}  // namespace tilestep
