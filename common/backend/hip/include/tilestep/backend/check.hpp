#pragma once
// Every call of the HIP runtime goes through check(): it names the call, the error and the place, and ends the program
// in order.

#include <tilestep/backend/error.hpp>  // Error

#include <hip/hip_runtime_api.h>  // hipError_t

#include <string>  // the sentence

namespace tilestep::detail {

/// Throws an Error that says which call failed, how, and where. hipSuccess does nothing.
void check(hipError_t code, char const* expression, char const* file, int line);

}  // namespace tilestep::detail

#define TS_CHECK(call) ::tilestep::detail::check((call), #call, __FILE__, __LINE__)
