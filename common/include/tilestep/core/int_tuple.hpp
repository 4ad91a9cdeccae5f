#pragma once
// Integer tuples: trees whose leaves are integers, such as (4,(2,3)). Shapes, strides and coordinates are integer
// tuples. Here are their measures (rank, depth, size), their relations (congruent, compatible) and their arithmetic.
// The measures also serve everything that has a `.shape()`: layouts and tensors.

#include <tilestep/core/tuple_algorithms.hpp>  // transform, fold, append

namespace tilestep {

template <class... T> using Shape = Tuple<T...>;
template <class... T> using Stride = Tuple<T...>;
template <class... T> using Step = Tuple<T...>;
template <class... T> using Coord = Tuple<T...>;
template <class... T> using Tile = Tuple<T...>;

template <class... T> TS_HOST_DEVICE constexpr Shape<T...> make_shape(T const&... t) { return make_tuple(t...); }
template <class... T> TS_HOST_DEVICE constexpr Stride<T...> make_stride(T const&... t) { return make_tuple(t...); }
template <class... T> TS_HOST_DEVICE constexpr Step<T...> make_step(T const&... t) { return make_tuple(t...); }
template <class... T> TS_HOST_DEVICE constexpr Coord<T...> make_coord(T const&... t) { return make_tuple(t...); }
template <class... T> TS_HOST_DEVICE constexpr Tile<T...> make_tile(T const&... t) { return make_tuple(t...); }

// ---- Measures ----

namespace detail {
template <class T> inline constexpr bool is_int_tuple = is_integral_v<T>;
template <class... T> inline constexpr bool is_int_tuple<Tuple<T...>> = (true && ... && is_int_tuple<T>);
}  // namespace detail

/// The shape of whatever has one; an integer tuple is its own shape. shape<I...> is the shape of mode I...
template <class T>
TS_HOST_DEVICE constexpr auto shape(T const& t) {
  if constexpr (detail::is_int_tuple<T>) return t;
  else if constexpr (is_tuple_v<T>) return transform(t, [](auto const& x) { return shape(x); });
  else return t.shape();
}
template <int I0, int... I, class T> TS_HOST_DEVICE constexpr auto shape(T const& t) { return get<I0, I...>(shape(t)); }

namespace detail {
template <int... I, class T>
TS_HOST_DEVICE constexpr auto mode(T const& t) {
  if constexpr (sizeof...(I) == 0) return shape(t);
  else return shape<I...>(t);
}
}  // namespace detail

/// The number of modes; an integer has one.
template <int... I, class T>
TS_HOST_DEVICE constexpr auto rank(T const& t) { return Int<tuple_size_v<decltype(detail::mode<I...>(t))>>{}; }
template <class T> inline constexpr int rank_v = decltype(rank(std::declval<T>()))::value;
template <class T> inline constexpr int rank_v<T const> = rank_v<T>;
template <class... T> inline constexpr int rank_v<Tuple<T...>> = sizeof...(T);

namespace detail {
template <class T> inline constexpr int depth_of = 0;
template <class... T>
inline constexpr int depth_of<Tuple<T...>> = [] {
  int deepest = 0;
  ((deepest = depth_of<T> > deepest ? depth_of<T> : deepest), ...);
  return deepest + 1;
}();
}  // namespace detail

/// How deep tuples are nested; an integer has depth 0.
template <int... I, class T>
TS_HOST_DEVICE constexpr auto depth(T const& t) { return Int<detail::depth_of<decltype(detail::mode<I...>(t))>>{}; }
template <class T> inline constexpr int depth_v = decltype(depth(std::declval<T>()))::value;

/// The product of all leaves.
template <class T>
TS_HOST_DEVICE constexpr auto product(T const& t) {
  if constexpr (!is_tuple_v<T>) return t;
  else if constexpr (tuple_size_v<T> == 0) return Int<1>{};
  else return apply(t, [](auto const&... x) { return (... * product(x)); });
}
/// The product of the leaves of each mode.
template <class T>
TS_HOST_DEVICE constexpr auto product_each(T const& t) {
  return transform(wrap(t), [](auto const& x) { return product(x); });
}
/// The product of what t holds at each leaf of guide.
template <class T, class Guide>
TS_HOST_DEVICE constexpr auto product_like(T const& t, Guide const& guide) {
  return transform_leaf(guide, t, [](auto const&, auto const& x) { return product(x); });
}

/// The number of elements of a shape, a layout, a tensor, or of its mode I...
template <int... I, class T> TS_HOST_DEVICE constexpr auto size(T const& t) { return product(detail::mode<I...>(t)); }
template <class T> inline constexpr auto size_v = decltype(size(std::declval<T>()))::value;

/// The sum of all leaves.
template <class T>
TS_HOST_DEVICE constexpr auto sum(T const& t) {
  if constexpr (is_tuple_v<T>) return apply(t, [](auto const&... x) { return (Int<0>{} + ... + sum(x)); });
  else return t;
}
/// The sum of the products of corresponding leaves.
template <class A, class B>
TS_HOST_DEVICE constexpr auto inner_product(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) {
    static_assert(tuple_size_v<A> == tuple_size_v<B>, "inner_product needs congruent tuples; nest both alike");
    return sum(transform(a, b, [](auto const& x, auto const& y) { return inner_product(x, y); }));
  } else {
    return a * b;
  }
}

/// The smallest of all leaves of all arguments.
template <class T, class... Rest>
TS_HOST_DEVICE constexpr auto min(T const& t, Rest const&... rest) {
  if constexpr (is_tuple_v<T>) return min(apply(t, [](auto const&... x) { return min(x...); }), rest...);
  else if constexpr (sizeof...(Rest) == 0) return t;
  else return detail::smaller(t, min(rest...));
}
/// The largest of all leaves of all arguments.
template <class T, class... Rest>
TS_HOST_DEVICE constexpr auto max(T const& t, Rest const&... rest) {
  if constexpr (is_tuple_v<T>) return max(apply(t, [](auto const&... x) { return max(x...); }), rest...);
  else if constexpr (sizeof...(Rest) == 0) return t;
  else return detail::larger(t, max(rest...));
}

// ---- Division of shapes ----

namespace detail {
/// Divide by `divide`: mode by mode if b is a tuple; else b is used up from the first mode of a on.
template <class A, class B, class Divide>
TS_HOST_DEVICE constexpr auto divide_shape(A const& a, B const& b, Divide const& divide) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    static_assert(tuple_size_v<A> >= tuple_size_v<B>,
                  "rank mismatch: the divisor has more modes than the shape; drop the extra ones");
    return transform(a, append<tuple_size_v<A>>(b, Int<1>{}),
                     [&](auto const& x, auto const& y) { return divide_shape(x, y, divide); });
  } else if constexpr (is_tuple_v<A>) {
    return get<0>(fold(a, make_tuple(Tuple<>{}, b), [&](auto const& state, auto const& x) {
      auto const left = get<1>(state);
      return make_tuple(append(get<0>(state), divide_shape(x, left, divide)), divide_shape(left, x, divide));
    }));
  } else {
    return divide(a, product(b));
  }
}
}  // namespace detail

/// a / b rounded up. (6,8) by 4 uses up 4 from the left: (2,8).
template <class A, class B>
TS_HOST_DEVICE constexpr auto ceil_div(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> || is_tuple_v<B>) {
    return detail::divide_shape(a, b, [](auto const& x, auto const& y) { return ceil_div(x, y); });
  } else {
    return (a + b - Int<1>{}) / b;
  }
}

/// ceil_div where one of the two divides the other: (6,8) by 12 is (1,4).
template <class A, class B>
TS_HOST_DEVICE constexpr auto shape_div(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> || is_tuple_v<B>) {
    return detail::divide_shape(a, b, [](auto const& x, auto const& y) { return shape_div(x, y); });
  } else {
    if constexpr (is_static_v<A> && is_static_v<B>) {
      static_assert(A::value % B::value == 0 || B::value % A::value == 0,
                    "shape_div: neither size divides the other; choose sizes of which one is a multiple of the other");
    }
    return ceil_div(a, b);
  }
}

/// a rounded up to a multiple of b, mode by mode.
template <class A, class B>
TS_HOST_DEVICE constexpr auto round_up(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    static_assert(tuple_size_v<A> >= tuple_size_v<B>,
                  "rank mismatch: round_up has more multiples than modes; drop the extra ones");
    return transform(a, append<tuple_size_v<A>>(b, Int<1>{}), [](auto const& x, auto y) { return round_up(x, y); });
  } else {
    return ceil_div(a, b) * b;
  }
}

// ---- Relations ----

namespace detail {
template <class A, class B> inline constexpr bool congruent = !is_tuple_v<A> && !is_tuple_v<B>;
template <class... A, class... B>
  requires(sizeof...(A) == sizeof...(B))
inline constexpr bool congruent<Tuple<A...>, Tuple<B...>> = (true && ... && congruent<A, B>);
}  // namespace detail

/// Whether a and b are the same tree but for the integers at its leaves.
template <class A, class B>
TS_HOST_DEVICE constexpr auto congruent(A const& a, B const& b) {
  return bool_constant<detail::congruent<decltype(shape(a)), decltype(shape(b))>>{};
}

namespace detail {
/// Descend into a and b together; at a leaf of a ask `at_leaf(leaf, what b has there)`.
template <class A, class B, class F>
TS_HOST_DEVICE constexpr auto refines(A const& a, B const& b, F const& at_leaf) {
  if constexpr (!is_tuple_v<A>) {
    return at_leaf(a, b);
  } else if constexpr (!is_tuple_v<B>) {
    return false_type{};
  } else if constexpr (tuple_size_v<A> != tuple_size_v<B>) {
    return false_type{};
  } else {
    return apply(transform(a, b, [&](auto const& x, auto const& y) { return refines(x, y, at_leaf); }),
                 [](auto const&... x) { return (true_type{} && ... && x); });
  }
}
}  // namespace detail

/// Whether b is a or nests deeper than a.
template <class A, class B>
TS_HOST_DEVICE constexpr auto weakly_congruent(A const& a, B const& b) {
  return detail::refines(shape(a), shape(b), [](auto const&, auto const&) { return true_type{}; });
}

/// Whether every coordinate of shape a is a coordinate of shape b: b refines a and keeps the size of each leaf of a.
template <class A, class B>
TS_HOST_DEVICE constexpr auto compatible(A const& a, B const& b) {
  return detail::refines(shape(a), shape(b), [](auto const& x, auto const& y) { return x == size(y); });
}

/// Whether tiles of shape b cover shape a exactly.
template <class A, class B>
TS_HOST_DEVICE constexpr auto evenly_divides(A const& a, B const& b) {
  if constexpr (!is_tuple_v<B>) {
    return size(a) == size(b) * size(ceil_div(shape(a), b));
  } else if constexpr (rank_v<B> > rank_v<A>) {
    return false_type{};
  } else {
    return [&]<int... I>(seq<I...>) {
      return (true_type{} && ... && evenly_divides(get<I>(a), get<I>(b)));
    }(indices_of<B>{});
  }
}

/// Whether every leaf of a is less than the corresponding one of b: "is this coordinate inside that shape?"
template <class A, class B>
TS_HOST_DEVICE constexpr auto elem_less(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    if constexpr (tuple_size_v<A> > tuple_size_v<B>) {
      return false_type{};
    } else {
      return [&]<int... I>(seq<I...>) {
        return (true_type{} && ... && elem_less(get<I>(a), get<I>(b)));
      }(indices_of<A>{});
    }
  } else {
    return a < b;
  }
}

/// b with a 1 wherever a has a static 0.
template <class A, class B>
TS_HOST_DEVICE constexpr auto filter_zeros(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) return transform(a, b, [](auto const& x, auto const& y) { return filter_zeros(x, y); });
  else if constexpr (is_constant_v<0, A>) return repeat_like(b, Int<1>{});
  else return b;
}

}  // namespace tilestep
