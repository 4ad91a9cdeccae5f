// Grades the exercise: the offset of every channel of every pixel, counted here in the order of memory.

#include EXERCISE_HEADER

#include <cstdio>  // messages
#include <tuple>   // sizes

using namespace tilestep;

namespace {

/// 0 right, 1 wrong.
int check(std::int64_t height, std::int64_t width, std::int64_t channels) {
  auto const layout = channels_in_fours(height, width, channels);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t c = 0; c < channels; ++c) {
        std::int64_t const want = ((c / 4 * height + y) * width + x) * 4 + c % 4, got = layout(y, x, c);
        if (got == want) continue;
        std::printf("%d x %d pixels, %d channels: channel %d of pixel (%d,%d) has the offset %d and should have %d\n",
                    int(height), int(width), int(channels), int(c), int(y), int(x), int(got), int(want));
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace

int main() {
  for (auto const& [height, width, channels] : {std::tuple{3, 5, 8}, {1, 1, 4}, {7, 2, 12}, {2, 9, 64}}) {
    if (int const verdict = check(height, width, channels); verdict != 0) return verdict;
  }
  std::puts("right: one coordinate c, two strides");
  return 0;
}
