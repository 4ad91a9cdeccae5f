#pragma once
// Plans of the chapters that give tiles an order: a kernel and a schedule for a problem, what --plan prints of them,
// and the options that change the order. The model behind --plan counts what each order reads from memory.

#include <tilestep/harness/gemm_choices.hpp>   // GemmChoice
#include <tilestep/harness/gemm_options.hpp>   // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // ScheduleOptions, TileSchedule

#include <functional>  // how a chapter plans
#include <string>      // sentences

namespace tilestep {

/// A problem on its way to the device.
struct TilePlan {
  GemmCall call;  ///< maybe C^T = B A^T instead
  GemmChoice choice;
  TileSchedule schedule;
};

/// The plan in words: tiles, order, slices, blocks.
std::string describe(TilePlan const& plan);

/// What --plan prints: the plan, its waves, and the megabytes of A and B that its order and others read from memory.
std::string report(TilePlan const& plan);

/// --order, --group and --plan. The record shows, as the command line has them, the options that were given.
/// @param options  what --order and --group set; a chapter may have options for the rest of it. It outlives the result.
/// @param plan_for  how the chapter plans a problem
/// @param others  options of the chapter's own that were given, such as "--tile small": the record shows them first
/// @par Errors  bad_input: --group without groups, or a number of rows that is none
GemmOwnOptions order_options(ScheduleOptions& options, std::function<TilePlan(GemmCall const&)> plan_for,
                             std::function<std::string()> others = {});

}  // namespace tilestep
