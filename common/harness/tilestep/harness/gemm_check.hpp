#pragma once
// Is C right? A float64 reference, compared exactly where the arithmetic is exact, and otherwise against a bound
// derived from K and the types; f64 itself has a wider reference. A problem too large to recompute is sampled and,
// where the numbers are whole, checked as a whole by Freivalds' method.

#include <tilestep/block/activation.hpp>     // Activation
#include <tilestep/harness/host_matrix.hpp>  // HostMatrix

#include <cstdint>   // std::int64_t
#include <optional>  // the first failure, if any
#include <string>    // the method in words

namespace tilestep {

/// C = act(alpha A B^T + beta C + bias) + residual with A (m,k), B (n,k), C and residual (m,n), `batch` times, and bias
/// (n).
struct GemmProblem {
  DType dtype = DType::f32;  ///< of A and B
  DType acc = DType::f32;    ///< of the accumulator
  DType out = DType::f32;    ///< of C
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  double alpha = 1;         ///< a number of type acc
  double beta = 0;          ///< a number of type acc
  bool truncating = false;  ///< a matrix instruction that truncates its sums: twice the roundoff
  Activation activation = Activation::none;
  bool bias = false;      ///< one number of type f32 or i32 for each n
  bool residual = false;  ///< one number of type out for each (m,n)
  /// What sums over parts of K are scaled and rounded to before they are added, and the sum of some of them, too; none
  /// where K is not in parts, or they stay as they are.
  std::optional<DType> parts = {};
};

/// One element that is not what it should be.
struct Mismatch {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t batch = 0;
  double got = 0;
  double want = 0;
  double bound = 0;
  int digits = 9;  ///< that tell neighbours of C's type apart
};

struct CheckResult {
  bool right = true;
  std::string method;         ///< such as "every element, bound"
  std::int64_t compared = 0;  ///< elements compared with the reference
  double max_error = 0;       ///< error of the element that comes nearest to its bound, or exceeds it most
  double bound = 0;           ///< that element's bound; 0 in exact comparisons
  std::int64_t wrong = 0;     ///< elements that are wrong, among those compared
  std::optional<Mismatch> first;
};

std::string to_string(Mismatch const& mismatch);

/// @return the bound's factor of sum|a||b|: (1 + u)^K - 1, which is at most gamma_K(u) = K u / (1 - K u) and exists for
/// every K.
/// @par Errors  bad_input when f16 accumulates so many products that the bound says nothing.
double accumulation_gamma(GemmProblem const& problem);

/// What the reference takes for the activation, in float64.
double activated(Activation activation, double x);

/// How far activate(activation, x) of a kernel may be from activated(activation, x). @param computed  f32 or f64
double activation_error(Activation activation, double x, DType computed = DType::f32);

/// The largest whole numbers for A, B and C, and for bias and residual, such that every sum stays exact.
struct IntegerRange {
  std::int64_t a = 1;
  std::int64_t b = 1;
  std::int64_t c = 1;
  std::int64_t added = 1;
  double density = 1;  ///< share of A's elements that may differ from 0
};
IntegerRange exact_range(GemmProblem const& problem);

/// Compares `c` with the reference.
/// @param a       (m,k)
/// @param b       (n,k)
/// @param before  C as it was; not read when beta is 0
/// @param exact   compare with ==, after rounding to C's type; where GELU follows, the sums have no error and it has
///     its own
/// @param seed    chooses the samples of a problem too large to recompute
/// @param bias    (1,n); not read without problem.bias   @param residual (m,n); not read without problem.residual
CheckResult check_gemm(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, HostMatrix const& before,
                       HostMatrix const& c, bool exact, std::uint64_t seed, HostMatrix const* bias = nullptr,
                       HostMatrix const* residual = nullptr);

}  // namespace tilestep
