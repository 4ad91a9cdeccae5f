#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> rdna3(GemmCall const& call) {
  return with_kind<Choice>(Rdna3Others{}, call, [&](auto kind) { return choose<OnRdna3<decltype(kind)>>(call); });
}

}  // namespace tilestep
