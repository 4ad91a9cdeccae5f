#pragma once
// Written by docs/tools/tile_rates.py from chapters/17_optimized_gemm/results/calibration/nvidia-h200.json: NVIDIA H200, driver 580.159.04.
// Change the record, not this file.

#include <tilestep/harness/types.hpp>  // DType

#include <string_view>  // names of tiles

namespace tilestep {

/// How fast a tile's blocks multiply where all units work.
struct TileRate {
  DType dtype;
  std::string_view tile;
  bool by_elements;  ///< its operands are read element by element
  double of_rate;  ///< the part of a unit's rate that as many blocks as it holds reach
  double alone;    ///< one block for each unit lasts as long as so many of a full unit
  double after;    ///< the same of one block more for each unit, after a round of full units
};

inline constexpr TileRate tile_rates[]{
    {DType::f32, "128x128x8", false, 0.782, 1.14, 2.02},
    {DType::f32, "64x64x8", false, 0.573, 1.72, 1.50},
    {DType::f32, "64x64x32", false, 0.528, 1.18, 2.04},
    {DType::f32, "32x64x16", false, 0.498, 2.38, 2.29},
    {DType::f32, "8x128x16", false, 0.246, 2.82, 3.98},
    {DType::bf16, "128x256x32", false, 0.872, 1.00, 1.10},
    {DType::bf16, "128x128x32", false, 0.761, 1.03, 1.21},
    {DType::bf16, "64x128x64", false, 0.608, 1.02, 1.00},
    {DType::bf16, "128x64x64", false, 0.586, 1.00, 1.09},
    {DType::bf16, "64x64x128", false, 0.500, 1.00, 1.10},
    {DType::bf16, "32x64x64", false, 0.355, 1.13, 2.13},
    {DType::bf16, "16x64x64", false, 0.251, 1.25, 2.15},
    {DType::tf32, "128x256x16", false, 0.807, 1.00, 1.14},
    {DType::tf32, "128x128x16", false, 0.731, 1.07, 1.02},
    {DType::tf32, "64x128x32", false, 0.573, 1.01, 1.06},
    {DType::i8, "128x256x64", false, 0.860, 1.00, 1.10},
    {DType::i8, "128x128x64", false, 0.807, 1.06, 1.19},
    {DType::i8, "64x128x128", false, 0.635, 1.08, 1.08},
    {DType::f32, "128x128x8", true, 0.719, 1.13, 1.98},
    {DType::f32, "64x64x8", true, 0.566, 2.55, 2.23},
    {DType::f32, "64x64x32", true, 0.565, 1.23, 2.09},
    {DType::f32, "32x64x16", true, 0.517, 2.75, 2.57},
    {DType::f32, "8x128x16", true, 0.213, 4.02, 3.77},
};

}  // namespace tilestep
