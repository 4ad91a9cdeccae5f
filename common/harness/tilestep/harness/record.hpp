#pragma once
// What a run leaves behind: a summary for a person, a JSON record for a program, an exit code for a script. All three
// are made from one Record, so they cannot disagree.
//
// The JSON record is one object:
//   schema      1
//   chapter     "04_fma_gemm"           backend   "host", "cuda" or "hip"
//   target      "sm80"                  device    the device's name, or the virtual GPU's; both "none" without kernels
//   commit      the source's commit when it was compiled, "unknown" outside of a git checkout
//   problem     one line in words       parameters  an object: m, n, k, dtype, layout, ...
//   notes       a list of sentences: how the target computes the problem, where that is not what one would expect
//   seed, schedule                      as on the command line
//   check       were hazards looked for? Never on a GPU
//   checks      a list of {name, method, compared, wrong, max_error, bound, verdict, first_failure}
//   max_error, bound   of the check that comes nearest to its bound or exceeds it most; both 0 when all was exact
//   hazards     how many were found     hazard_list   a list of {kind, message, kernel}
//   kernels     a list of {kernel, target, blocks, threads, shared_bytes, seconds, counters, matrix_instructions,
//   assumed_rules}; the
//               virtual GPU counts, matrix instructions by name; assumed_rules: wavefronts were counted by rules
//               without a source
//   verdict     "right", "wrong" or "hazard"          exit_code   0, 1 or 4
// A number that is not finite is written as null. A run that ends with exit code 2 or 3 leaves no record.

#include <tilestep/backend/error.hpp>         // Exit
#include <tilestep/backend/report.hpp>        // KernelReport
#include <tilestep/harness/command_line.hpp>  // CommandLine
#include <tilestep/harness/figure.hpp>        // Figure

#include <cstdint>  // std::int64_t
#include <string>   // words
#include <utility>  // std::pair
#include <variant>  // parameter values
#include <vector>   // lists

namespace tilestep {

/// One comparison with a reference.
struct Check {
  std::string name;    ///< of the input, such as "random"
  std::string method;  ///< such as "every element, bound"
  bool right = true;
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  double max_error = 0;
  double bound = 0;
  std::string first_failure = {};
};

struct Record {
  using Value = std::variant<std::int64_t, double, std::string, bool>;

  std::string target = {};  ///< empty for a chapter that launches nothing
  std::string device = {};  ///< empty for a chapter that launches nothing
  std::string problem = {};
  std::vector<std::pair<std::string, Value>> parameters = {};
  std::vector<std::string> notes = {};
  std::vector<Check> checks = {};
  std::vector<KernelReport> kernels = {};  ///< one for each launch
};

/// What has to be right before anything runs: the target is known, the schedule is set, the record and the figures can
/// be written (their folder is made), and there is a device if the chapter launches a kernel.
/// @param plays  what the virtual GPU plays where the command names no target; empty: its own
void begin_run(CommandLine const& line, bool launches = true, std::string const& plays = {});

/// Prints the summary, reports hazards on stderr, writes the record.
Exit finish_run(CommandLine const& line, Record const& record);

/// Writes the figures into the folder that --svg names, if it was given.
void write_figures(CommandLine const& line, std::vector<Figure> const& figures);

/// What every record says of the build.
std::string backend_of_build();
/// The commit of the source, with "+" when files had changed; "unknown" outside of a git checkout.
std::string commit_of_build();

/// Is a CPU the device?
bool on_virtual_gpu();

/// Makes sure that a run fits, before it starts.
/// @par Errors  bad_input that says how much is needed and how much there is.
void require_memory(std::int64_t host_bytes, std::int64_t device_bytes);

}  // namespace tilestep
