#include "families.hpp"  // launch_repack

#include <tilestep/harness/repack.hpp>  // repack

namespace tilestep {

GemmCall launch_repack(GemmCall const& call) { return repack(call); }

}  // namespace tilestep
