#include "families.hpp"  // TileVariant, choices

namespace tilestep {

namespace {
// Every rung takes operands along K: other layouts differ in boxes and descriptors alone.
template <int M, int N, int STAGES, Rung RUNG> using AlongK = TileVariant<M, N, STAGES, RUNG, false, false>;
}  // namespace

GemmChoices ladder(GemmCall const& call) {
  auto const rung = [&]<class Only>(char const* name, Only) {
    return call.kernel == name ? choices<bfloat16_t, Only>(call) : GemmChoices{};
  };
  return together(
      rung("tma", AlongK<128, 256, 4, by_tma>{}), rung("tma_full", AlongK<128, 256, 4, all_by_tma>{}),
      rung("wgmma", AlongK<128, 256, 4, by_wgmma>{}), rung("producer", AlongK<128, 256, 4, from_producer>{}),
      rung("cluster", AlongK<128, 256, 4, in_clusters>{}), rung("persistent", AlongK<128, 256, 4, rung_persistent>{}),
      rung("copied_out", AlongK<128, 256, 4, copied_out>{}), rung("ping_pong", AlongK<128, 192, 5, ping_pong>{}));
}

}  // namespace tilestep
