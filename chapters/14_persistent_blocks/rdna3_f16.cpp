#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> rdna3_f16(GemmCall const& call) {
  return with_kind<Choice>(Rdna3F16{}, call,
                           [&](auto kind) { return choose<OnRdna3<decltype(kind)>, decltype(kind)>(call); });
}

}  // namespace tilestep
