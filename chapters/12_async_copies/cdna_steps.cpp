#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // step

namespace tilestep {

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
      return step<TileVariant<Kind, Tile, Route::async_warp, 2, 2, Kind::Instruction::targets == "gfx950" ? 16 : 4>>(
          call);
    return std::nullopt;
  }).value_or(std::nullopt);
}

}  // namespace tilestep
