// The kernels that every backend runs in its tests, for a compiler that only looks at their device code.

#include "kernels.hpp"  // the kernels

namespace backend_test {

void launch_kernels(float* data) {
  launch(VectorCopy<std::uint8_t, 1>{}, 1, CopyParams<std::uint8_t>{});
  launch(VectorCopy<std::uint16_t, 8>{}, 1, CopyParams<std::uint16_t>{});
  launch(VectorCopy<float, 4>{}, 1, CopyParams<float>{});
  launch(VectorCopy<double, 2>{}, 1, CopyParams<double>{});
  launch(Reverse{}, 1, CopyParams<float>{data, data, 0});
  launch(Transpose{}, 1, Transpose::Params{data, data, 0});
  launch(Shuffles{}, 1, ShuffleParams{});
  launch(RegisterTileGemm{}, 1, GemmParams{data, data, data, 0, 0, 0});
  launch(LargeShared<56 * 1024>{}, 1, CopyParams<float>{data, data, 0});
  launch(Nothing{}, 1, NoParams{});
}

}  // namespace backend_test
