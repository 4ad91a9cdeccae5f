#pragma once
// What a thread brings to wgmma, and which one it is.

#include <tilestep/backend/wgmma_instruction.hpp>  // TileDescriptor, Major

namespace tilestep::virtual_gpu {

/// What an instruction is.
struct WgmmaKind {
  char const* name;
  int N, K;
  DType a, b, c;
  Major major_a, major_b;
  bool a_in_registers;
  int registers;  ///< of 32 bits, of C in a thread
  bool saturates;
};

struct WgmmaThread {
  TileDescriptor a, b;
  std::uint32_t registers_a[4];
  void* d;  ///< the registers of C
  bool accumulate;
};

}  // namespace tilestep::virtual_gpu
