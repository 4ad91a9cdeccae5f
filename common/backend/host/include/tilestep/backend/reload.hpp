#pragma once
// Reading tiles one after the other into the same registers.

#include <tilestep/backend/pointer.hpp>  // GlobalPtr, load_if

namespace tilestep {

/// Reads VEC elements in one access where `pred` is true. @pre where it is false, the registers already hold zeros
template <int VEC, class Ptr, class T>
TS_DEVICE TS_INLINE void reload_or_zero(Ptr ptr, T* registers, bool pred) { load_if<VEC>(ptr, registers, pred); }

}  // namespace tilestep
