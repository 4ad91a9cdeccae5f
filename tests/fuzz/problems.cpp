// Lists of problems, the .csv files of --problems and --tune.

#include <tilestep/harness/problem_list.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static tilestep::GemmChapter const chapter = (fuzz::silence(), fuzz::chapter());
  static tilestep::CommandLine const line(chapter.name, chapter.adds);
  fuzz::File const file(data, size);
  fuzz::refused_or_taken([&] {
    if (tilestep::problem_list("--problems", file.path(), line, chapter).empty()) std::abort();
  });
  return 0;
}
