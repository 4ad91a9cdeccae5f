// The chapter's program: prints and draws its layouts for the extents on the command line, and checks each element of
// each.
// ./tutorial run 01 builds and runs it.

#include "checks.hpp"   // checks
#include "figures.hpp"  // pictures_of_problem, pictures_of_page

#include <tilestep/harness.hpp>  // CommandLine, Record, run_main

#include <algorithm>  // std::max

namespace {

using namespace tilestep;

void refuse_bad_input(LayoutProblem const& p) {
  require_not_negative("--rows", p.rows);
  require_not_negative("--cols", p.cols);
  if (p.tile.rows < 1 || p.tile.cols < 1)
    bad_input("--tile " + to_string(p.tile) + ": a tile has at least one row and one column");
  constexpr std::int64_t most = 1 << 22;
  for (Extent2 const each : {Extent2{p.rows, p.cols}, p.tile}) {
    if (std::max(each.rows, each.cols) <= most && each.rows * each.cols <= most) continue;
    bad_input(to_string(each) + " is too large: every element is checked, choose at most " + std::to_string(most) +
              " of them");
  }
  auto const [bits, base, shift] = p.swizzle;
  if (bits > shift) {
    bad_input("--swizzle: " + std::to_string(bits) + " bits cannot move by " + std::to_string(shift) +
              ": choose a shift of at least as many");
  }
  if (bits + base + shift > 60)
    bad_input("--swizzle: an offset has no such bits: choose numbers with a sum of at most 60");
}

Exit run(int argc, char** argv) {
  LayoutProblem p;
  SwizzleNumbers numbers{p.swizzle.bits, p.swizzle.base, p.swizzle.shift};
  CommandLine line("01_layouts", "shape:stride, modes inside modes, composition, complement, division, product");
  line.add("--rows", p.rows, "rows of the matrix").add("--cols", p.cols, "columns of the matrix");
  line.add("--tile", p.tile, "tile that divides it");
  line.add("--swizzle", numbers, "bits, base and shift of a swizzle; 0,0,0 for none").add_svg();
  if (!line.parse(argc, argv)) return Exit::right;
  if (line.common().list) {
    line.out() << "numbers alone, no kernel: the same for every target and type\n";
    return Exit::right;
  }
  p.swizzle = {numbers.bits, numbers.base, numbers.shift};
  refuse_bad_input(p);
  begin_run(line, false);
  std::vector<Figure> figures;
  for (Picture const& picture : pictures_of_problem(p)) {
    line.out() << picture.sentence << "\n";
    for (Grid const& grid : picture.grids) line.out() << to_text(grid) << "\n";
    figures.push_back({picture.name, to_svg(picture.grids)});
  }
  for (Picture const& picture : pictures_of_page()) figures.push_back({picture.name, to_svg(picture.grids)});
  write_figures(line, figures);
  Record record;
  record.problem = std::to_string(p.rows) + " x " + std::to_string(p.cols) + ", tile " + to_string(p.tile);
  record.parameters = {{"rows", p.rows}, {"cols", p.cols}, {"tile", to_string(p.tile)}};
  record.checks = checks(p);
  return finish_run(line, record);
}

}  // namespace

int main(int argc, char** argv) { return tilestep::run_main(argc, argv, run); }
