// Grades the exercise: sums of tiles that the reader's loop brings to shared memory, on sm80. Right under every
// schedule, without a hazard; then the first thread's timeline says how long it waited.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>    // launch, DeviceBuffer, take_reports
#include <tilestep/backend/pointer.hpp>   // global, shared
#include <tilestep/backend/timeline.hpp>  // begin_timeline, end_timeline
#include <tilestep/harness/graded.hpp>    // no_hazard, right_element, at_most

#include <algorithm>  // std::max
#include <cstdio>     // messages
#include <vector>     // values

using namespace tilestep;

namespace {

constexpr int threads = 64, quarter = threads, tile_size = 4 * quarter;

/// out[t] = sum over tiles and quarters of (tile + 1) (i + 1) (what thread 63 - t copied)
struct Sums {
  struct Params {
    float const* in;
    float* out;
    int tiles;
  };
  struct Shared {
    SharedArray<float, 3 * tile_size> ring;
  };
  static constexpr char const* name = "Sums";
  static constexpr int threads = ::threads;
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const ring = shared(memory.ring, "ring");
    float sum = 0;
    multiply_all(
        p.tiles,
        [&](int tile, int i) {
          int const mine = i * quarter + thread_index();
          async_copy<1>(ring + (tile % 3 * tile_size + mine), global(p.in) + (tile * tile_size + mine), true);
        },
        [&](int tile, int i) {
          float const value = ring[tile % 3 * tile_size + i * quarter + threads - 1 - thread_index()];
          sum = fma(value, float((tile + 1) * (i + 1)), sum);
        });
    global(p.out)[thread_index()] = sum;
  }
};

float value_at(int i) { return float(i * 7 % 11 - 5); }

/// 0 right, 1 wrong, 4 hazard.
int check(int tiles, Schedule schedule) {
  set_run_options({.target = "sm80", .schedule = schedule, .check = true, .workers = 0});
  int const count = std::max(tiles, 1) * tile_size;
  DeviceBuffer<float> in("in", count), out("out", threads);
  std::vector<float> values, got(threads);
  for (int i = 0; i < count; ++i) values.push_back(value_at(i));
  in.upload(values.data(), count);
  begin_timeline();
  launch(Sums{}, 1, Sums::Params{in.data(), out.data(), tiles});
  auto const events = end_timeline();
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) {
    std::printf("with %d tiles\n", tiles);
    return 4;
  }
  out.download(got.data(), threads);
  for (int t = 0; t < threads; ++t) {
    float want = 0;
    for (int i = 0; i < tiles * 4; ++i)
      want += float((i / 4 + 1) * (i % 4 + 1)) * value_at(i * quarter + threads - 1 - t);
    if (!right_element("sum", t, tiles, double(got[std::size_t(t)]), double(want))) return 1;
  }
  if (!at_most("barriers", report.counters.barriers, tiles)) return 1;
  for (TimelineEvent const& event : events) {
    if (event.kind == TimelineEvent::Kind::wait && event.at < 1) {
      std::printf("right, but a wait leaves %d groups in flight, and one may stay\n", int(event.at));
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  using Kind = Schedule::Kind;
  for (int const tiles : {9, 3, 2, 1, 0}) {
    for (Schedule const schedule :
         {Schedule{Kind::in_order, 0}, Schedule{Kind::reverse, 0}, Schedule{Kind::random, 5}}) {
      if (int const verdict = check(tiles, schedule); verdict != 0) return verdict;
    }
  }
  std::puts("right: copies stand between the products, and the same wait serves every tile");
  return 0;
}
