#pragma once
// What the checks of exercises share: each function prints one line where something is wrong and says so. A check
// returns 4 for a hazard, 1 for a wrong result, 0 where all is right.

#include <tilestep/backend/report.hpp>  // KernelReport

#include <cstdint>  // counts
#include <cstdio>   // messages

namespace tilestep {

/// Whether the launch had no hazard; prints those it had.
inline bool no_hazard(KernelReport const& report) {
  for (Hazard const& hazard : report.hazards)
    std::printf("%s: %s\n", report.target.c_str(), text_of(hazard).c_str());
  return report.hazards.empty();
}

/// Whether an element of a result is the one that is wanted, NaN being wrong. @param name  of the tensor, such as "C"
inline bool right_element(char const* name, std::int64_t row, std::int64_t column, double got, double want) {
  if (got == want) return true;
  std::printf("%s(%lld,%lld) is %g and should be %g\n", name, static_cast<long long>(row),
              static_cast<long long>(column), got, want);
  return false;
}

/// Whether the reader's number is the one that was counted. It does not tell the right one.
/// @param what  a plural: "barriers of one block"
inline bool predicted(char const* what, std::int64_t answer, std::int64_t counted) {
  if (answer == counted) return true;
  std::printf("%s: you say %lld, and the virtual GPU counts %s\n", what, static_cast<long long>(answer),
              answer < counted ? "more" : "fewer");
  return false;
}

/// Whether no more of something was counted than the exercise allows.
inline bool at_most(char const* what, std::int64_t counted, std::int64_t most) {
  if (counted <= most) return true;
  std::printf("%s: %lld, at most %lld are allowed\n", what, static_cast<long long>(counted),
              static_cast<long long>(most));
  return false;
}

}  // namespace tilestep
