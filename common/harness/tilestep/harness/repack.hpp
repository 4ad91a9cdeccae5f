#pragma once
// Repacking at run time: copies of A and B whose rows lie along K and end with zeros, in buffers that are kept from one
// problem to the next. The kernels are the library's, compiled once for all chapters.

#include <tilestep/harness/padded.hpp>  // padded

namespace tilestep {

/// Launches the copies of A and B into padded buffers, on sm90 by one kernel for both.
/// @return padded(call) on these buffers
GemmCall repack(GemmCall const& call);
/// The same of A, of B, of both or of neither.
GemmCall repack(GemmCall const& call, bool a, bool b);

}  // namespace tilestep
