// Grades the exercise: the reader's offsets against those of the library's swizzled layout.

#include EXERCISE_HEADER

#include <tilestep/layout.hpp>  // Layout, Swizzle, composition

#include <cstdio>  // messages

using namespace tilestep;

int main() {
  auto const tile = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  int const asked[3][2] = {{1, 0}, {3, 20}, {7, 63}};
  for (int i = 0; i < 3; ++i) {
    int const row = asked[i][0], column = asked[i][1];
    if (places[i] != int(tile(row, column))) {
      std::printf("(%d,%d): you say %d, and chunk %d of row %d lies elsewhere\n", row, column, places[i], column / 8,
                  row);
      return 1;
    }
  }
  std::puts("right: chunk c of row r lies where chunk c xor r was, so a column of chunks is spread over all banks");
  return 0;
}
