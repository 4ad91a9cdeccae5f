#pragma once
// Numbers and tuples as text: an underscore marks what is known at compile time, as in (_4,(_2,n)). Host only.

#include <tilestep/core/basis.hpp>  // ScaledBasis
#include <tilestep/core/slice.hpp>  // Underscore

#include <cstdio>                   // fputs
#include <string>                   // string

namespace tilestep {

template <DynamicInt T> std::string to_string(T x) { return std::to_string(x); }
template <auto v> std::string to_string(C<v>) { return "_" + std::to_string(v); }
inline std::string to_string(Underscore) { return "_"; }

template <class T, int... N>
std::string to_string(ScaledBasis<T, N...> const& e) {
  std::string modes;
  ((modes = "@" + std::to_string(N) + modes), ...);
  return to_string(e.value()) + modes;
}

template <class... T>
std::string to_string(Tuple<T...> const& t) {
  std::string text;
  for_each(t, [&](auto const& x) { text += (text.empty() ? "" : ",") + to_string(x); });
  return "(" + text + ")";
}

inline std::string to_string(char const* text) { return text; }
/// Write anything that has a to_string to the standard output.
template <class T>
void print(T const& t) {
  std::fputs(to_string(t).c_str(), stdout);
}

}  // namespace tilestep
