#pragma once
// Integers known at compile time. `Int<8>{}` is the number 8 as a type: arithmetic on such numbers gives such numbers,
// so a layout made of them costs nothing at run time, and what is known about it can be checked by the compiler. They
// mix freely with run-time integers; where a static operand alone decides the result (0 * x), the result stays static.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE

#include <cstdint>                      // int64_t
#include <type_traits>                  // is_integral, is_empty, conditional

namespace tilestep {

/// The constant `v` as an empty type.
template <auto v>
struct C {
  using value_type = decltype(v);
  static constexpr value_type value = v;
  TS_HOST_DEVICE constexpr operator value_type() const { return v; }
  TS_HOST_DEVICE constexpr value_type operator()() const { return v; }
};

template <int N> using Int = C<N>;

template <bool b> using bool_constant = C<b>;
using true_type = C<true>;
using false_type = C<false>;

// ---- What kind of number a type is ----

template <class T> using remove_cvref_t = std::remove_cv_t<std::remove_reference_t<T>>;

// __is_empty and __is_class are what traits of namespace std ask, too; but asked of every type, those are half of all
// classes that a kernel's source instantiates.

/// A type whose value is known from the type alone.
template <class T> inline constexpr bool is_static_v = __is_empty(T);
template <class T> inline constexpr bool is_static_v<T&> = is_static_v<T>;
template <class T> inline constexpr bool is_static_v<T&&> = is_static_v<T>;

/// f(), or the value of its type where that is all there is to know: then nothing of f is compiled into the program.
TS_CALLS_ANY template <class F>
TS_INLINE TS_HOST_DEVICE constexpr auto folded(F const& f) {
  using Result = decltype(f());
  if constexpr (is_static_v<Result>) return Result{};
  else return f();
}

template <class T> concept DynamicInt = !__is_class(T) && std::is_integral_v<T>;

/// An integer, static or dynamic. Types that behave like integers specialise it.
template <class T> inline constexpr bool is_integral_v = DynamicInt<T>;
template <auto v> inline constexpr bool is_integral_v<C<v>> = true;
template <class T> inline constexpr bool is_integral_v<T const> = is_integral_v<T>;

/// Whether T is the static number n.
template <auto n, class T> inline constexpr bool is_constant_v = false;
template <auto n, auto v>
inline constexpr bool is_constant_v<n, C<v>> = static_cast<std::int64_t>(n) == static_cast<std::int64_t>(v);
template <auto n, class T> inline constexpr bool is_constant_v<n, T const> = is_constant_v<n, T>;
template <auto n, class T> inline constexpr bool is_constant_v<n, T&> = is_constant_v<n, T>;

// ---- Arithmetic: computed in 64 bits, kept as an int where it fits ----

/// The static integer v.
template <std::int64_t v> using StaticInt = std::conditional_t<v == static_cast<int>(v), C<static_cast<int>(v)>, C<v>>;
template <auto v> inline constexpr std::int64_t wide = static_cast<std::int64_t>(v);

// clang-format off
template <auto a> TS_HOST_DEVICE constexpr C<a> operator+(C<a>) { return {}; }
template <auto a> TS_HOST_DEVICE constexpr StaticInt<-wide<a>> operator-(C<a>) { return {}; }
template <auto a> TS_HOST_DEVICE constexpr StaticInt<~wide<a>> operator~(C<a>) { return {}; }
template <auto a> TS_HOST_DEVICE constexpr C<!a> operator!(C<a>) { return {}; }

template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> + wide<b>)> operator+(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> - wide<b>)> operator-(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> * wide<b>)> operator*(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> / wide<b>)> operator/(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> % wide<b>)> operator%(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> & wide<b>)> operator&(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> | wide<b>)> operator|(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> ^ wide<b>)> operator^(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> << wide<b>)> operator<<(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr StaticInt<(wide<a> >> wide<b>)> operator>>(C<a>, C<b>) { return {}; }

template <auto a, auto b> TS_HOST_DEVICE constexpr C<(a && b)> operator&&(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr C<(a || b)> operator||(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr C<(wide<a> == wide<b>)> operator==(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr C<(wide<a> != wide<b>)> operator!=(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr C<(wide<a> < wide<b>)> operator<(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr C<(wide<a> <= wide<b>)> operator<=(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr C<(wide<a> > wide<b>)> operator>(C<a>, C<b>) { return {}; }
template <auto a, auto b> TS_HOST_DEVICE constexpr C<(wide<a> >= wide<b>)> operator>=(C<a>, C<b>) { return {}; }

// One static operand can decide: 0 * x, 0 / x, 0 % x, x % 1, 0 & x, false && x, true || x.
template <auto a, DynamicInt X> requires(a == 0) TS_HOST_DEVICE constexpr Int<0> operator*(C<a>, X) { return {}; }
template <DynamicInt X, auto a> requires(a == 0) TS_HOST_DEVICE constexpr Int<0> operator*(X, C<a>) { return {}; }
template <auto a, DynamicInt X> requires(a == 0) TS_HOST_DEVICE constexpr Int<0> operator/(C<a>, X) { return {}; }
template <auto a, DynamicInt X> requires(a == 0) TS_HOST_DEVICE constexpr Int<0> operator%(C<a>, X) { return {}; }
template <DynamicInt X, auto a> requires(a == 1 || a == -1)
TS_HOST_DEVICE constexpr Int<0> operator%(X, C<a>) { return {}; }
template <auto a, DynamicInt X> requires(a == 0) TS_HOST_DEVICE constexpr Int<0> operator&(C<a>, X) { return {}; }
template <DynamicInt X, auto a> requires(a == 0) TS_HOST_DEVICE constexpr Int<0> operator&(X, C<a>) { return {}; }
template <auto a, DynamicInt X> requires(!a) TS_HOST_DEVICE constexpr false_type operator&&(C<a>, X) { return {}; }
template <DynamicInt X, auto a> requires(!a) TS_HOST_DEVICE constexpr false_type operator&&(X, C<a>) { return {}; }
template <auto a, DynamicInt X> requires(bool(a)) TS_HOST_DEVICE constexpr true_type operator||(C<a>, X) { return {}; }
template <DynamicInt X, auto a> requires(bool(a)) TS_HOST_DEVICE constexpr true_type operator||(X, C<a>) { return {}; }
// clang-format on

// ---- Named functions ----

template <DynamicInt T>
TS_HOST_DEVICE constexpr T abs(T x) {
  if constexpr (std::is_signed_v<T>) return x < 0 ? -x : x;
  else return x;
}
template <auto a> TS_HOST_DEVICE constexpr StaticInt<(wide<a> < 0 ? -wide<a> : wide<a>)> abs(C<a>) { return {}; }

template <DynamicInt T>
TS_HOST_DEVICE constexpr int signum(T x) {
  if constexpr (std::is_signed_v<T>) return (x > 0) - (x < 0);
  else return x > 0;
}
template <auto a> TS_HOST_DEVICE constexpr auto signum(C<a>) { return Int<(a > 0) - (a < 0)>{}; }

namespace detail {
template <class A, class B>
TS_HOST_DEVICE constexpr auto smaller(A a, B b) {
  if constexpr (is_static_v<A> && is_static_v<B>) return std::conditional_t<(B::value < A::value), B, A>{};
  else return b < a ? b : a;
}
template <class A, class B>
TS_HOST_DEVICE constexpr auto larger(A a, B b) {
  if constexpr (is_static_v<A> && is_static_v<B>) return std::conditional_t<(A::value < B::value), B, A>{};
  else return a < b ? b : a;
}
TS_HOST_DEVICE constexpr std::int64_t gcd(std::int64_t a, std::int64_t b) {
  while (b != 0) {
    std::int64_t const r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}
}  // namespace detail

/// The greatest common divisor.
template <class A, class B>
TS_HOST_DEVICE constexpr auto gcd(A a, B b) {
  if constexpr (is_static_v<A> && is_static_v<B>) return StaticInt<detail::gcd(A::value, B::value)>{};
  else return static_cast<decltype(a + b)>(detail::gcd(a, b));
}

// ---- The usual constants, `_8{}` for `Int<8>{}` ----

// clang-format off
using _m2 = Int<-2>; using _m1 = Int<-1>; using _0 = Int<0>; using _1 = Int<1>; using _2 = Int<2>; using _3 = Int<3>;
using _4 = Int<4>; using _5 = Int<5>; using _6 = Int<6>; using _7 = Int<7>; using _8 = Int<8>; using _9 = Int<9>;
using _10 = Int<10>; using _12 = Int<12>; using _16 = Int<16>; using _24 = Int<24>; using _32 = Int<32>;
using _40 = Int<40>; using _48 = Int<48>; using _64 = Int<64>; using _72 = Int<72>; using _80 = Int<80>;
using _96 = Int<96>; using _128 = Int<128>; using _160 = Int<160>; using _192 = Int<192>; using _256 = Int<256>;
using _384 = Int<384>; using _512 = Int<512>; using _1024 = Int<1024>; using _2048 = Int<2048>; using _4096 = Int<4096>;
using _8192 = Int<8192>; using _16384 = Int<16384>; using _32768 = Int<32768>; using _65536 = Int<65536>;
using _131072 = Int<131072>; using _262144 = Int<262144>; using _524288 = Int<524288>;
// clang-format on

}  // namespace tilestep
