#pragma once
// --bench: how fast a chapter's kernel is on a real device, in turns with the vendor's library and with what the device
// can do at most. The record is one object:
//   schema 1, kind "bench"; chapter, backend, target, device, commit, problem, parameters, notes, seed as in every
//   record
//   command              as it was typed
//   driver, toolkit      versions             units   SMs or CUs
//   check                of the kernel's result on the inputs that are timed: {method, verdict, max_error, bound}
//   kernels              names of what one product launches
//   operations           of one product: a multiply-add is two
//   operand_sets         copies of A, B and C that the runs use in rotation, so that L2 does not hold the next ones
//   vendor               {name, mode, check, modes: {mode: seconds or what the library said}} or {missing: sentence}
//   repacked             {mode, check, modes} of the same library where rows of A, B or C are not multiples of 16 bytes
//   or do not start at such: on
//                        copies of operands whose rows are, with zeros. Its time has the copies in it; its C stays in a
//                        buffer with such rows
//   turns, repeats       how often each took its turn, and how many runs one turn of each has
//   seconds              {kernel: [...], vendor: [...], repacked: [...]}: of one run, turn by turn; the same place in
//   both is a pair
//   ratio                {median, min, max} of the pairs' vendor seconds / kernel seconds; not there without a library
//   ratio_repacked       the same of repacked seconds
//   ceilings             a list of {name, unit, amount, seconds, per_second}: loops on registers (operations), a copy
//   (bytes)
//   before, after        {clock_mhz, memory_clock_mhz, power_watts, celsius}; null where the driver does not tell
//   verdict, exit_code

#include <tilestep/backend/error.hpp>    // Exit
#include <tilestep/backend/measure.hpp>  // DeviceFacts, DeviceState
#include <tilestep/harness/timing.hpp>   // Turns

#include "gemm_run.hpp"      // GemmSetup, Check, Record
#include "problem_list.hpp"  // ListedProblem

#include <optional>  // a side that is not there
#include <string>    // names
#include <utility>   // std::pair
#include <vector>    // lists

namespace tilestep {

/// One thing that the device can do at most so often.
struct Ceiling {
  std::string unit;   ///< "operations" or "bytes"
  double amount = 0;  ///< of one run
  Turns turns;
  [[nodiscard]] double per_second() const { return amount / spread_of(turns.seconds).median; }
};

/// What the vendor's library did with a problem.
struct VendorTimes {
  std::string mode;                                            ///< its fastest
  std::vector<std::pair<std::string, double>> modes;           ///< seconds of each
  std::vector<std::pair<std::string, std::string>> refusals;  ///< modes that the library refused, and what it said
  Check check;
  Turns turns;
};

struct BenchRecord {
  std::string chapter;
  std::string command;
  std::uint64_t seed = 1;
  Record described;  ///< target, device, problem, parameters, notes
  DeviceFacts facts;
  DeviceState before, after;
  Check check;
  std::vector<std::string> kernels;
  double operations = 0;
  std::int64_t operand_sets = 1;
  Turns kernel;
  std::string vendor_name, vendor_missing;
  std::optional<VendorTimes> vendor, repacked;
  std::vector<Ceiling> ceilings;
};

std::string bench_json(BenchRecord const& record);

/// A heading and a line.
std::string bench_table(BenchRecord const& record);

/// Measures each problem of a list, one after the other. The record is {"runs": [...]}, written anew after each; a
/// wrong result is in none.
/// @param own  parameters of the chapter's own options, the same for all
/// @return the exit code of the first problem that was not right
Exit bench_list(CommandLine const& line, GemmChapter const& chapter, std::vector<ListedProblem> list,
                std::vector<std::string> const& command,
                std::vector<std::pair<std::string, Record::Value>> const& own = {}, TurnOptions options = {});

/// @par Errors  not_here on the virtual GPU; bad_input when files were named as well
void refuse_bench(GemmOptions const& options);

/// Measures. The device is there and has the kernels.
/// @param command  the program's arguments as they were typed
/// @par Errors  bad_input: a problem without any operation
Exit bench_gemm(CommandLine const& line, GemmChapter const& chapter, GemmSetup const& setup,
                std::vector<std::string> const& command, TurnOptions const& options = {});

}  // namespace tilestep
