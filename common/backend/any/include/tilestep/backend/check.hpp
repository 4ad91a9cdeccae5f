#pragma once
// Every call of a vendor's runtime goes through check(): it names the call, the error and the place, and ends the
// program in order.

#include <tilestep/backend/error.hpp>   // Error
#include <tilestep/backend/vendor.hpp>  // TS_GPU, GpuError; the virtual GPU has none

#include <string>  // the sentence

namespace tilestep::detail {

/// Throws an Error that says which call failed, how, and where. Success does nothing.
void check(GpuError code, char const* expression, char const* file, int line);

}  // namespace tilestep::detail

#define TS_LITERALLY(text) #text
#define TS_TEXT(text) TS_LITERALLY(text)  // with the names that TS_GPU stands for
#define TS_CHECK(call) ::tilestep::detail::check((call), TS_TEXT(call), __FILE__, __LINE__)
