#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> nvidia_bf16(GemmCall const& call) {
  return with_kind<Choice>(NvidiaBf16{}, call,
                           [&](auto kind) { return choose<OnNvidia<decltype(kind)>, decltype(kind)>(call); });
}

}  // namespace tilestep
