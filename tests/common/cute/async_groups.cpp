// Asynchronous copies in CuTe's words.

#include <tilestep/cute.hpp>  // tested here

#include <tilestep/backend/launch.hpp>   // launch, take_reports
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, set_run_options, target

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // names of targets
#include <vector>  // host memory

using namespace tilestep;

namespace {

constexpr int threads = 64;

struct GroupsParams {
  float const* in;
  float* out;
  bool by_warp;  // the target's copies are AMD's
};

/// Three groups of one copy each; a thread reads its own elements of the first two while the third may be in flight.
/// @tparam LEFT  groups that the wait leaves in flight
template <int LEFT>
struct Groups {
  static constexpr int threads = ::threads;
  struct Shared { SharedArray<float, 3 * ::threads> x; };

  template <class To>
  TS_DEVICE static void copy_one(To to, GlobalPtr<float const> from, [[maybe_unused]] bool by_warp) {
    int const t = thread_index();
    if constexpr (!backend_has_async_copy) async_copy_warp<1>(to, from, lane_index(), true);
    else if constexpr (backend_async_copy_warp_bytes == 0) async_copy<1>(to + t, from + t, true);
    else if (by_warp) async_copy_warp<1>(to, from, lane_index(), true);
    else async_copy<1>(to + t, from + t, true);
  }

  TS_DEVICE void operator()(Shared& shared_memory, GroupsParams const& p) const {
    auto const x = shared(shared_memory.x, "x");
    for (int group = 0; group < 3; ++group) {
      copy_one(x + group * threads, global(p.in) + group * threads, p.by_warp);
      cp_async_fence();
    }
    cp_async_wait<LEFT>();
    int const t = thread_index();
    global(p.out)[t] = float(x[t]) + 2 * float(x[threads + t]);
    cp_async_wait<0>();
  }
};

/// The hazards of a run, and whether each sum is right.
template <int LEFT>
std::vector<std::string> hazards_of(bool& right) {
  std::vector<float> in(3 * threads), out(threads, -1.0f);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i * i % 101);
  DeviceBuffer<float> device_in("in", 3 * threads), device_out("out", threads);
  device_in.upload(in.data(), 3 * threads);
  launch(Groups<LEFT>{}, 1, GroupsParams{device_in.data(), device_out.data(), !target().async_copy});
  std::vector<std::string> kinds;
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) kinds.push_back(hazard.kind);
  }
  device_out.download(out.data(), threads);
  right = true;
  for (std::size_t t = 0; t < threads; ++t) right = right && out[t] == in[t] + 2 * in[threads + t];
  return kinds;
}

// The virtual GPU stands for every target.
constexpr bool plays_targets = backend_has_async_copy && backend_async_copy_warp_bytes > 0;

}  // namespace

TEST_CASE("cp_async_wait waits for all groups but the newest N, on AMD for all of them", "[cute][kernel]") {
  bool right = false;
  if (!target().async_copy && target().async_copy_warp == 0) SKIP("the target has no asynchronous copies");
  CHECK(hazards_of<0>(right).empty());
  CHECK(right);
  CHECK(hazards_of<1>(right).empty());
  CHECK(right);
  if constexpr (plays_targets) {
    CHECK_FALSE(hazards_of<2>(right).empty());  // the second group is read in flight
    set_run_options({.target = "gfx942", .schedule = {}, .check = true, .workers = 0});
    CHECK(hazards_of<2>(right).empty());
    CHECK(right);
    set_run_options({});
  }
}
