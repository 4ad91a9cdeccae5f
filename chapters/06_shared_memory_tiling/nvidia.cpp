#include "kernel.hpp"    // BlockGemm
#include "families.hpp"  // choose

namespace tilestep {

std::optional<Choice> nvidia(GemmCall const& call) {
  return with_kind<Choice>(NvidiaBf16{} + NvidiaOthers{}, call,
                           [&](auto kind) { return choose<decltype(kind)>(call); });
}

}  // namespace tilestep
