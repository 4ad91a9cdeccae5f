#include "families.hpp"  // TileVariant, choices

namespace tilestep {

GemmChoices hopper_bf16(GemmCall const& call) {
  return choices<bfloat16_t, TileVariant<128, 192, 5, ping_pong>, TileVariant<128, 128, 6, ping_pong>,
                 TileVariant<128, 256, 4, cooperative>, TileVariant<128, 128, 6, ping_pong_m2>,
                 TileVariant<128, 192, 5, ping_pong_m2, true, false>, TileVariant<128, 112, 6, ping_pong, true, false>,
                 TileVariant<128, 176, 5, ping_pong, true, false>>(call);
}

}  // namespace tilestep
