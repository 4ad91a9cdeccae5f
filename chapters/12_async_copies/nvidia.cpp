#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> nvidia(GemmCall const& call) {
  return with_kind<Choice>(NvidiaOthers{}, call, [&](auto kind) { return choose<OnNvidia<decltype(kind)>>(call); });
}

}  // namespace tilestep
