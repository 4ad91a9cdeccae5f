#pragma once
// Which wrong answer of an exercise a program gives: exercises/NN_name/wrong.hpp is the solution with typical mistakes
// in it, of which one at a time is made. A test runs each and compares what the check says of it.

#include <cstdlib>  // std::getenv, std::atoi

namespace tilestep {

/// Whether to make mistake `number`, 1 or more: the environment's TILESTEP_WRONG_ANSWER says which; none without it.
inline bool wrong_answer(int number) {
  static int const chosen = [] {
    char const* const text = std::getenv("TILESTEP_WRONG_ANSWER");
    return text ? std::atoi(text) : 0;
  }();
  return number == chosen;
}

}  // namespace tilestep
