#pragma once
// wgmma is NVIDIA's. Its names are declared, so that a kernel which asks backend_has_hopper compiles; one that does not
// ask does not link.

#include <tilestep/backend/mbarrier.hpp>           // backend_has_hopper
#include <tilestep/backend/wgmma_instruction.hpp>  // SM90_64xN_SS, TileDescriptor

namespace tilestep {

template <class T>
TS_HOST_DEVICE TileDescriptor tile_descriptor(SharedPtr<T> tile, int leading_bytes, int stride_bytes,
                                              TileSwizzle swizzle);
TS_HOST_DEVICE void wgmma_fence();
TS_HOST_DEVICE void wgmma_commit();
template <int Groups> TS_HOST_DEVICE void wgmma_wait();
template <int N, DType TC, DType TA, DType TB, Major A, Major B, bool S>
TS_HOST_DEVICE void wgmma(SM90_64xN_SS<N, TC, TA, TB, A, B, S>, TileDescriptor a, TileDescriptor b,
                          typename SM90_64xN_SS<N, TC, TA, TB, A, B, S>::CRegister* d, bool accumulate);
template <int N, DType TC, DType TA, DType TB, Major B, bool S>
TS_HOST_DEVICE void wgmma(SM90_64xN_RS<N, TC, TA, TB, B, S>, std::uint32_t const* a, TileDescriptor b,
                          typename SM90_64xN_RS<N, TC, TA, TB, B, S>::CRegister* d, bool accumulate);

}  // namespace tilestep
