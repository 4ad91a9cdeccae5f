// A kernel of wgmma for each of its types, for nvcc to assemble.

#include "typed_product.hpp"  // TypedProduct

namespace hopper_test {

template <class Op>
void launch_one() {
  using Kernel = TypedProduct<Op, TileSwizzle::bytes_128>;
  launch(Kernel{}, 1, typename Kernel::Params{});
}

void launch_typed_products() {
  using enum DType;
  launch_one<SM90_64xN_SS<64, f32, tf32, tf32>>();
  launch_one<SM90_64xN_SS<64, f32, e4m3, e4m3>>();
  launch_one<SM90_64xN_SS<64, f32, e4m3, e5m2>>();
  launch_one<SM90_64xN_SS<64, f32, e5m2, e4m3>>();
  launch_one<SM90_64xN_SS<64, f32, e5m2, e5m2>>();
  launch_one<SM90_64xN_SS<64, f16, f16, f16, Major::mn, Major::mn>>();
  launch_one<SM90_64xN_SS<24, f16, e4m3, e4m3>>();
  launch_one<SM90_64xN_SS<24, f16, e4m3, e5m2>>();
  launch_one<SM90_64xN_SS<24, f16, e5m2, e4m3>>();
  launch_one<SM90_64xN_SS<24, f16, e5m2, e5m2>>();
  launch_one<SM90_64xN_SS<96, i32, i8, i8>>();
  launch_one<SM90_64xN_SS<96, i32, i8, u8>>();
  launch_one<SM90_64xN_SS<96, i32, u8, i8>>();
  launch_one<SM90_64xN_SS<96, i32, u8, u8>>();
  launch_one<SM90_64xNx32_SS_SATURATE<96, i8, i8>>();
  launch_one<SM90_64xNx32_SS_SATURATE<96, i8, u8>>();
  launch_one<SM90_64xNx32_SS_SATURATE<96, u8, i8>>();
  launch_one<SM90_64xNx32_SS_SATURATE<96, u8, u8>>();
  launch_one<SM90_64xNx32_RS_SATURATE<64, u8, i8>>();
  launch_one<SM90_64xN_RS<64, f32, tf32, tf32>>();
  launch_one<SM90_64xN_RS<64, f16, f16, f16, Major::mn>>();
  launch_one<SM90_64xN_RS<64, f32, e4m3, e5m2>>();
  launch_one<SM90_64xN_RS<64, i32, u8, i8>>();
}

}  // namespace hopper_test
