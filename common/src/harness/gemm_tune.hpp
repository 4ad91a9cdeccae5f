#pragma once
// --tune: which of a chapter's ways to compute a problem is the fastest, problem by problem, all in one process.
// Results are not compared with a reference here: tests do that with every way, and --bench does with what is chosen.
// The record is one object, written anew after each problem:
//   schema 1, kind "tune"; chapter, backend, target, device, driver, toolkit, units, commit, command, seed, before,
//   after as in a record of --bench
//   keep                 a candidate whose first time is longer than this times the shortest has no other
//   problems             a list of {problem, parameters, operations, operand_sets, best, candidates}, or {problem,
//   parameters, refused}
//     candidates         a list of {name, repeats, seconds}: of one run, turn by turn; or of {name, refused}
//     best               the name of the candidate with the smallest median

#include <tilestep/backend/error.hpp>         // Exit
#include <tilestep/harness/gemm_options.hpp>  // GemmOwnOptions
#include <tilestep/harness/timing.hpp>        // RaceOptions

#include "problem_list.hpp"  // ListedProblem

#include <string>  // words
#include <vector>  // the command

namespace tilestep {

/// @par Errors  not_here on the virtual GPU
void refuse_tuning();

/// Measures. The device is there.
/// @param command  the program's arguments as they were typed
Exit tune_gemm(CommandLine const& line, GemmChapter const& chapter, GemmOwnOptions const& own,
               std::vector<ListedProblem> const& list, std::vector<std::string> const& command,
               RaceOptions const& options = {});

}  // namespace tilestep
