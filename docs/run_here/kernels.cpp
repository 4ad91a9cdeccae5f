// Chapter 07's kernels for one family of GPUs, once as they stand in the chapter and once with bugs to choose from. The
// build names the function TILESTEP_FUNCTION and the family TILESTEP_KERNELS.

#include "families.hpp"  // the chapter's, or the copy with bugs: kernels_of

#include "kernels.hpp"  // what is defined here

namespace tilestep {

GemmChoices TILESTEP_FUNCTION(GemmCall const& call) { return k_loop::kernels_of<kinds::TILESTEP_KERNELS>(call); }

}  // namespace tilestep
