// The dot product of a thread: every pair of 8-bit integers at each of the four places, and sums that wrap around.

#include "device.hpp"         // need_device
#include "dot_products.hpp"   // DotProducts

#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <vector>  // std::vector

namespace backend_test {

TEST_CASE("a thread's dot product is right for every pair of 8-bit integers at every place", "[matrix]") {
  need_device();
  for (std::int32_t const before : {0, 2147483647, -2147483647}) {
    DeviceBuffer<std::int32_t> sums("sums", 4 * 65536);
    launch(DotProducts{}, 65536 / DotProducts::threads, DotProducts::Params{before, sums.data()});
    synchronize();
    std::vector<std::int32_t> got(4 * 65536);
    sums.download(got.data(), 4 * 65536);
    int wrong = 0;
    for (int i = 0; i < 4 * 65536; ++i) {
      int const place = i % 4, pair = i / 4, x = pair / 256 - 128, y = pair % 256 - 128;
      std::int64_t want = std::int64_t(before) + x * y;
      for (int other = 0; other < 4; ++other) want += other == place ? 0 : (other + 1) * (5 - 3 * other);
      wrong += got[std::size_t(i)] != std::int32_t(std::uint32_t(want));
    }
    CHECK(wrong == 0);
    for (KernelReport const& report : take_reports()) CHECK(report.hazards.empty());
  }
}

}  // namespace backend_test
