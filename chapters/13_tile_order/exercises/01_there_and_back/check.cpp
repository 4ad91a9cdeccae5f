// Grades the exercise: the reader's order on every grid of up to 9 x 9 tiles.

#include EXERCISE_HEADER

#include <cstdio>  // messages
#include <vector>  // tiles

using namespace tilestep;

namespace {

/// Every tile once, groups after each other, down each column, and no jump from one group to the next.
bool is_right(int tiles_m, int tiles_n, int group) {
  std::vector<int> number_of(std::size_t(tiles_m * tiles_n), -1);
  int before_m = 0, before_n = 0;
  for (int number = 0; number < tiles_m * tiles_n; ++number) {
    auto const coord = there_and_back(number, tiles_m, tiles_n, group);
    int const m = int(get<0>(coord)), n = int(get<1>(coord));
    auto const wrong = [&](char const* what) {
      std::printf("%d x %d tiles in groups of %d: number %d is tile (%d,%d), %s\n", tiles_m, tiles_n, group, number, m,
                  n, what);
      return false;
    };
    if (m < 0 || m >= tiles_m || n < 0 || n >= tiles_n) return wrong("outside of C");
    int& taken = number_of[std::size_t(m * tiles_n + n)];
    if (taken >= 0) return wrong("which another number has");
    taken = number;
    bool const same_group = m / group == before_m / group;
    if (number > 0 && m / group < before_m / group) return wrong("in a group that was done");
    if (number > 0 && same_group && n == before_n && m != before_m + 1) return wrong("not the next of its column");
    bool const starts = m == m / group * group && n - before_n <= 1 && before_n - n <= 1;
    if (number > 0 && same_group && n != before_n && !starts)
      return wrong("not the first of the next column");
    if (number > 0 && !same_group && n != before_n) return wrong("in another column than the group before ended in");
    before_m = m, before_n = n;
  }
  return true;
}

}  // namespace

int main() {
  for (int tiles_m = 1; tiles_m <= 9; ++tiles_m) {
    for (int tiles_n = 1; tiles_n <= 9; ++tiles_n) {
      for (int group = 1; group <= tiles_m; ++group) {
        if (!is_right(tiles_m, tiles_n, group)) return 1;
      }
    }
  }
  std::puts("right: every tile once, and no jump between groups");
  return 0;
}
