#pragma once
// One run of a GEMM on one set of inputs: operands on the host, their twins on the device, the launch, the comparison
// with the reference. Checking and measuring both start from it.

#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall
#include <tilestep/harness/record.hpp>        // Check, Record

#include "gemm_setup.hpp"  // GemmSetup

#include <cstdint>     // std::int64_t
#include <functional>  // a launch
#include <optional>    // what only some problems have
#include <string>      // names

namespace tilestep {

/// A, B and C on the host, before the run; and what the epilogue adds.
struct Operands {
  HostMatrix a;
  HostMatrix b;
  HostMatrix c;
  std::optional<HostMatrix> bias = {};
  std::optional<HostMatrix> residual = {};
};

/// One run of the kernel on one set of inputs, and what came of it.
struct Outcome {
  HostMatrix c;
  Check check;
};

Operands empty_operands(GemmSetup const& setup, std::int64_t guard);
Operands operands_from_files(GemmSetup const& setup, std::int64_t guard);
/// Small whole numbers of which every sum is exact.
Operands whole_operands(GemmSetup const& setup, GemmProblem const& problem, std::int64_t guard);
Operands normal_operands(GemmSetup const& setup, GemmProblem const& problem, std::int64_t guard);

/// The call without its pointers.
GemmCall call_for(GemmSetup const& setup, GemmProblem const& problem);

/// Launches, waits, compares.
/// @param name   of the inputs, for the record
/// @param exact  compare with ==
/// @param may_write_gaps  what lies between the rows of C is nobody's
Outcome run_once(std::function<void(GemmCall const&)> const& launch, GemmSetup const& setup, GemmProblem const& problem,
                 std::string const& name, bool exact, Operands const& operands, bool may_write_gaps = false);

/// The problem in words, and its parameters.
void describe(GemmSetup const& setup, Record& record);

}  // namespace tilestep
