#include "families.hpp"  // Way, choices

namespace tilestep {

GemmChoices hopper_f16_few(GemmCall const& call) {
  return choices<half_t, Way<128, 64, 8, together_on_c>, Way<64, 16, 16, together_on_c, true, false>, Way<64, 32, 14, together_on_c, true, false>, Way<64, 64, 12, together_on_c>>(call);
}

}  // namespace tilestep
