// A kernel that touches its accumulators while wgmma is in flight: the assembler runs one wgmma after the other, and
// says so.

#include "../any/hopper_kernels.hpp"  // TileParams

namespace hopper_test {

struct TouchedAccumulators {
  static constexpr char const* name = "TouchedAccumulators";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 128;
  using Tile = OperandTile<64, 64, Major::k>;
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, Tile::elements> a, b;
  };

  TS_DEVICE void operator()(Shared& memory, TileParams const& p) const {
    auto const a = Tile::descriptor(shared(memory.a, "sA")), b = Tile::descriptor(shared(memory.b, "sB"));
    float d[32];
    wgmma_fence();
    for (int k = 0; k < 4; ++k) {
      issue_products<Tile, Tile, MatrixType::bf16>(a, 0, b, d, k > 0);
      wgmma_commit();
      d[0] += p.d[k];
    }
    wgmma_wait<0>();
    for (int i = 0; i < 32; ++i) global(p.d)[thread_index() * 32 + i] = d[i];
  }
};

void launch_touched_accumulators() { launch(TouchedAccumulators{}, 1, TileParams{}); }

}  // namespace hopper_test
