#pragma once
// Reads the golden cases: what CuTe printed for an operation against what the library gives. A result has a FORM (the
// tree of its integers and which of them are static), compared as text, and is a FUNCTION (size and offsets), compared
// by hash. Results are collected instead of asserted one by one, so that the files with cases compile without the test
// framework.

#include <tilestep/layout.hpp>  // what is tested

#include <cstdint>              // int64_t, uint64_t
#include <string>               // string
#include <vector>               // vector

namespace golden {

/// What became of the cases of one operation.
struct Report {
  int cases = 0;
  std::vector<std::string> wrong;         // cases whose function, value or (where static) form differs
  std::vector<std::string> other_forms;   // cases with run-time integers, right but of another form

  /// One more case; empty messages mean that it agrees.
  void add(int id, std::string const& function, std::string const& form, bool form_counts);
};

/// FNV-1a over 64-bit values.
struct Hash {
  std::uint64_t state = 0xcbf29ce484222325ULL;
  void add(std::int64_t value);
};

constexpr std::int64_t hashed = 4096;   // so many values of a layout are hashed

template <class L>
void add_offsets(Hash& hash, L const& layout, std::int64_t offset) {
  std::int64_t const n = static_cast<std::int64_t>(size(layout));
  for (int i = 0; i < n && i < hashed; ++i) {
    hash.add(offset + static_cast<std::int64_t>(layout(i)));
  }
}

std::string difference(char const* what, std::string const& got, std::string const& want);
std::string difference(char const* what, std::int64_t got, std::int64_t want);

/// Static layouts of one type are of one form; others are compared as text.
template <class L, class Out>
std::string form_difference([[maybe_unused]] L const& got, [[maybe_unused]] Out const& want) {
  if constexpr (std::is_same_v<L, Out> && tilestep::is_static_v<L>) return "";
  else return difference("form", to_string(got), to_string(want));
}

/// A layout against its form, size and the hash of its offsets.
template <class L, class Out>
void layout(Report& report, int id, L const& got, Out const& want, std::int64_t offset, std::int64_t n,
            std::uint64_t hash) {
  Hash h;
  add_offsets(h, got, offset);
  std::string function = difference("size", static_cast<std::int64_t>(size(got)), n);
  if (h.state != hash) function += "other offsets; ";
  report.add(id, function, form_difference(got, want), tilestep::is_static_v<Out>);
}
template <class L, class Out>
void layout(Report& report, int id, L const& got, Out const& want, std::int64_t n, std::uint64_t hash) {
  layout(report, id, got, want, 0, n, hash);
}

/// A layout without a printed form, such as a swizzled one.
template <class L>
void function(Report& report, int id, L const& got, std::int64_t n, std::uint64_t hash) {
  layout(report, id, got, got, 0, n, hash);
}

/// A number; static where the input is.
template <class A, class T>
void value(Report& report, int id, A const&, T const& got, std::int64_t want) {
  report.add(id, difference("value", static_cast<std::int64_t>(got), want),
             tilestep::is_static_v<A> && !tilestep::is_static_v<T> ? "not static; " : "", true);
}

/// The leaves of coordinates f(0), f(1), .. f(n-1), hashed in order.
template <class F>
void coordinates(Report& report, int id, int n, std::uint64_t hash, F const& f) {
  Hash h;
  for (int i = 0; i < n; ++i) {
    tilestep::for_each(tilestep::flatten_to_tuple(f(i)), [&](auto const& c) { h.add(static_cast<std::int64_t>(c)); });
  }
  report.add(id, h.state == hash ? "" : "other coordinates; ", "", true);
}

/// f of each input against the wanted outputs.
template <class In, class F>
void values(Report& report, int id, std::vector<In> const& in, std::vector<std::int64_t> const& want, F const& f) {
  std::string wrong;
  for (std::size_t i = 0; i < in.size(); ++i) {
    wrong += difference("value", static_cast<std::int64_t>(f(in[i])), want[i]);
  }
  report.add(id, wrong, "", true);
}

}  // namespace golden

// ---- How the integers, tuples and layouts of the cases are written ----

#define GOLDEN_I(n) tilestep::Int<(n)>{}
#define GOLDEN_D(n) int(n)
#define GOLDEN_U tilestep::Underscore{}
#define GOLDEN_T(...) tilestep::make_tuple(__VA_ARGS__)
#define GOLDEN_L(shape, stride) tilestep::make_layout(shape, stride)

#define GOLDEN_UNPACK(...) __VA_ARGS__
#define GOLDEN_FIRST(first, ...) first
