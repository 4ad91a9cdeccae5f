#pragma once
// What wgmma reads and writes, as the manual says it: which element is which value of which thread, and where
// descriptors find the elements of a tile. The virtual GPU executes this table. The atoms say the same in layouts; they
// are written apart from this file, so that a wrong one gives wrong numbers.

#include <tilestep/backend/instruction_table.hpp>  // Place
#include <tilestep/backend/wgmma_instruction.hpp>  // TileDescriptor

namespace tilestep::virtual_gpu {

/// C of m64nN: thread 0 .. 127 of the warpgroup, value i of N / 2 -> (m,n), whatever the types.
/// @par Source PTX ISA 9.0, "Register Fragments and Shared Memory Matrix Layouts" of wgmma.mma_async.m64nNk16, D
///     fragment; k8 and k32 have the same
constexpr Place wgmma_accumulator(int thread, int i) {
  ptx::Lane const l(thread % 32);
  return {16 * (thread / 32) + l.group + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * l.thread + i % 2};
}

/// A in registers: value i of 16 / bytes -> (m,k). Four registers: rows g and g + 8, then 16 bytes further along K.
/// @param bytes  of an element
/// @par Source ibid., A fragments of m64nNk16, k8 and k32
constexpr Place wgmma_operand_a(int thread, int i, int bytes) {
  ptx::Lane const l(thread % 32);
  int const each = 4 / bytes, in_register = i / each;  // elements of a register
  return {16 * (thread / 32) + l.group + 8 * (in_register % 2),
          l.thread * each + i % each + in_register / 2 * (16 / bytes)};
}

/// The address of element (x,k) of a tile in shared memory; x counts M of A, N of B. Neighbours along K (or along x,
/// where that is contiguous) from one that is a multiple of 16 bytes follow each other.
/// @param bytes  of an element; 2 where M or N is contiguous
/// @par Source PTX ISA 9.0, "Shared Memory Matrix Layout": cores of 8 x 16 bytes, strides between them, swizzling of
///     the address
constexpr std::uint32_t wgmma_address(TileDescriptor tile, Major major, int x, int k, int bytes) {
  auto const X = std::uint32_t(x), K = std::uint32_t(k), each = std::uint32_t(bytes), core = 16 / each;
  std::uint32_t const span = std::uint32_t(tile.swizzle());  // bytes within which pieces change places
  std::uint32_t offset = 0;
  if (major == Major::k) {
    offset = span == 0 ? X % 8 * 16 + X / 8 * tile.stride() + K / core * tile.leading() + K % core * each
                       : X % 8 * span + X / 8 * tile.stride() + K * each;
  } else if (span == 0) {
    offset = X % 8 * 2 + X / 8 * tile.stride() + K % 8 * 16 + K / 8 * tile.leading();
  } else {
    std::uint32_t const run = span / 2;
    offset = X % run * 2 + X / run * tile.leading() + K % 8 * span + K / 8 * tile.stride();
  }
  return swizzled(tile.address() + offset, tile.swizzle());
}

}  // namespace tilestep::virtual_gpu
