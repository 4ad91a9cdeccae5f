#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> cdna(GemmCall const& call) {
  return with_kind<Choice>(Cdna4Others{} + CdnaOthers{}, call,
                           [&](auto kind) { return choose<OnCdna<decltype(kind)>>(call); });
}

}  // namespace tilestep
