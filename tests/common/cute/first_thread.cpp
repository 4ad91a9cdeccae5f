// A kernel in CuTe's words.

#include <tilestep/cute.hpp>  // tested here

#include <tilestep/backend/launch.hpp>   // launch, take_reports
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <vector>  // host memory

using namespace tilestep;

namespace {

struct MarkParams {
  int* marks;
};

/// Which threads are the first of all, which of the first block; by way of shared memory.
struct Mark {
  static constexpr int threads = 32;
  struct Shared { SharedArray<int, 32> marks; };
  TS_DEVICE void operator()(Shared& shared, MarkParams const& p) const {
    auto gOut = make_tensor(make_gmem_ptr(p.marks), make_layout(make_shape(64)));  // (N)
    auto sOut = make_tensor(make_smem_ptr(shared.marks), Layout<_32>{});           // (threads)
    sOut(thread_index()) = (thread0() ? 10 : 0) + (block0() ? 1 : 0);
    sync_threads();
    gOut(int(block_index()) * 32 + thread_index()) = int(sOut(thread_index()));
  }
};

}  // namespace

TEST_CASE("thread0 is one thread of the grid, block0 one block", "[cute][kernel]") {
  std::vector<int> marks(64, -1);
  DeviceBuffer<int> buffer("marks", 64);
  buffer.upload(marks.data(), 64);
  launch(Mark{}, 2, MarkParams{buffer.data()});
  for (KernelReport const& report : take_reports()) CHECK(report.hazards.empty());
  buffer.download(marks.data(), 64);
  for (int i = 0; i < 64; ++i) CHECK(marks[std::size_t(i)] == (i == 0 ? 11 : i < 32 ? 1 : 0));
}
