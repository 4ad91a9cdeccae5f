#pragma once
// wgmma as PTX. It runs asynchronously: accumulators, and the tiles in shared memory that it reads, may not be touched
// from its issue until wgmma_wait(). A wgmma that adds to the accumulators of one in flight follows it.

#include <tilestep/backend/hopper_asm.hpp>         // TS_HOPPER
#include <tilestep/backend/wgmma_asm.hpp>          // the instructions
#include <tilestep/backend/wgmma_instruction.hpp>  // SM90_64xN_SS, TileDescriptor

namespace tilestep {

/// The descriptor of a tile. @param leading_bytes, stride_bytes, swizzle  as TileDescriptor says
template <class T>
TS_HOST_DEVICE TS_INLINE TileDescriptor tile_descriptor(SharedPtr<T> tile, int leading_bytes, int stride_bytes,
                                                        TileSwizzle swizzle) {
  return TileDescriptor::make(detail::shared_address(tile), leading_bytes, stride_bytes, swizzle);
}

/// Orders what this warpgroup did with accumulators and other registers before the wgmma that follow. Not needed
/// between wgmma of one shape.
/// @par Source PTX ISA, "wgmma.fence", "wgmma.commit_group", "wgmma.wait_group"
TS_HOST_DEVICE TS_INLINE void wgmma_fence() { TS_HOPPER("wgmma.fence.sync.aligned;" : : : "memory"); }
/// Closes the group of the wgmma since the last one.
TS_HOST_DEVICE TS_INLINE void wgmma_commit() { TS_HOPPER("wgmma.commit_group.sync.aligned;" : : : "memory"); }
/// Waits until at most the newest `Groups` groups of this warpgroup are in flight.
template <int Groups>
TS_HOST_DEVICE TS_INLINE void wgmma_wait() {
  static_assert(Groups >= 0 && Groups <= 7, "wgmma_wait leaves 0 to 7 groups in flight");
  TS_HOPPER("wgmma.wait_group.sync.aligned %0;" : : "n"(Groups) : "memory");
}

/// Issues C += A B, or C = A B where `accumulate` is false, by the whole warpgroup.
/// @param d  this thread's registers of C: one for each sum, or for two in f16
/// @pre every thread of the warpgroup takes part, with the same descriptors
template <int N, DType TC, DType TA, DType TB, Major A, Major B, bool S>
TS_HOST_DEVICE TS_INLINE void wgmma(SM90_64xN_SS<N, TC, TA, TB, A, B, S>, TileDescriptor a, TileDescriptor b,
                                    typename SM90_64xN_SS<N, TC, TA, TB, A, B, S>::CRegister* d, bool accumulate) {
  detail::wgmma_ss<SM90_64xN_SS<N, TC, TA, TB, A, B, S>>(a.bits, b.bits, d, accumulate);
}
/// The same with A in registers. @param a  this thread's four registers, which stay as they are until wgmma_wait()
template <int N, DType TC, DType TA, DType TB, Major B, bool S>
TS_HOST_DEVICE TS_INLINE void wgmma(SM90_64xN_RS<N, TC, TA, TB, B, S>, std::uint32_t const* a, TileDescriptor b,
                                    typename SM90_64xN_RS<N, TC, TA, TB, B, S>::CRegister* d, bool accumulate) {
  detail::wgmma_rs<SM90_64xN_RS<N, TC, TA, TB, B, S>>(a, b.bits, d, accumulate);
}

}  // namespace tilestep
