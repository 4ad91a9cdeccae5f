#pragma once
// What the build knows about itself.

namespace tilestep::build_info {

inline constexpr char const* backend = TILESTEP_BACKEND_NAME;  // from CMake: host, cuda or hip

/// The commit of the source, with "+" when files had changed; "unknown" outside of a git checkout.
char const* commit();

}  // namespace tilestep::build_info
