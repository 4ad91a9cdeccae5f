#pragma once
// Reading tiles one after the other into the same registers.

#include <tilestep/backend/pointer.hpp>  // GlobalPtr, load_or_zero

namespace tilestep {

/// Reads VEC elements, in one access, or leaves zeros where they are: wherever `pred` is false. Here a buffer load
/// gives them once more.
/// @pre there the registers hold zeros
template <int VEC, class Ptr, class T> TS_DEVICE TS_INLINE void reload_or_zero(Ptr ptr, T* registers, bool pred) {
  load_or_zero<VEC>(ptr, 0, registers, pred);
}

}  // namespace tilestep
