#include "families.hpp"  // Way, choices

namespace tilestep {

GemmChoices hopper_f16(GemmCall const& call) {
  return choices<half_t, Way<128, 192, 5, ping_pong>, Way<128, 128, 6, ping_pong>, Way<128, 256, 4, together_on_c>, Way<128, 128, 6, ping_pong_m2>, Way<128, 192, 5, ping_pong_m2, true, false>, Way<128, 112, 6, ping_pong, true, false>, Way<128, 176, 5, ping_pong, true, false>>(call);
}

}  // namespace tilestep
