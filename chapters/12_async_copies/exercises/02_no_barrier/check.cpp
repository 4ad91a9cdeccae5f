// Grades the exercise: sums of columns on sm80, right under every schedule, without a hazard; then the first thread's
// timeline says what was in flight when.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>    // launch, DeviceBuffer, take_reports
#include <tilestep/backend/timeline.hpp>  // begin_timeline, end_timeline
#include <tilestep/harness/graded.hpp>    // no_hazard, right_element, at_most

#include <algorithm>  // std::min
#include <limits>     // NaN
#include <vector>     // matrices

using namespace tilestep;

namespace {

constexpr int N = 1000, blocks = 2;  // the last block reaches past N

/// 0 right, 1 wrong, 4 hazard; the timeline of the first thread.
int run(int M, Schedule schedule, std::vector<TimelineEvent>& events) {
  set_run_options({.target = "sm80", .schedule = schedule, .check = true, .workers = 0});
  int const count = std::max(M, 1) * N;
  std::vector<float> in, got(N, std::numeric_limits<float>::quiet_NaN());
  for (int i = 0; i < count; ++i) in.push_back(float(i * 7 % 23 - 9));
  DeviceBuffer<float> device_in("in", count), device_out("out", N);
  device_in.upload(in.data(), count);
  device_out.upload(got.data(), N);
  begin_timeline();
  launch(ColumnSums{}, blocks, ColumnSumsParams{device_in.data(), device_out.data(), M, N});
  events = end_timeline();
  device_out.download(got.data(), N);
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) {
    std::printf("  with %d rows\n", M);
    return 4;
  }
  for (int n = 0; n < N; ++n) {
    double want = 0;
    for (int m = 0; m < M; ++m) want += in[std::size_t(m * N + n)];
    if (right_element("out", 0, n, got[std::size_t(n)], want)) continue;
    std::printf("  with %d rows\n", M);
    return 1;
  }
  return at_most("right, but barriers", report.counters.barriers, 0) ? 0 : 1;
}

/// Whether as much is in flight as the exercise wants.
bool hides(int M, std::vector<TimelineEvent> const& events) {
  using enum TimelineEvent::Kind;
  int sent = 0, added = 0;
  for (TimelineEvent const& event : events) {
    sent += event.kind == copy;
    if (event.kind == wait && event.at < 2 && sent > ColumnSums::stages - 2 && sent < M) {
      std::printf("right, but a wait leaves %d groups in flight when %d of %d rows have been requested, and 2 may be\n",
                  int(event.at), sent, M);
      return false;
    }
    if (event.kind != shared_load) continue;
    if (int const wanted = std::min(M, added + ColumnSums::stages); sent < wanted) {
      std::printf("right, but when row %d of %d is added %d rows have been requested, and not %d\n", added, M, sent,
                  wanted);
      return false;
    }
    ++added;
  }
  return true;
}

}  // namespace

int main() {
  using Kind = Schedule::Kind;
  std::vector<TimelineEvent> events;
  for (int const M : {9, 4, 3, 2, 1, 0}) {
    for (Schedule const schedule : {Schedule{Kind::in_order, 0}, Schedule{Kind::random, 5}}) {
      if (int const verdict = run(M, schedule, events); verdict != 0) return verdict;
    }
    if (!hides(M, events)) return 1;
  }
  std::puts("right: three rows are in flight while one is added, and nothing waits for another thread");
  return 0;
}
