// Grades the exercise: for each lane and value, the element that the reader's layout names and the one that the manual
// does.

#include EXERCISE_HEADER

#include <cstdio>  // messages

using namespace tilestep;

namespace {

/// Whether all 256 values are where they belong. @param want  (lane, value) -> index in the tile of 16 x 16
template <class Layout, class Want>
bool right_layout(char const* name, Layout const& layout, Want want) {
  for (int lane = 0; lane < 64; ++lane) {
    for (int value = 0; value < 4; ++value) {
      int const got = int(layout(lane, value)), right = want(lane, value);
      if (got == right) continue;
      std::printf("%sLayout: lane %d, value %d is index %d, %s(%d,%d), and the manual says %s(%d,%d), index %d\n", name,
                  lane, value, got, name, got % 16, got / 16, name, right % 16, right / 16, right);
      return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  auto const operand = [](int lane, int value) { return lane % 16 + 16 * (lane / 16 * 4 + value); };  // m + 16 k
  auto const sum = [](int lane, int value) { return lane / 16 * 4 + value + 16 * (lane % 16); };      // m + 16 n
  bool const right = right_layout("A", MyMfma::ALayout{}, operand) && right_layout("B", MyMfma::BLayout{}, operand) &&
                     right_layout("C", MyMfma::CLayout{}, sum);
  if (right) std::puts("right: 3 x 256 values, each at its place");
  return right ? 0 : 1;
}
