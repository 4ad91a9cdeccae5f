#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> cdna_f16(GemmCall const& call) {
  return with_kind<Choice>(Cdna4F16{} + CdnaF16{}, call,
                           [&](auto kind) { return choose<OnCdna<decltype(kind)>>(call); });
}

}  // namespace tilestep
