#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Launch> rdna3_f16(GemmCall const& call) {
  return with_kind<Launch>(Rdna3F16{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
