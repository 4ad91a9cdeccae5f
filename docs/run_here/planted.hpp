#pragma once
// Which of the planted bugs the program has: the one whose number it was given, or none (0).

#include <type_traits>  // std::is_constant_evaluated

inline int tilestep_planted = 0;

/// What the compiler computes has no bug.
constexpr bool tilestep_has_bug(int number) {
  if (std::is_constant_evaluated()) return false;
  return tilestep_planted == number;
}
