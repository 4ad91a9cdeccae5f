// Grades the exercise: runs the chapter's kernel and compares the number with what the virtual GPU counted.

#include EXERCISE_HEADER

#include "kernel.hpp"  // ObviousGemm

#include <tilestep/backend/launch.hpp>   // launch, take_reports
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, set_run_options
#include <tilestep/harness/graded.hpp>   // no_hazard, predicted

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  constexpr std::int64_t n = 64;
  std::vector<float> const ones(std::size_t(n * n), 1.0f);
  DeviceBuffer<float> a("A", n * n), b("B", n * n), c("C", n * n);
  a.upload(ones.data(), n * n);
  b.upload(ones.data(), n * n);
  ObviousParams const params{a.data(), b.data(), c.data(), n, n, n, 1, n, 1, n * n, n, 1, n * n, n, 1, n * n, 1.0f,
                             0.0f};
  using Kernel = ObviousGemm<Neighbours::along_row>;
  launch(Kernel{}, Kernel::blocks(params), params);
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  if (!predicted("sectors loaded", answer, report.counters.global_load_sectors)) return 1;
  std::puts("right: 33 sectors for the two loads of a warp, because neighbours in C are no neighbours in B");
  return 0;
}
