#include "figures.hpp"

#include <tilestep/atom.hpp>  // MmaTraits
#include <tilestep/show.hpp>  // tv_grid, to_svg

#include <string>  // captions

namespace tilestep {

namespace {

/// Which thread holds which value of one operand.
template <class LayoutTV>
Grid fragment(std::string const& operand, LayoutTV const& layout_tv, int rows, int cols, std::string const& row_axis,
              std::string const& col_axis) {
  Grid grid = tv_grid(layout_tv, rows, cols);
  grid.caption = operand;
  grid.row_axis = row_axis;
  grid.col_axis = col_axis;
  return grid;
}

/// The three operands of an instruction, side by side.
template <class Op>
std::string fragments() {
  using Traits = MmaTraits<Op>;
  return to_svg({fragment("A: (m,k)", typename Traits::ALayout{}, Op::M, Op::K, "m", "k"),
                 fragment("B: (n,k)", typename Traits::BLayout{}, Op::N, Op::K, "n", "k"),
                 fragment("C: (m,n)", typename Traits::CLayout{}, Op::M, Op::N, "m", "n")});
}

}  // namespace

std::vector<Figure> mma_figures() {
  return {{"mma_16x8x16_f16", fragments<SM80_16x8x16_F32F16F16F32_TN>()},
          {"mma_16x8x8_tf32", fragments<SM80_16x8x8_F32TF32TF32F32_TN>()},
          {"mma_16x8x32_s8", fragments<SM80_16x8x32_S32S8S8S32_TN>()},
          {"mfma_32x32x8_f16", fragments<CDNA_32x32x8_F32F16F16F32>()},
          {"wmma_rdna3_f16", fragments<RDNA3_16x16x16_F32F16F16F32>()},
          {"wmma_rdna4_f16", fragments<RDNA4_16x16x16_F32F16F16F32>()}};
}

}  // namespace tilestep
