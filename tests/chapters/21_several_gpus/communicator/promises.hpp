#pragma once
// What a communicator over MPI promises beside the numbers that it moves.

namespace tilestep {

/// The sentence of each failure, which rank it names, what a barrier waits for, and memory that goes. Every failure is
/// caught, and the ranks go on.
/// @pre  three ranks, on the virtual GPU
/// @par Errors  Exit::wrong: a promise is broken
void check_promises();

}  // namespace tilestep
