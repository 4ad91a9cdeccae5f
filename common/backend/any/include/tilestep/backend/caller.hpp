#pragma once
// What a program that checks one product does not have: kernels of a caller in front of it, which made the operands.

namespace tilestep {

/// From here on, kernels of the caller may still run, which write and read all device memory that there is: a kernel
/// that begins among those before it must wait for them. On a GPU, where nobody looks, it does nothing.
/// @post  forgotten with the next copy, wait of the host's, or kernel that does not overlap
void follow_kernels_of_the_caller();

}  // namespace tilestep
