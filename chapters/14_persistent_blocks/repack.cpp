#include "kernel.hpp"    // as in every source with kernels
#include "families.hpp"  // launch_repack, in_workspace, add_up

#include <tilestep/harness/repack.hpp>   // repack
#include <tilestep/harness/split_k.hpp>  // into_workspace, add_slices

namespace tilestep {

GemmCall launch_repack(GemmCall const& call) { return repack(call); }
GemmCall in_workspace(GemmCall const& call, int slices) { return into_workspace(call, slices); }
void add_up(GemmCall const& call, GemmCall const& sums, int slices) { add_slices(call, sums, slices); }

}  // namespace tilestep
