#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose_persistent

namespace tilestep {

std::optional<Choice> nvidia_persistent(GemmCall const& call) {
  using Kinds = GemmKinds<GemmKind<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, float>>;
  return with_kind<std::optional<Choice>>(Kinds{}, call,
                                          [&](auto kind) { return choose_persistent<OnNvidia<decltype(kind)>>(call); })
      .value_or(std::nullopt);
}

}  // namespace tilestep
