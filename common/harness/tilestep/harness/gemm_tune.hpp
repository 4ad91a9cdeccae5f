#pragma once
// --tune: which of a chapter's ways to compute a problem is the fastest, problem by problem, all in one process.
// Results are not compared with a reference here: tests do that with every way, and --bench does with what is chosen.
// The record is one object, written anew after each problem:
//   schema 1, kind "tune"; chapter, backend, target, device, driver, toolkit, units, commit, command, seed, before,
//   after as in a record of --bench
//   keep                 a candidate whose first time is longer than this times the shortest has no other
//   problems             a list of {problem, parameters, operations, operand_sets, best, candidates, planned,
//   library}, or {problem, parameters, refused}
//     candidates         a list of {name, repeats, seconds}: of one run, turn by turn; or of {name, refused}
//     best               the name of the candidate with the smallest median
//     planned            {plan, cost, repeats, seconds} of what the chapter runs by itself, in turns with the rest
//     library            {name, modes: a list of {name, repeats, seconds}} of the vendor's, in turns with them; a mode
//                        whose name ends in "repacked" makes copies with aligned rows first

#include <tilestep/backend/error.hpp>         // Exit
#include <tilestep/harness/gemm_options.hpp>  // GemmOwnOptions
#include <tilestep/harness/timing.hpp>        // RaceOptions

#include "problem_list.hpp"  // ListedProblem

#include <string>  // words
#include <vector>  // the command

namespace tilestep {

/// @par Errors  not_here on the virtual GPU
void refuse_tuning();

/// What takes turns with what a chapter runs by itself.
enum class Against { all, library, nothing };
/// By the name that --against takes.
Against against_named(std::string const& name);

/// Measures. The device is there.
/// @param command  the program's arguments as they were typed
Exit tune_gemm(CommandLine const& line, GemmChapter const& chapter, GemmOwnOptions const& own,
               std::vector<ListedProblem> const& list, std::vector<std::string> const& command,
               Against against = Against::all, RaceOptions const& options = {});

}  // namespace tilestep
