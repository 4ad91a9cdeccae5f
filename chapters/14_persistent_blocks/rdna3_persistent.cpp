#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose_persistent

namespace tilestep {

std::optional<Choice> rdna3_persistent(GemmCall const& call) {
  using Kinds = GemmKinds<GemmKind<RDNA3_16x16x16_F32F16F16F32, RdnaTile<32>, float>>;
  return with_kind<std::optional<Choice>>(Kinds{}, call,
                                          [&](auto kind) { return choose_persistent<OnRdna3<decltype(kind)>>(call); })
      .value_or(std::nullopt);
}

}  // namespace tilestep
