#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> cdna_bf16(GemmCall const& call) {
  return with_kind<Choice>(Cdna4Bf16{} + CdnaBf16{}, call,
                           [&](auto kind) { return choose<OnCdna<decltype(kind)>, decltype(kind)>(call); });
}

}  // namespace tilestep
