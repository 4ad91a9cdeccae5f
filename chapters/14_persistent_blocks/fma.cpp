#include "kernel.hpp"    // ScheduledGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> by_fma(GemmCall const& call) {
  return with_kind<Choice>(ByFma{}, call,
                           [&](auto kind) { return choose<OnFma<decltype(kind)>, decltype(kind)>(call); });
}

}  // namespace tilestep
