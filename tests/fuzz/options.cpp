// Command lines, one argument on each line: what every chapter takes, a GEMM, and the copies' extents and swizzles.

#include <tilestep/backend/machine.hpp>       // machine_named
#include <tilestep/harness/gemm_options.hpp>  // GemmOwnOptions
#include <tilestep/harness/gemm_setup.hpp>    // GemmOptions, set_up

#include "fuzz.hpp"

#include <sstream>  // arguments
#include <vector>   // arguments

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static tilestep::GemmChapter const chapter = (fuzz::silence(), fuzz::chapter());
  std::vector<std::string> words{chapter.name};
  std::istringstream text(std::string(reinterpret_cast<char const*>(data), size));
  for (std::string word; std::getline(text, word) && words.size() < 40;) words.push_back(word);
  std::vector<char const*> arguments;
  for (std::string const& word : words) arguments.push_back(word.c_str());
  int const count = static_cast<int>(arguments.size());

  fuzz::refused_or_taken([&] {
    tilestep::CommandLine line(chapter.name, chapter.adds);
    tilestep::GemmOptions options(line, chapter);
    if (!line.parse(count, arguments.data())) return;
    if (!line.common().machine.empty()) (void)tilestep::machine_named(line.common().machine);
    tilestep::GemmSetup const setup = tilestep::set_up(line, options, chapter);
    tilestep::GemmProblem const& problem = setup.problem;
    if (problem.m < 0 || problem.n < 0 || problem.k < 0 || problem.batch < 0) std::abort();
    for (tilestep::MatrixPlace const& place : {setup.place_a, setup.place_b, setup.place_c}) {
      if (place.span_bytes() < 0) std::abort();
    }
  });
  fuzz::refused_or_taken([&] {
    tilestep::CommandLine line("01_fuzzed", "nothing");
    tilestep::Extent2 tile{4, 8};
    tilestep::SwizzleNumbers swizzle;
    line.add("--tile", tile, "a tile").add("--swizzle", swizzle, "a swizzle");
    if (!line.parse(count, arguments.data())) return;
    if (tile.rows < 0 || tile.cols < 0 || swizzle.bits > 31 || swizzle.base > 31 || swizzle.shift > 31) std::abort();
  });
  return 0;
}
