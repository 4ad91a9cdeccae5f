// Grades the exercise: sums of tiles that the reader's loop brings to shared memory, on sm80. Right under every
// schedule, without a hazard; then the first thread's timeline says what was in flight when.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>    // launch, DeviceBuffer, take_reports
#include <tilestep/backend/pointer.hpp>   // global, shared, load
#include <tilestep/backend/timeline.hpp>  // begin_timeline, end_timeline

#include <algorithm>  // std::min
#include <cstdio>     // messages
#include <vector>     // vectors

using namespace tilestep;

namespace {

struct Params {
  float const* in;
  float* out;
  int tiles;
};

constexpr int vec = 4, tile_size = 128 * vec;

/// out[t] = sum over tiles of (tile + 1) * (what thread 127 - t copied)
struct Sums {
  using Params = ::Params;
  static constexpr char const* name = "Sums";
  static constexpr int threads = 128;
  struct Shared {
    SharedArray<float, 3 * tile_size> ring;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const ring = shared(memory.ring, "ring");
    float sum = 0;
    multiply_all(
        p.tiles,
        [&](int tile) {
          int const mine = thread_index() * vec;
          async_copy<vec>(ring + (tile % 3 * tile_size + mine), global(p.in) + (tile * tile_size + mine), true);
          async_commit();
        },
        [&](int tile) {
          float values[vec];
          load<vec>(ring + (tile % 3 * tile_size + (threads - 1 - thread_index()) * vec), values);
          for (float const value : values) sum = fma(value, float(tile + 1), sum);
        });
    global(p.out)[thread_index()] = sum;
  }
};

float value_at(int i) { return float(i * 7 % 11 - 5); }

/// 0 right, 1 wrong, 4 hazard; the timeline of the first thread.
int run(int tiles, Schedule schedule, std::vector<TimelineEvent>& events) {
  set_run_options({.target = "sm80", .schedule = schedule, .check = true, .workers = 0});
  int const count = std::max(tiles, 1) * tile_size;
  DeviceBuffer<float> in("in", count), out("out", Sums::threads);
  std::vector<float> values, got(Sums::threads);
  for (int i = 0; i < count; ++i) values.push_back(value_at(i));
  in.upload(values.data(), count);
  begin_timeline();
  launch(Sums{}, 1, Params{in.data(), out.data(), tiles});
  events = end_timeline();
  auto const report = take_reports().at(0);
  for (Hazard const& hazard : report.hazards)
    std::printf("with %d tiles: %s: %s\n", tiles, hazard.kind.c_str(), hazard.message.c_str());
  if (!report.hazards.empty()) return 4;
  out.download(got.data(), Sums::threads);
  for (int t = 0; t < Sums::threads; ++t) {
    float want = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      for (int v = 0; v < vec; ++v)
        want += float(tile + 1) * value_at(tile * tile_size + (Sums::threads - 1 - t) * vec + v);
    }
    if (!(got[std::size_t(t)] == want)) {
      std::printf("with %d tiles: sum %d is %g and should be %g\n", tiles, t, double(got[std::size_t(t)]),
                  double(want));
      return 1;
    }
  }
  return 0;
}

/// Is as much in flight as the exercise wants? @param events  of `tiles` tiles
bool hides(int tiles, std::vector<TimelineEvent> const& events) {
  using enum TimelineEvent::Kind;
  int sent = 0, multiplied = 0, barriers = 0;
  for (TimelineEvent const& event : events) {
    sent += event.kind == copy;
    barriers += event.kind == barrier;
    if (event.kind == wait && event.at != 1 && sent < tiles) {
      std::printf(
          "right, but a wait leaves %d groups in flight when %d of %d tiles have been requested, and 1 may be\n",
          int(event.at), sent, tiles);
      return false;
    }
    if (event.kind != shared_load) continue;
    if (sent < std::min(tiles, multiplied + 3)) {
      std::printf("right, but when tile %d of %d is multiplied %d tiles have been requested, and not %d\n", multiplied,
                  tiles, sent, std::min(tiles, multiplied + 3));
      return false;
    }
    ++multiplied;
  }
  if (barriers > tiles) std::printf("right, but there are %d barriers for %d tiles\n", barriers, tiles);
  return barriers <= tiles;
}

}  // namespace

int main() {
  using Kind = Schedule::Kind;
  std::vector<TimelineEvent> events;
  for (int const tiles : {9, 4, 3, 2, 1, 0}) {
    for (Schedule const schedule :
         {Schedule{Kind::in_order, 0}, Schedule{Kind::reverse, 0}, Schedule{Kind::random, 5}}) {
      if (int const verdict = run(tiles, schedule, events); verdict != 0) return verdict;
    }
    if (!hides(tiles, events)) return 1;
  }
  std::puts("right: two tiles are in flight while one is multiplied");
  return 0;
}
