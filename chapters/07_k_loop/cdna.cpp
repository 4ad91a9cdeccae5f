#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Launch> cdna(GemmCall const& call) {
  return with_kind<Launch>(CdnaF16{} + CdnaBf16{} + CdnaOthers{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
