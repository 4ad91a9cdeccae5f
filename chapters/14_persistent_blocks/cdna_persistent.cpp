#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose_persistent

namespace tilestep {

std::optional<Choice> cdna_persistent(GemmCall const& call) {
  using Kinds = decltype(Cdna4F16{} + CdnaF16{});
  return with_kind<std::optional<Choice>>(Kinds{}, call,
                                          [&](auto kind) { return choose_persistent<OnCdna<decltype(kind)>>(call); })
      .value_or(std::nullopt);
}

}  // namespace tilestep
