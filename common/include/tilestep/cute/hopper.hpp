#pragma once
// wgmma by CuTe's names, for kernels that say `only_on = "sm90"`. cute.hpp does without it.

#include <tilestep/atom/wgmma.hpp>  // wgmma_fence, Layout_K_SW128_Atom

namespace tilestep {

namespace GMMA {
using tilestep::Layout_K_INTER_Atom;
using tilestep::Layout_K_SW128_Atom;
using tilestep::Layout_K_SW32_Atom;
using tilestep::Layout_K_SW64_Atom;
using tilestep::Layout_MN_INTER_Atom;
using tilestep::Layout_MN_SW128_Atom;
using tilestep::Layout_MN_SW32_Atom;
using tilestep::Layout_MN_SW64_Atom;
using tilestep::ScaleOut;
}  // namespace GMMA

TS_DEVICE TS_INLINE void warpgroup_arrive() { wgmma_fence(); }
TS_DEVICE TS_INLINE void warpgroup_commit_batch() { wgmma_commit(); }
template <int N>
TS_DEVICE TS_INLINE void warpgroup_wait() {
  wgmma_wait<N>();
}

}  // namespace tilestep
