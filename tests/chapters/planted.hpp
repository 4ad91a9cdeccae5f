#pragma once
// Which of a program's planted bugs is there: the one whose number is in the environment, or none.

#include <cstdlib>      // std::getenv, std::atoi
#include <type_traits>  // std::is_constant_evaluated

inline int const tilestep_planted = [] {
  char const* const number = std::getenv("TILESTEP_PLANTED");
  return number == nullptr ? 0 : std::atoi(number);
}();

/// What the compiler computes has no bug.
constexpr bool tilestep_has_bug(int number) {
  if (std::is_constant_evaluated()) return false;
  return tilestep_planted == number;
}
