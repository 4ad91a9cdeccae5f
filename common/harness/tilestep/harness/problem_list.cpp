#include "problem_list.hpp"

#include <tilestep/backend/error.hpp>  // bad_input

#include "list_file.hpp"

#include <fmt/format.h>

namespace tilestep {

namespace {

constexpr std::size_t most_problems = 1 << 16;

std::vector<std::string> cells_of(std::string const& line) {
  std::vector<std::string> cells(1);
  for (char const each : line) {
    if (each == ',') cells.emplace_back();
    else if (each != ' ' && each != '\r') cells.back() += each;
  }
  return cells;
}

GemmSetup setup_of(std::string const& option, CommandLine const& line, GemmChapter const& chapter,
                   std::vector<std::string> const& words) {
  CommandLine own(chapter.name, chapter.adds);
  GemmOptions options(own, chapter);
  std::string const seed = std::to_string(line.common().seed);
  std::vector<char const*> argv{chapter.name.c_str(), "--seed", seed.c_str()};
  for (std::string const& word : words) argv.push_back(word.c_str());
  if (!own.parse(static_cast<int>(argv.size()), argv.data()))
    bad_input(option + ": help is no column of a list of problems");
  return set_up(own, options, chapter);
}

}  // namespace

std::vector<ListedProblem> problem_list(std::string const& option, std::string const& path, CommandLine const& line,
                                        GemmChapter const& chapter) {
  ListFile file(option, path);
  std::vector<std::string> columns;
  std::vector<ListedProblem> problems;
  for (std::string text; file.next(text);) {
    if (text.empty() || text[0] == '#') continue;
    std::vector<std::string> const cells = cells_of(text);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    if (cells.size() != columns.size())
      bad_input(
          fmt::format("{} {}: '{}' has {} columns, its heading {}", option, path, text, cells.size(), columns.size()));
    if (problems.size() == most_problems)
      bad_input(fmt::format("{} {}: has more than {} problems", option, path, most_problems));
    std::vector<std::string> words;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].empty()) words.insert(words.end(), {"--" + columns[i], cells[i]});
    }
    problems.push_back({words, setup_of(option, line, chapter, words)});
  }
  if (problems.empty())
    bad_input(fmt::format("{} {}: has no problem: wants a heading such as dtype,layout,m,n,k and one line each", option,
                          path));
  return problems;
}

}  // namespace tilestep
