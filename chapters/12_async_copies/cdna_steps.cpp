#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // step

#include <algorithm>  // std::min

namespace tilestep {

namespace {

/// The most bytes of a lane that every target with this instruction copies to shared memory without registers.
template <class Op>
constexpr int direct_bytes() {
  int least = 16;
  for (TargetInfo const& each : targets) {
    if (has_instruction<Op>(each.name)) least = std::min(least, each.async_copy_warp);
  }
  return least;
}

}  // namespace

std::optional<Choice> cdna_steps(GemmCall const& call) {
  using Block = BlockTile<256, 128, 32, 2, 2>;
  using Kinds =
      GemmKinds<GemmKind<CDNA4_32x32x16_F32F16F16F32, Block, float>, GemmKind<CDNA_32x32x8_F32F16F16F32, Block, float>>;
  return with_kind<std::optional<Choice>>(Kinds{}, call, [&](auto kind) -> std::optional<Choice> {
    using Kind = decltype(kind);
    using Tile = typename Kind::BlkTile;
    if (call.kernel == "waiting") return step<TileVariant<Kind, Tile, Route::waiting, 2, 1>>(call);
    if (call.kernel == "prefetch") return step<TileVariant<Kind, CdnaTile<32>, Route::registers, 1, 1>>(call);
    if (call.kernel == "stages2") return step<TileVariant<Kind, Tile, Route::registers, 2>>(call);
    if (call.kernel == "direct")
      return step<TileVariant<Kind, Tile, Route::async_warp, 2, 2, direct_bytes<typename Kind::Instruction>()>>(call);
    return std::nullopt;
  }).value_or(std::nullopt);
}

}  // namespace tilestep
