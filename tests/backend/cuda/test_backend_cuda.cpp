// What the cuda backend alone does: errors of the CUDA runtime in words, limits of the device.

#include "device.hpp"   // need_device
#include "kernels.hpp"  // LargeShared

#include <tilestep/backend/check.hpp>    // TS_CHECK
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // machine, target, set_run_options

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>  // std::string

using namespace backend_test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a failed call is named with its error and its place", "[backend][cuda]") {
  std::string sentence;
  try {
    TS_CHECK(cudaErrorInvalidValue);
  } catch (Error const& error) {
    sentence = error.what();
    CHECK(error.code() == Exit::wrong);
  }
  CHECK_THAT(sentence, ContainsSubstring("cudaErrorInvalidValue") && ContainsSubstring("invalid argument") &&
                           ContainsSubstring("test_backend_cuda.cpp:"));
  CHECK_NOTHROW(TS_CHECK(cudaSuccess));
}

TEST_CASE("code for another device is reported as not here", "[backend][cuda]") {
  try {
    TS_CHECK(cudaErrorNoKernelImageForDevice);
    FAIL("nothing was thrown");
  } catch (Error const& error) {
    CHECK(error.code() == Exit::not_here);
  }
}

TEST_CASE("more shared memory than the device has is refused in a sentence", "[backend][cuda]") {
  need_device();
  DeviceBuffer<float> out("out", 1);
  try {
    launch(LargeShared<1024 * 1024>{}, 1, CopyParams<float>{nullptr, out.data(), 1});
    FAIL("nothing was thrown");
  } catch (Error const& error) {
    CHECK(error.code() == Exit::not_here);
    CHECK_THAT(std::string(error.what()), ContainsSubstring("LargeShared needs 1048576 bytes of shared memory"));
  }
  CHECK(take_reports().empty());
}

TEST_CASE("the device says of itself what a plan asks", "[backend][cuda]") {
  need_device();
  cudaDeviceProp properties{};
  TS_CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(machine().target == target().name);
  CHECK(machine().compute_units == properties.multiProcessorCount);
  CHECK(machine().shared_bytes == std::int64_t(properties.sharedMemPerBlockOptin));
  CHECK(machine().unit_shared_bytes == std::int64_t(properties.sharedMemPerMultiprocessor));
  CHECK(machine().l2_bytes == properties.l2CacheSize);
  CHECK((machine().clock.value > 1e8 && machine().clock.value < 1e10));  // in Hz
  CHECK(machine().cluster_blocks == (target().clusters ? 8 : 1));
}

TEST_CASE("a target of another machine is not here", "[backend][cuda]") {
  need_device();
  RunOptions options;
  options.target = "gfx942";
  try {
    set_run_options(options);
    FAIL("nothing was thrown");
  } catch (Error const& error) {
    CHECK(error.code() == Exit::not_here);
  }
}
