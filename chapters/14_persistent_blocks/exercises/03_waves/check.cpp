// Grades the exercise: deals the tiles out to multiprocessors one by one, and counts.

#include EXERCISE_HEADER

#include <algorithm>  // std::max, std::count
#include <cstdio>     // messages
#include <vector>     // tiles of each multiprocessor

namespace {

bool same(char const* what, int answer, int counted) {
  if (answer == counted) return true;
  char const* const other = answer < counted ? "more" : "fewer";
  std::printf("%s: you say %d, and dealing the tiles out gives %s\n", what, answer, other);
  return false;
}

}  // namespace

int main() {
  using namespace tilestep;
  constexpr int rows = 4900, columns = 4100, units = 132;
  int dealt = 0;
  std::vector<int> computed(units);
  for (int m = 0; m < rows; m += 128) {
    for (int n = 0; n < columns; n += 256) ++computed[std::size_t(dealt++ % units)];
  }
  int const rounds = *std::max_element(computed.begin(), computed.end());
  int const without = int(std::count_if(computed.begin(), computed.end(), [&](int each) { return each < rounds; }));
  bool right = same("tiles of C", tiles, dealt);
  right = same("waves", waves, rounds) && right;
  right = same("idle multiprocessors", idle, without) && right;
  right = same("tiles of one persistent block", most, rounds) && right;
  if (right) std::puts("right: three tiles too many cost a whole wave");
  return right ? 0 : 1;
}
