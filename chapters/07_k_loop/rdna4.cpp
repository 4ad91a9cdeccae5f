#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Launch> rdna4(GemmCall const& call) {
  return with_kind<Launch>(Rdna4F16{} + Rdna4Others{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
