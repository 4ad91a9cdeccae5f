#pragma once
// From a command line and the headers of the files it names to a GEMM that can run: sizes, types, strides. All
// contradictions are found here, before any memory is taken.

#include <tilestep/harness/command_line.hpp>  // CommandLine
#include <tilestep/harness/gemm_chapter.hpp>  // GemmChapter
#include <tilestep/harness/gemm_check.hpp>    // GemmProblem
#include <tilestep/harness/npy.hpp>           // NpyBits
#include <tilestep/harness/record.hpp>        // Record::Value

#include <cstdint>  // std::int64_t
#include <string>   // files
#include <utility>  // std::pair
#include <vector>   // parameters

namespace tilestep {

/// The options of a GEMM as typed. Bound to a command line, so it stays where it is.
struct GemmOptions {
  GemmOptions(CommandLine& line, GemmChapter const& chapter);
  GemmOptions(GemmOptions const&) = delete;
  GemmOptions& operator=(GemmOptions const&) = delete;

  std::int64_t m, n, k;
  std::int64_t batch = 1;
  std::int64_t lda = 0, ldb = 0, ldc = 0;
  std::string dtype, acc, out_dtype;
  std::string layout, kernel;
  double alpha = 1, beta = 0;
  std::string a, b, c, out;
  std::string bias, activation = "none", residual;  // of chapters that have epilogues
  std::int64_t ldr = 0;
  std::int64_t units = 0;  // of chapters that have schedules
  bool bf16_npy = false;
  bool bench = false;
  std::string problems;  ///< a list of problems to measure
};

/// A GEMM that makes sense.
struct GemmSetup {
  GemmProblem problem;
  GemmTypes types;
  std::string kernel;
  std::string layout;
  std::int64_t lda = 0, ldb = 0, ldc = 0;
  MatrixPlace place_a;                           ///< (m,k)
  MatrixPlace place_b;                           ///< (n,k)
  MatrixPlace place_c;                           ///< (m,n)
  MatrixPlace place_bias;                        ///< (1,n), if the problem has one
  MatrixPlace place_residual;                    ///< (m,n), if the problem has one
  std::int64_t ldr = 0;
  int units = 0;                                 ///< compute units to plan for; 0: the machine's
  bool batched = false;                          ///< the result has three dimensions, even if there is one matrix
  std::string file_a, file_b, file_c, file_out;  ///< empty: not given
  std::string file_bias, file_residual;          ///< empty: not given, or generated
  NpyBits operand_bits;                          ///< what unsigned integers in files of A and B stand for
  NpyBits bits;                                  ///< in the other files
  std::uint64_t seed = 1;
  std::vector<std::pair<std::string, Record::Value>> own_parameters;  ///< of the chapter's own options
};

/// @par Errors  bad_input: sizes, files, types or leading dimensions that contradict each other, or that the chapter
/// lacks.
GemmSetup set_up(CommandLine const& line, GemmOptions const& options, GemmChapter const& chapter);

/// @par Errors  not_here: the chapter's kernels for these types do not exist on the chosen target.
void refuse_target(GemmSetup const& setup, GemmChapter const& chapter);

/// Prints target x types x layouts.
void print_support(CommandLine const& line, GemmChapter const& chapter);

/// "f16 -> f32", or one name when all types are the same.
std::string types_text(GemmProblem const& problem);

}  // namespace tilestep
