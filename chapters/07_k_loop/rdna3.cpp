#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Launch> rdna3(GemmCall const& call) {
  return with_kind<Launch>(Rdna3Others{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
