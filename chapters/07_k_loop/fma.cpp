#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Launch> by_fma(GemmCall const& call) {
  return with_kind<Launch>(ByFma{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
