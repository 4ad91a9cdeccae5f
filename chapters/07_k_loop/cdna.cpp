#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Launch> cdna(GemmCall const& call) {
  return with_kind<Launch>(CdnaBf16{} + CdnaOthers{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
