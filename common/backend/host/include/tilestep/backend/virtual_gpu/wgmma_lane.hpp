#pragma once
// What a thread brings to wgmma, and which one it is.

#include <tilestep/backend/wgmma_instruction.hpp>  // TileDescriptor, Major

namespace tilestep::virtual_gpu {

/// An instruction without its types.
struct WgmmaKind {
  char const* name;
  int N;
  DType type;
  Major major_a, major_b;
  bool a_in_registers;
};

struct WgmmaThread {
  TileDescriptor a, b;
  std::uint32_t registers_a[4];
  float* d;
  bool accumulate;
};

}  // namespace tilestep::virtual_gpu
