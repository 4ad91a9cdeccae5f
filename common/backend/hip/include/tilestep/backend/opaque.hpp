#pragma once
// Values that stay in registers, where a compiler would rather compute them again.

#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// The same number. What it is computed from is at hand wherever it is used.
TS_DEVICE TS_INLINE long long opaque(long long value) { return value; }

}  // namespace tilestep
