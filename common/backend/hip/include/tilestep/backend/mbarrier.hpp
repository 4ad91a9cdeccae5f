#pragma once
// mbarriers are Hopper's: AMD GPUs have none.

namespace tilestep {

/// Has the backend mbarriers, tensor maps, wgmma and clusters? Code that needs them asks, and leaves out what it cannot have.
inline constexpr bool backend_has_hopper = false;

}  // namespace tilestep
