#include "kernel.hpp"    // BlockGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> rdna4(GemmCall const& call) {
  return with_kind<Choice>(Rdna4F16{} + Rdna4Others{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
