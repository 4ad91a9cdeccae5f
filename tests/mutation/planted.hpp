#pragma once
// Which of a program's changes is made: the one whose number is in TILESTEP_PLANTED, or none. Where TILESTEP_REACHED
// names a file, the numbers of those that the program came to are added to it: the others cannot matter to this run.

#include <array>        // what was reached
#include <atomic>       // by several threads
#include <cstdio>       // the file
#include <cstdlib>      // std::getenv, std::atoi
#include <string>       // what is written
#include <type_traits>  // std::is_constant_evaluated

inline int const tilestep_planted = [] {
  char const* const number = std::getenv("TILESTEP_PLANTED");
  return number == nullptr ? 0 : std::atoi(number);
}();

struct TilestepReached {
  std::array<std::atomic<bool>, 4096> at{};
  ~TilestepReached() {
    char const* const name = std::getenv("TILESTEP_REACHED");
    std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "a");
    if (file == nullptr) return;
    std::string numbers;
    for (std::size_t i = 0; i < at.size(); ++i)
      if (at[i].load(std::memory_order_relaxed)) numbers += std::to_string(i) + "\n";
    std::setbuf(file, nullptr);  // one write: other processes add to it, too
    std::fwrite(numbers.data(), 1, numbers.size(), file);
    std::fclose(file);
  }
};
inline TilestepReached tilestep_reached;
inline bool const tilestep_records = std::getenv("TILESTEP_REACHED") != nullptr;

/// What the compiler computes is not changed.
constexpr bool tilestep_has_bug(int number) {
  if (std::is_constant_evaluated()) return false;
  if (tilestep_records) tilestep_reached.at[std::size_t(number)].store(true, std::memory_order_relaxed);
  return tilestep_planted == number;
}
