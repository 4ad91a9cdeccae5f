#include "golden.hpp"                 // reports

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

golden::Report size_cases();
golden::Report cosize_cases();
golden::Report rank_cases();
golden::Report depth_cases();
golden::Report idx2crd_cases();
golden::Report idx2crd_stride_cases();
golden::Report crd2idx_cases();
golden::Report crd2idx_shape_cases();
golden::Report crd2crd_cases();
golden::Report coalesce_cases();
golden::Report coalesce_profile_cases();
golden::Report flatten_cases();
golden::Report filter_zeros_cases();
golden::Report filter_cases();
golden::Report right_inverse_cases();
golden::Report left_inverse_cases();
golden::Report max_common_vector_cases();
golden::Report max_common_layout_cases();
golden::Report complement_cases();
golden::Report complement_default_cases();
golden::Report composition_cases();
golden::Report composition_tiler_cases();
golden::Report logical_divide_cases();
golden::Report zipped_divide_cases();
golden::Report tiled_divide_cases();
golden::Report flat_divide_cases();
golden::Report logical_product_cases();
golden::Report zipped_product_cases();
golden::Report tiled_product_cases();
golden::Report flat_product_cases();
golden::Report blocked_product_cases();
golden::Report raked_product_cases();
golden::Report tile_to_shape_cases();
golden::Report make_ordered_layout_cases();
golden::Report slice_cases();
golden::Report dice_cases();
golden::Report upcast_cases();
golden::Report downcast_cases();
golden::Report recast_layout_cases();
golden::Report swizzle_cases();
golden::Report swizzle_composition_cases();
golden::Report swizzle_tile_to_shape_cases();

namespace {
void agrees(golden::Report const& report, int cases) {
  CHECK(report.cases == cases);
  for (auto const& sentence : report.wrong) FAIL_CHECK(sentence);
  for (auto const& sentence : report.other_forms) FAIL_CHECK(sentence);
}
}  // namespace

TEST_CASE("size agrees with CuTe in value and form", "[layout][golden]") { agrees(size_cases(), 92); }
TEST_CASE("cosize agrees with CuTe in value and form", "[layout][golden]") { agrees(cosize_cases(), 91); }
TEST_CASE("rank agrees with CuTe in value and form", "[layout][golden]") { agrees(rank_cases(), 92); }
TEST_CASE("depth agrees with CuTe in value and form", "[layout][golden]") { agrees(depth_cases(), 92); }
TEST_CASE("idx2crd agrees with CuTe in value and form", "[layout][golden]") { agrees(idx2crd_cases(), 94); }
TEST_CASE("idx2crd_stride agrees with CuTe in value and form", "[layout][golden]") {
  agrees(idx2crd_stride_cases(), 94);
}
TEST_CASE("crd2idx agrees with CuTe in value and form", "[layout][golden]") { agrees(crd2idx_cases(), 89); }
TEST_CASE("crd2idx_shape agrees with CuTe in value and form", "[layout][golden]") { agrees(crd2idx_shape_cases(), 90); }
TEST_CASE("crd2crd agrees with CuTe in value and form", "[layout][golden]") { agrees(crd2crd_cases(), 88); }
TEST_CASE("coalesce agrees with CuTe in value and form", "[layout][golden]") { agrees(coalesce_cases(), 90); }
TEST_CASE("coalesce_profile agrees with CuTe in value and form", "[layout][golden]") {
  agrees(coalesce_profile_cases(), 93);
}
TEST_CASE("flatten agrees with CuTe in value and form", "[layout][golden]") { agrees(flatten_cases(), 92); }
TEST_CASE("filter_zeros agrees with CuTe in value and form", "[layout][golden]") { agrees(filter_zeros_cases(), 93); }
TEST_CASE("filter agrees with CuTe in value and form", "[layout][golden]") { agrees(filter_cases(), 93); }
TEST_CASE("right_inverse agrees with CuTe in value and form", "[layout][golden]") { agrees(right_inverse_cases(), 70); }
TEST_CASE("left_inverse agrees with CuTe in value and form", "[layout][golden]") { agrees(left_inverse_cases(), 70); }
TEST_CASE("max_common_vector agrees with CuTe in value and form", "[layout][golden]") {
  agrees(max_common_vector_cases(), 89);
}
TEST_CASE("max_common_layout agrees with CuTe in value and form", "[layout][golden]") {
  agrees(max_common_layout_cases(), 92);
}
TEST_CASE("complement agrees with CuTe in value and form", "[layout][golden]") { agrees(complement_cases(), 94); }
TEST_CASE("complement_default agrees with CuTe in value and form", "[layout][golden]") {
  agrees(complement_default_cases(), 89);
}
TEST_CASE("composition agrees with CuTe in value and form", "[layout][golden]") { agrees(composition_cases(), 94); }
TEST_CASE("composition_tiler agrees with CuTe in value and form", "[layout][golden]") {
  agrees(composition_tiler_cases(), 94);
}
TEST_CASE("logical_divide agrees with CuTe in value and form", "[layout][golden]") {
  agrees(logical_divide_cases(), 94);
}
TEST_CASE("zipped_divide agrees with CuTe in value and form", "[layout][golden]") { agrees(zipped_divide_cases(), 94); }
TEST_CASE("tiled_divide agrees with CuTe in value and form", "[layout][golden]") { agrees(tiled_divide_cases(), 94); }
TEST_CASE("flat_divide agrees with CuTe in value and form", "[layout][golden]") { agrees(flat_divide_cases(), 94); }
TEST_CASE("logical_product agrees with CuTe in value and form", "[layout][golden]") {
  agrees(logical_product_cases(), 79);
}
TEST_CASE("zipped_product agrees with CuTe in value and form", "[layout][golden]") {
  agrees(zipped_product_cases(), 82);
}
TEST_CASE("tiled_product agrees with CuTe in value and form", "[layout][golden]") { agrees(tiled_product_cases(), 78); }
TEST_CASE("flat_product agrees with CuTe in value and form", "[layout][golden]") { agrees(flat_product_cases(), 84); }
TEST_CASE("blocked_product agrees with CuTe in value and form", "[layout][golden]") {
  agrees(blocked_product_cases(), 87);
}
TEST_CASE("raked_product agrees with CuTe in value and form", "[layout][golden]") { agrees(raked_product_cases(), 89); }
TEST_CASE("tile_to_shape agrees with CuTe in value and form", "[layout][golden]") { agrees(tile_to_shape_cases(), 88); }
TEST_CASE("make_ordered_layout agrees with CuTe in value and form", "[layout][golden]") {
  agrees(make_ordered_layout_cases(), 90);
}
TEST_CASE("slice agrees with CuTe in value and form", "[layout][golden]") { agrees(slice_cases(), 89); }
TEST_CASE("dice agrees with CuTe in value and form", "[layout][golden]") { agrees(dice_cases(), 89); }
TEST_CASE("upcast agrees with CuTe in value and form", "[layout][golden]") { agrees(upcast_cases(), 94); }
TEST_CASE("downcast agrees with CuTe in value and form", "[layout][golden]") { agrees(downcast_cases(), 94); }
TEST_CASE("recast_layout agrees with CuTe in value and form", "[layout][golden]") { agrees(recast_layout_cases(), 70); }
TEST_CASE("swizzle agrees with CuTe in value and form", "[layout][golden]") { agrees(swizzle_cases(), 70); }
TEST_CASE("swizzle_composition agrees with CuTe in value and form", "[layout][golden]") {
  agrees(swizzle_composition_cases(), 91);
}
TEST_CASE("swizzle_tile_to_shape agrees with CuTe in value and form", "[layout][golden]") {
  agrees(swizzle_tile_to_shape_cases(), 7);
}
