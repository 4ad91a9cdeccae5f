#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> rdna4(GemmCall const& call) {
  return with_kind<Choice>(Rdna4Others{}, call, [&](auto kind) { return choose<OnRdna4<decltype(kind)>>(call); });
}

}  // namespace tilestep
