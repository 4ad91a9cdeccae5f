#pragma once
// What a test does when there is no device: it is skipped, or fails where one was promised.

#include <tilestep/backend/runtime.hpp>  // require_device

#include <catch2/catch_test_macros.hpp>  // SKIP, FAIL

#include <cstdlib>  // std::getenv

namespace backend_test {

/// Skips the test case if there is no device. With TILESTEP_REQUIRE_DEVICE=1 that is a failure.
inline void need_device() {
  try {
    tilestep::require_device();
  } catch (tilestep::Error const& error) {
    char const* const required = std::getenv("TILESTEP_REQUIRE_DEVICE");
    if (required != nullptr && required[0] == '1') FAIL("needs a device: " << error.what());
    SKIP("needs a device: " << error.what());
  }
}

}  // namespace backend_test
