#pragma once
// The solution: the last group is as high as what is left, and in groups with an odd number columns are counted from
// the other end.

#include <tilestep/core.hpp>  // idx2crd, make_coord, min

namespace tilestep {

/// The tile of this number. @param number 0 .. tiles_m tiles_n - 1   @param group 1 .. tiles_m @return (m,n)
///   group g has the rows g group .. g group + group - 1, as far as they exist, and its tiles have numbers that follow
///   each other
///   groups 0, 2, 4, .. are walked from column 0 to the last, groups 1, 3, 5, .. from the last to column 0; each column
///   from its first row down
///   every tile of the grid has one number, whatever its extents
TS_HOST_DEVICE constexpr auto there_and_back(int number, int tiles_m, int tiles_n, int group) {
  int const g = number / (group * tiles_n), first = g * group;  // row of the group
  int const rows = min(group, tiles_m - first);
  auto const [m, n] = idx2crd(number - first * tiles_n, make_shape(rows, tiles_n));
  return make_coord(first + m, g % 2 == 0 ? n : tiles_n - 1 - n);
}

}  // namespace tilestep
