#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> nvidia_f16(GemmCall const& call) {
  return with_kind<Choice>(NvidiaF16{}, call, [&](auto kind) { return choose<OnNvidia<decltype(kind)>>(call); });
}

}  // namespace tilestep
