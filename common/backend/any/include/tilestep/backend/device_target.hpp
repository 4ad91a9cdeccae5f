#pragma once
// Which target's kernels a device runs, by what its runtime calls it. A device that none of the targets knows is
// refused: its matrix instructions may have other layouts.

#include <string_view>  // names

namespace tilestep {

/// The target of an NVIDIA GPU; "" below compute capability 8.0. Code for sm_90a runs on 9.0 alone; every other GPU
/// runs what 8.0 runs, compiled by its driver where the program has no code for it.
/// @par Source  CUDA C++ Programming Guide, "Compute Capabilities": architecture-specific features are not forward
///              compatible, all others are
constexpr std::string_view target_of_capability(int major, int minor) {
  if (major < 8) return "";
  return major == 9 && minor == 0 ? "sm90" : "sm80";
}

/// The target of an AMD GPU; "" where none is known. A processor's features stand behind a colon, as in
/// "gfx942:sramecc+:xnack-".
/// @par Source  LLVM, User Guide for AMDGPU Backend, "Processors": gfx110x and gfx115x have the matrix instructions of
///              gfx1100, gfx1200 those of gfx1201; gfx125x has others
constexpr std::string_view target_of_processor(std::string_view processor) {
  std::string_view const name = processor.substr(0, processor.find(':'));
  if (name == "gfx90a") return "gfx90a";
  if (name == "gfx942") return "gfx942";
  if (name == "gfx950") return "gfx950";
  if (name.size() == 7 && (name.starts_with("gfx110") || name.starts_with("gfx115"))) return "gfx1100";
  if (name == "gfx1200" || name == "gfx1201") return "gfx1201";
  return "";
}

}  // namespace tilestep
