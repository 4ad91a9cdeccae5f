#pragma once
// Options that one chapter has beside those of every GEMM.

#include <tilestep/backend/error.hpp>         // Exit
#include <tilestep/harness/command_line.hpp>  // CommandLine
#include <tilestep/harness/gemm_chapter.hpp>  // GemmChapter
#include <tilestep/harness/record.hpp>        // Record::Value

#include <functional>  // what a chapter says
#include <optional>    // a type, where there is one
#include <string>      // names
#include <utility>     // std::pair
#include <vector>      // of parameters

namespace tilestep {

/// One of several ways to compute a problem.
struct GemmCandidate {
  std::string name;  ///< as a table of choices has it, such as "large split_k=2 group=8"
  std::function<void(GemmCall const&)> launch;
};

struct GemmOwnOptions {
  std::function<void(CommandLine&)> declare = {};  ///< adds them to the command line, with their defaults
  /// what the record shows of them
  std::function<std::vector<std::pair<std::string, Record::Value>>()> parameters = {};
  /// GemmProblem::parts. The pointers of the call are null.
  std::function<std::optional<DType>(GemmCall const&)> parts = {};
  /// Prints something about a problem instead of computing it. @return whether it did; the pointers of the call are
  /// null
  std::function<bool(CommandLine const&, GemmCall const&)> instead = {};
  /// Measures where --bench asks for it, in place of the harness; the pointers of the call are null. It refuses the
  /// virtual GPU itself.
  std::function<Exit(CommandLine const&, GemmCall const&)> bench = {};
  /// What --tune measures of a problem; the pointers of the call are null. Adds --tune.
  std::function<std::vector<GemmCandidate>(GemmCall const&)> candidates = {};
  /// What the chapter expects of what it would run, in the unit of its model: the record of --tune has it.
  std::function<double(GemmCall const&)> cost = {};
};

/// The whole program, with options of the chapter's own.
int gemm_main(int argc, char** argv, GemmChapter const& chapter, GemmOwnOptions const& own);

}  // namespace tilestep
