#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> rdna4_f16(GemmCall const& call) {
  return with_kind<Choice>(Rdna4F16{}, call,
                           [&](auto kind) { return choose<OnRdna4<decltype(kind)>, decltype(kind)>(call); });
}

}  // namespace tilestep
