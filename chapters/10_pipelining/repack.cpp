#include "families.hpp"  // repacked

#include <tilestep/harness/repack.hpp>  // repack

namespace tilestep {

GemmCall repacked(GemmCall const& call) { return repack(call); }

}  // namespace tilestep
