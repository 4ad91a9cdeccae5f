#pragma once
// Many problems in one process: a .csv file whose heading names options of the program without dashes, such as
// dtype,layout,m,n,k, and whose lines are the problems. An empty cell leaves an option out; a line that begins with #
// says something to people.

#include "gemm_setup.hpp"  // GemmSetup

#include <string>  // words
#include <vector>  // lists

namespace tilestep {

/// A problem of a list.
struct ListedProblem {
  std::vector<std::string> words;  ///< options of the program
  GemmSetup setup;
};

/// Reads a file, or with - standard input.
/// @param option  that named it, for messages
/// @par Errors  bad_input: a file that is none, or a problem that the chapter does not have
std::vector<ListedProblem> problem_list(std::string const& option, std::string const& path, CommandLine const& line,
                                        GemmChapter const& chapter);

}  // namespace tilestep
