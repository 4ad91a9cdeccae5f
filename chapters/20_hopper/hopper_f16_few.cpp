#include "families.hpp"  // TileVariant, choices

namespace tilestep {

GemmChoices hopper_f16_few(GemmCall const& call) {
  return choices<half_t, TileVariant<128, 64, 8, cooperative>, TileVariant<64, 16, 16, cooperative, true, false>,
                 TileVariant<64, 32, 14, cooperative, true, false>, TileVariant<64, 64, 12, cooperative>>(call);
}

}  // namespace tilestep
