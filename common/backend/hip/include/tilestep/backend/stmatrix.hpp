#pragma once
// stmatrix is NVIDIA's. Its name is declared, so that a kernel which asks backend_has_hopper compiles; one that does
// not ask does not link.

#include <tilestep/backend/mbarrier.hpp>  // backend_has_hopper

#include <cstdint>  // std::uint32_t

namespace tilestep {

template <int Matrices, bool Transposed, class T>
TS_HOST_DEVICE void stmatrix(SharedPtr<T> row, std::uint32_t const* registers);

}  // namespace tilestep
