#pragma once
// How a problem is computed: which way round, on which tile, in which order, in how many slices of K. A table of measurements says so where the
// target has one, else a rule.

#include "families.hpp"  // Choice, Job

#include <tilestep/harness/gemm_options.hpp>   // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for, ScheduleOptions

#include <string>  // a sentence

namespace tilestep {

/// A problem on its way to the device.
struct Plan {
  Job job;
  Choice choice;
};

/// What a reader or a table asks for: a tile by its name, slices of K, rows of tiles in a group. "auto" and zeros: what suits the problem.
struct Wishes {
  std::string tile = "auto";
  ScheduleOptions schedule = {};
};

/// @par Errors  not_here: no kernel for the types on the target; bad_input: wishes that do not fit
Plan plan_for(GemmCall const& call, Wishes const& wishes);
/// The same with the wishes of the command line.
Plan plan_for(GemmCall const& call);
void run(Plan const& plan);

/// The plan in words: tiles, order, slices, copies.
std::string describe(Plan const& plan);

/// --tile, --group, --split-k, and what --tune measures.
GemmOwnOptions own_options();

}  // namespace tilestep
