// The timeline of one thread of a kernel: which events, in which order, of which thread.

#include "async_kernels.hpp"  // SingleStage, ByThread, ByWarp

#include <tilestep/backend/timeline.hpp>  // begin_timeline, end_timeline

using namespace host_test;

namespace {

/// "copy in 0, wait 0, .." of a launch.
template <class Kernel>
std::string timeline_of(char const* target, Kernel const& kernel, Schedule schedule = {}, int thread = 0) {
  Buffers memory(std::max(Kernel::elements, 2 * Kernel::threads));
  begin_timeline(thread);
  KernelReport const report = run(kernel, 2, memory.params(), RunOptions{target, schedule, true, 2});
  REQUIRE(report.hazards.empty());
  std::string all;
  for (TimelineEvent const& event : end_timeline()) {
    char const* const kinds[] = {"load", "store", "read", "write", "copy", "wait", "barrier", "instruction"};
    all += std::string(all.empty() ? "" : ", ") + kinds[int(event.kind)] + (event.what.empty() ? "" : " " + event.what);
    if (event.kind != TimelineEvent::Kind::barrier && event.kind != TimelineEvent::Kind::instruction)
      all += " " + std::to_string(event.at);
  }
  return all;
}

/// A shuffle between a store to shared memory and a load from it.
struct Exchange {
  static constexpr int threads = 64, elements = 64;
  struct Shared { SharedArray<float, 64> x; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const x = shared(memory.x, "x");
    x[thread_index()] = global(p.in)[thread_index()];
    sync_threads();
    global(p.out)[block_index() * 64 + thread_index()] = shuffle_xor(float(x[63 - thread_index()]), 1);
  }
};

}  // namespace

TEST_CASE("the timeline has the first thread's events in the order of its program, under every schedule",
          "[host][timeline]") {
  for (Schedule const& schedule : schedules) {
    CHECK(timeline_of("sm80", Exchange{}, schedule) ==
          "load in 0, write x 0, barrier, read x 252, instruction a shuffle, store out 0");
  }
}

TEST_CASE("the timeline is that of the thread that was asked for", "[host][timeline]") {
  for (Schedule const& schedule : schedules) {
    CHECK(timeline_of("sm80", Exchange{}, schedule, 33) ==
          "load in 132, write x 132, barrier, read x 120, instruction a shuffle, store out 132");
  }
}

TEST_CASE("the timeline has asynchronous copies and what is waited for", "[host][timeline]") {
  CHECK(timeline_of("sm80", SingleStage<ByThread<1>, Bug::none, 2>{}) ==
        "copy in 0, wait 0, barrier, read x 512, barrier, copy in 1024, wait 0, barrier, read x 512, barrier, store "
        "out 0");
  CHECK(timeline_of("gfx942", SingleStage<ByWarp<2>, Bug::none, 1>{}) ==
        "instruction async_copy_warp(), copy in 0, instruction async_copy_warp(), copy in 256, wait 0, barrier, read x "
        "256, barrier, store out 0");
}

TEST_CASE("nothing is recorded before begin_timeline() and after end_timeline()", "[host][timeline]") {
  Buffers memory(128);
  (void)run(Exchange{}, 2, memory.params());
  CHECK(end_timeline().empty());
}
