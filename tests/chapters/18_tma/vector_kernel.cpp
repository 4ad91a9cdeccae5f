// Chapter 18's kernel for one type, alone. Tests compile it for a GPU and read its loop.

#include "families.hpp"  // Ring, launch_tma

namespace tilestep {

void run_vector_kernel(GemmJob const& job);
void run_vector_kernel(GemmJob const& job) {
  using Kind = GemmKind<TEST_OP, kinds::HopperTile, float>;
  launch_tma<Kind, Ring<Kind>>(job);
}

}  // namespace tilestep
