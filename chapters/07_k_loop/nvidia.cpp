#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // choose

namespace tilestep {

// This loop needs more registers than two blocks on a multiprocessor leave to each.
std::optional<Launch> nvidia(GemmCall const& call) {
  return with_kind<Launch>(NvidiaBf16{} + NvidiaOthers{}, call,
                           [&](auto kind) { return choose<OneBlock<decltype(kind)>>(call); });
}

}  // namespace tilestep
