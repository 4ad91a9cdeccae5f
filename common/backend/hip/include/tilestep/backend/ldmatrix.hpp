#pragma once
// ldmatrix is NVIDIA's: on AMD GPUs each lane reads its fragment with ordinary vector loads.

#include <tilestep/backend/pointer.hpp>  // SharedPtr

#include <cstdint>  // std::uint32_t

namespace tilestep {

/// Does this backend have ldmatrix?
inline constexpr bool backend_has_ldmatrix = false;

template <int Matrices, bool Transposed, class T>
TS_HOST_DEVICE void ldmatrix(SharedPtr<T>, std::uint32_t*) {
  static_assert(sizeof(T) == 0, "AMD GPUs have no ldmatrix: copy the fragment with UniversalCopy");
}

}  // namespace tilestep
