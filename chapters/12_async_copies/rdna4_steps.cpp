#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // step

namespace tilestep {

std::optional<Choice> rdna4_steps(GemmCall const& call) {
  using Kinds = GemmKinds<GemmKind<RDNA4_16x16x16_F32F16F16F32, BlockTile<128, 256, 32, 2, 4>, float>>;
  return with_kind<std::optional<Choice>>(Kinds{}, call, [&](auto kind) -> std::optional<Choice> {
    using Kind = decltype(kind);
    using Tile = typename Kind::BlkTile;
    if (call.kernel == "waiting") return step<TileVariant<Kind, Tile, Route::waiting, 2, 1>>(call);
    if (call.kernel == "prefetch") return step<TileVariant<Kind, Tile, Route::registers, 1, 1>>(call);
    if (call.kernel == "stages2") return step<TileVariant<Kind, Tile, Route::registers, 2, 1>>(call);
    return std::nullopt;
  }).value_or(std::nullopt);
}

}  // namespace tilestep
