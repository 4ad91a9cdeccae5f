#include "kernel.hpp"    // BlockGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> cdna(GemmCall const& call) {
  return with_kind<Choice>(CdnaBf16{} + CdnaOthers{}, call, [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
