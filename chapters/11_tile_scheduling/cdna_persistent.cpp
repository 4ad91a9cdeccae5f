#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose_persistent

namespace tilestep {

std::optional<Choice> cdna_persistent(GemmCall const& call) {
  using Kinds = GemmKinds<GemmKind<CDNA_32x32x8_F32F16F16F32, CdnaTile<32>, float>>;
  return with_kind<std::optional<Choice>>(Kinds{}, call, [&](auto kind) { return choose_persistent<OnCdna<decltype(kind)>>(call); }).value_or(std::nullopt);
}

}  // namespace tilestep
