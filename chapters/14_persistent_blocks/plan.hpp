#pragma once
// How a problem is computed: which way round, on which tile, in which order, in how many slices of K.

#include <tilestep/harness/gemm_choices.hpp>   // GemmChoice
#include <tilestep/harness/gemm_options.hpp>   // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for, traffic_of

#include <string>  // a sentence

namespace tilestep {

/// A problem on its way to the device.
struct Plan {
  GemmCall call;  ///< maybe C^T = B A^T instead
  GemmChoice choice;
  TileSchedule schedule;
};

/// @par Errors  not_here: no kernel for the types on the target; bad_input: options that do not fit
Plan plan_for(GemmCall const& call);
void run(Plan const& plan);

/// The plan in words: tiles, order, slices, waves.
std::string describe(Plan const& plan);

/// --tile, --order, --group, --split-k, --persistent, --plan.
GemmOwnOptions own_options();

}  // namespace tilestep
