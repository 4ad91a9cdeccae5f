#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Every group is as high as the first, as in the stub. Says: outside of C
// 2. Every group is walked from its first column. Says: in another column than the group before
// 3. Backwards from a column that does not exist. Says: outside of C
// 4. The groups are told apart by their row, not by their number. Says: in another column than the group before

#include <tilestep/core.hpp>  // idx2crd, make_coord, min
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// The tile of this number. @param number 0 .. tiles_m tiles_n - 1   @param group 1 .. tiles_m @return (m,n)
///   group g has the rows g group .. g group + group - 1, as far as they exist, and its tiles have numbers that follow
///   each other
///   groups 0, 2, 4, .. are walked from column 0 to the last, groups 1, 3, 5, .. from the last to column 0; each column
///   from its first row down
///   every tile of the grid has one number, whatever its extents
TS_HOST_DEVICE inline auto there_and_back(int number, int tiles_m, int tiles_n, int group) {
  int const g = number / (group * tiles_n), first = g * group;  // row of the group
  int const rows = wrong_answer(1) ? group : min(group, tiles_m - first);
  auto const [m, n] = idx2crd(number - first * tiles_n, make_shape(rows, tiles_n));
  bool const forwards = wrong_answer(2) || (wrong_answer(4) ? first : g) % 2 == 0;
  return make_coord(first + m, forwards ? n : tiles_n - (wrong_answer(3) ? 0 : 1) - n);
}

}  // namespace tilestep
