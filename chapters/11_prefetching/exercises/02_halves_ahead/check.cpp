// Grades the exercise: sums of tiles that the reader's loop brings to registers in halves, on sm80. Right under every
// schedule, without a hazard; then what the first thread did, step by step.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>   // launch, DeviceBuffer, take_reports
#include <tilestep/backend/pointer.hpp>  // global, shared, load, store
#include <tilestep/harness/graded.hpp>   // no_hazard, at_most

#include <algorithm>  // std::max
#include <vector>     // vectors

using namespace tilestep;

namespace {

constexpr int vec = 4, threads_of_block = 128, half_size = threads_of_block * vec, tile_size = 2 * half_size;

/// What the first thread does: reads a half, or multiplies one of a tile.
struct Step {
  bool product;
  int half, tile;
};
std::vector<Step> steps;

struct Params {
  float const* in;
  float* out;
  int tiles;
};

/// out[t] = sum over tiles and halves of (2 tile + half + 1) * (what thread 127 - t copied of this half)
struct Sums {
  using Params = ::Params;
  static constexpr char const* name = "Sums";
  static constexpr int threads = threads_of_block;
  struct Shared {
    SharedArray<float, tile_size> tile;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const place = shared(memory.tile, "tile");
    int const mine = thread_index() * vec, other = (threads - 1 - thread_index()) * vec;
    float held[2][vec] = {}, fragments[2][vec] = {}, sum = 0;
    multiply_all(
        p.tiles,
        [&](int tile) {
          for (int half = 0; half < 2; ++half)
            load<vec>(global(p.in) + (tile * tile_size + half * half_size + mine), held[half]);
        },
        [&] {
          for (int half = 0; half < 2; ++half) store<vec>(place + (half * half_size + mine), held[half]);
        },
        [&](int half) {
          load<vec>(place + (half * half_size + other), fragments[half]);
          if (thread_index() == 0) steps.push_back({false, half, 0});
        },
        [&](int tile, int half) {
          for (float const value : fragments[half]) sum = fma(value, float(2 * tile + half + 1), sum);
          if (thread_index() == 0) steps.push_back({true, half, tile});
        });
    global(p.out)[thread_index()] = sum;
  }
};

float value_at(int i) { return float(i * 7 % 11 - 5); }

/// 0 right, 1 wrong, 4 hazard.
int run(int tiles, Schedule schedule) {
  set_run_options({.target = "sm80", .schedule = schedule, .check = true, .workers = 0});
  int const count = std::max(tiles, 1) * tile_size;
  DeviceBuffer<float> in("in", count), out("out", Sums::threads);
  std::vector<float> values, got(Sums::threads);
  for (int i = 0; i < count; ++i) values.push_back(value_at(i));
  in.upload(values.data(), count);
  steps.clear();
  launch(Sums{}, 1, Params{in.data(), out.data(), tiles});
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) {
    std::printf("  with %d tiles\n", tiles);
    return 4;
  }
  out.download(got.data(), Sums::threads);
  for (int t = 0; t < Sums::threads; ++t) {
    float want = 0;
    for (int half = 0; half < 2 * tiles; ++half) {
      for (int v = 0; v < vec; ++v)
        want += float(half + 1) * value_at(half * half_size + (Sums::threads - 1 - t) * vec + v);
    }
    if (got[std::size_t(t)] == want) continue;
    std::printf("with %d tiles: sum %d is %g and should be %g\n", tiles, t, double(got[std::size_t(t)]), double(want));
    return 1;
  }
  return at_most("right, but barriers", report.counters.barriers, 2 * tiles) ? 0 : 1;
}

/// Whether the product of another half stands between each read and its own product, the first excepted.
bool reads_ahead() {
  for (std::size_t i = 1; i + 1 < steps.size(); ++i) {
    if (steps[i].product || !steps[i + 1].product || steps[i + 1].half != steps[i].half) continue;
    std::printf("right, but the read of half %d of tile %d has no product between it and its own\n", steps[i].half,
                steps[i + 1].tile);
    return false;
  }
  return true;
}

}  // namespace

int main() {
  using Kind = Schedule::Kind;
  for (int const tiles : {9, 4, 3, 2, 1, 0}) {
    for (Schedule const schedule :
         {Schedule{Kind::in_order, 0}, Schedule{Kind::reverse, 0}, Schedule{Kind::random, 5}}) {
      if (int const verdict = run(tiles, schedule); verdict != 0) return verdict;
    }
    if (!reads_ahead()) return 1;
  }
  std::puts("right: fragments are read one half ahead");
  return 0;
}
