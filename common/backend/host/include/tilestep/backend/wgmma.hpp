#pragma once
// wgmma. It runs asynchronously: accumulators, and the tiles in shared memory that it reads, may not be touched from
// its issue until wgmma_wait(). A wgmma that adds to the accumulators of one in flight follows it. Here products happen
// at the wait; until then accumulators hold poison, and whoever writes to a tile that is still to be read is reported.

#include <tilestep/backend/mbarrier.hpp>           // hopper
#include <tilestep/backend/wgmma_instruction.hpp>  // SM90_64xN_SS, TileDescriptor

namespace tilestep {

/// The descriptor of a tile. @param leading_bytes, stride_bytes, swizzle  as TileDescriptor says
template <class T>
TS_DEVICE TileDescriptor tile_descriptor(SharedPtr<T> tile, int leading_bytes, int stride_bytes, TileSwizzle swizzle) {
  return TileDescriptor::make(virtual_gpu::hopper().shared_offset(tile.address()), leading_bytes, stride_bytes,
                              swizzle);
}

/// Orders what this warpgroup did with accumulators and other registers before the wgmma that follow. Not needed
/// between wgmma of one shape.
/// @par Source PTX ISA, "wgmma.fence", "wgmma.commit_group", "wgmma.wait_group"
TS_DEVICE inline void wgmma_fence() { virtual_gpu::hopper().fence_products(); }
/// Closes the group of the wgmma since the last one.
TS_DEVICE inline void wgmma_commit() { virtual_gpu::hopper().commit_products(); }
/// Waits until at most the newest `Groups` groups of this warpgroup are in flight.
template <int Groups>
TS_DEVICE void wgmma_wait(std::source_location place = std::source_location::current()) {
  static_assert(Groups >= 0 && Groups <= 7, "wgmma_wait leaves 0 to 7 groups in flight");
  virtual_gpu::hopper().wait_for_products(Groups, place);
}

/// Issues C += A B, or C = A B where `accumulate` is false, by the whole warpgroup.
/// @param d  this thread's registers of C: one for each sum, or for two in f16
/// @pre every thread of the warpgroup takes part, with the same descriptors
template <int N, DType TC, DType TA, DType TB, Major A, Major B, bool S>
TS_DEVICE void wgmma(SM90_64xN_SS<N, TC, TA, TB, A, B, S> op, TileDescriptor a, TileDescriptor b,
                     typename SM90_64xN_SS<N, TC, TA, TB, A, B, S>::CRegister* d, bool accumulate,
                     std::source_location place = std::source_location::current()) {
  static constexpr virtual_gpu::WgmmaKind kind{op.name, N, op.K, TA, TB, TC, A, B, false, op.c_registers, S};
  virtual_gpu::hopper().multiply(kind, {a, b, {}, d, accumulate}, place);
}
/// The same with A in registers. @param a  this thread's four registers, which stay as they are until wgmma_wait()
template <int N, DType TC, DType TA, DType TB, Major B, bool S>
TS_DEVICE void wgmma(SM90_64xN_RS<N, TC, TA, TB, B, S> op, std::uint32_t const* a, TileDescriptor b,
                     typename SM90_64xN_RS<N, TC, TA, TB, B, S>::CRegister* d, bool accumulate,
                     std::source_location place = std::source_location::current()) {
  static constexpr virtual_gpu::WgmmaKind kind{op.name, N, op.K, TA, TB, TC, Major::k, B, true, op.c_registers, S};
  virtual_gpu::hopper().multiply(kind, {{}, b, {a[0], a[1], a[2], a[3]}, d, accumulate}, place);
}

}  // namespace tilestep
