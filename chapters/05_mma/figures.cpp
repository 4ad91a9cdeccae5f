#include <tilestep/atom.hpp>                     // MmaTraits
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // tv_grid, to_svg

#include <algorithm>  // std::min
#include <string>     // captions

namespace tilestep {

namespace {

// What of an instruction is drawn: its first rows of A, columns of B, and as much of K.
constexpr std::int64_t most_m = 16, most_n = 8, most_k = 16;

/// The first rows and columns of a grid.
Grid first(Grid const& whole, std::int64_t rows, std::int64_t cols) {
  Grid grid = make_grid(std::min(rows, whole.rows), std::min(cols, whole.cols),
                        [&](std::int64_t row, std::int64_t col) { return whole.at(row, col); });
  grid.cut = grid.rows < whole.rows || grid.cols < whole.cols;
  return grid;
}

/// Rows become columns.
Grid turned(Grid const& grid) {
  return make_grid(grid.cols, grid.rows, [&](std::int64_t row, std::int64_t col) { return grid.at(col, row); });
}

/// Which thread holds which value of one operand. Four neighbouring threads share a hue and take turns in its strength;
/// threads 0, 16 and 32 differ in hue.
Grid fragment(std::string const& operand, Grid grid, Region const& marked) {
  for (Cell& cell : grid.cells) cell.color = (cell.color / 4 + cell.color / 32 * 4) % 8 + cell.color % 2 * 8;
  grid.caption = operand.substr(0, 1);
  grid.row_axis = operand.substr(1, 1);
  grid.col_axis = operand.substr(2, 1);
  grid.marked = {marked};
  return grid;
}

/// The three operands of an instruction, A left of C and B above it; one row of A, one column of B and their element of
/// C are marked.
template <class Op>
std::string fragments() {
  using Traits = MmaTraits<Op>;
  constexpr std::int64_t m = 2, n = 5;
  Grid const a = first(tv_grid(typename Traits::ALayout{}, Op::M, Op::K), most_m, most_k);
  Grid const b = first(tv_grid(typename Traits::BLayout{}, Op::N, Op::K), most_n, most_k);
  Grid const c = first(tv_grid(typename Traits::CLayout{}, Op::M, Op::N), most_m, most_n);
  std::vector<std::string> notes = {"T: thread, V: value in its registers", "marked: a row of A, a column of B",
                                    "and the element of C they make"};
  if (a.cut || b.cut || c.cut) {
    notes.push_back("a part of " + std::to_string(Op::M) + " x " + std::to_string(Op::N) + " x " +
                    std::to_string(Op::K));
  }
  return to_svg_product(fragment("Amk", a, {m, 0, 1, a.cols}), fragment("Bkn", turned(b), {0, n, b.cols, 1}),
                        fragment("Cmn", c, {m, n, 1, 1}), notes);
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"mma_16x8x16_f16", fragments<SM80_16x8x16_F32F16F16F32_TN>()},
          {"mma_16x8x8_tf32", fragments<SM80_16x8x8_F32TF32TF32F32_TN>()},
          {"mma_16x8x32_s8", fragments<SM80_16x8x32_S32S8S8S32_TN>()},
          {"mfma_32x32x8_f16", fragments<CDNA_32x32x8_F32F16F16F32>()},
          {"wmma_rdna3_f16", fragments<RDNA3_16x16x16_F32F16F16F32>()},
          {"wmma_rdna4_f16", fragments<RDNA4_16x16x16_F32F16F16F32>()}};
}

}  // namespace tilestep
