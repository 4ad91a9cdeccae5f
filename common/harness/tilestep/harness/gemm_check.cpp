#include <tilestep/harness/gemm_check.hpp>

#include <tilestep/backend/error.hpp>              // bad_input
#include <tilestep/backend/matrix_arithmetic.hpp>  // flushes_subnormals
#include <tilestep/backend/runtime.hpp>            // target, Vendor

#include "parallel.hpp"

#include <fmt/format.h>

#include <algorithm>  // std::min
#include <atomic>     // the first wrong row
#include <cmath>      // std::abs, std::isfinite
#include <limits>     // std::numeric_limits
#include <mutex>      // tasks merge their verdicts
#include <numbers>    // pi
#include <random>     // samples
#include <tuple>      // order of mismatches
#include <vector>     // tiles

namespace tilestep {

namespace {

// The type in which elements are judged, and in which the sums of f64 are taken: 64 bits of significand on x86, 113
// on 64-bit ARM. A float64 reference of f64 would have errors as large as those that it is to find. Here each product
// and each sum of the reference is off by 2^-64 of itself, so a sum of K by less than (K + 1) 2^-64 sum|a||b|: 2^-11 of
// what the bound allows the kernel. Its exponents reach beyond those of any product of two f64, so nothing overflows.
using Wide = long double;
static_assert(std::numeric_limits<Wide>::digits >= 64 && std::numeric_limits<Wide>::max_exponent > 2 * 1024,
              "the reference of f64 needs a long double wider than double: build for x86 or 64-bit ARM under Linux");

bool is_wide(GemmProblem const& problem) { return problem.acc == DType::f64; }

// Up to this many multiply-adds every element is recomputed: about a second on two cores.
double recompute_limit(GemmProblem const& problem) { return is_wide(problem) ? 0x1p29 : 0x1p31; }
// Of larger problems this many multiply-adds are recomputed, spread over samples.
constexpr double sample_budget = 0x1p25;

// A reference tile: big enough to reuse what is decoded, small enough for the cache.
constexpr std::int64_t tile_m = 128, tile_n = 64, tile_k = 128;

/// sum a b and sum |a b| of one element, taken in float64, or Wide where the accumulator is f64.
struct Sums {
  Wide product = 0;
  Wide magnitude = 0;
  /// sum |a b| of the terms with a subnormal operand, as large as the target takes its operands to be: size_seen()
  Wide subnormal = 0;
};

/// What flushes_subnormals() asks of an instruction.
struct OfHalves {
  static constexpr DType a = DType::f16;
};
/// Does this target's matrix instruction take subnormal operands of 16 bits for zero, and subnormal sums?
bool flushes(GemmProblem const& problem) {
  return bytes_of(problem.dtype) == 2 && virtual_gpu::flushes_subnormals<OfHalves>(target().name);
}
/// Does this target's matrix instruction align a product by its operands' exponent fields? A subnormal operand has that
/// of the smallest normal number, and its product loses bits that its own size would keep. An H200 gives these bits
/// (tests/backend/any/results/nvidia-h200.json, "subnormals").
bool aligns_by_fields(GemmProblem const& problem) {
  return problem.truncating && problem.acc != DType::f64 && target().vendor == Vendor::nvidia;
}
/// What the bound allows for a term with a subnormal operand, as a share of its size_seen(): all of it, or of the up to
/// 16 products that are added at once and of their sum so far 2^-23 each.
double share_lost(GemmProblem const& problem) {
  if (flushes(problem)) return 1;
  return aligns_by_fields(problem) ? static_cast<double>(std::min<std::int64_t>(problem.k, 16) + 1) * 0x1p-23 : 0;
}
double smallest_normal(DType type) { return smallest_subnormal(type) / (2 * unit_roundoff(type)); }

void read_operand(GemmProblem const& problem, HostMatrix const& matrix, double* to, std::int64_t row, std::int64_t k0,
                  std::int64_t batch, std::int64_t count) {
  matrix.read_along_row(to, row, k0, batch, count);
  if (problem.dtype == DType::tf32) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = rounded(DType::tf32, to[i]);
  }
}

bool is_subnormal(GemmProblem const& problem, double operand) {
  return operand != 0 && std::abs(operand) < smallest_normal(problem.dtype);
}

/// |a b| of a term with a subnormal operand, each operand as large as the target takes it to be; 0 of other terms.
double size_seen(GemmProblem const& problem, bool by_fields, double a, double b) {
  if (a == 0 || b == 0 || !(is_subnormal(problem, a) || is_subnormal(problem, b))) return 0;
  double const least = by_fields ? smallest_normal(problem.dtype) : 0;
  return std::max(std::abs(a), least) * std::max(std::abs(b), least);
}

// The sums of a tile of C that starts at (m0, n0): entry (i, j) of `sums` at i * tile_n + j. Taken in Real.
template <class Real>
void reference_tile(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, std::int64_t batch,
                    std::int64_t m0, std::int64_t n0, std::vector<Real>& product, std::vector<Real>& magnitude) {
  std::int64_t const rows = std::min(tile_m, problem.m - m0), cols = std::min(tile_n, problem.n - n0);
  std::vector<double> line(tile_k), b_chunk(tile_k * tile_n);
  std::fill(product.begin(), product.end(), Real(0));
  std::fill(magnitude.begin(), magnitude.end(), Real(0));
  for (std::int64_t k0 = 0; k0 < problem.k; k0 += tile_k) {
    std::int64_t const depth = std::min(tile_k, problem.k - k0);
    for (std::int64_t j = 0; j < cols; ++j) {
      read_operand(problem, b, line.data(), n0 + j, k0, batch, depth);
      for (std::int64_t k = 0; k < depth; ++k)
        b_chunk[static_cast<std::size_t>(k * tile_n + j)] = line[static_cast<std::size_t>(k)];
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      read_operand(problem, a, line.data(), m0 + i, k0, batch, depth);
      constexpr int lanes = 8;  // kept in registers over k
      for (std::int64_t j0 = 0; j0 < cols; j0 += lanes) {
        Real* const to_product = &product[static_cast<std::size_t>(i * tile_n + j0)];
        Real* const to_magnitude = &magnitude[static_cast<std::size_t>(i * tile_n + j0)];
        Real sum[lanes], size[lanes];
        for (int j = 0; j < lanes; ++j) sum[j] = to_product[j], size[j] = to_magnitude[j];
        for (std::int64_t k = 0; k < depth; ++k) {
          Real const left = line[static_cast<std::size_t>(k)];
          double const* const right = &b_chunk[static_cast<std::size_t>(k * tile_n + j0)];
          for (int j = 0; j < lanes; ++j) {
            Real const term = left * right[j];
            sum[j] += term;
            size[j] += std::abs(term);
          }
        }
        for (int j = 0; j < lanes; ++j) to_product[j] = sum[j], to_magnitude[j] = size[j];
      }
    }
  }
}

// Sums::subnormal of a tile. The terms are few: an operand's rows are searched for them.
std::vector<double> subnormal_tile(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b,
                                   std::int64_t batch, std::int64_t m0, std::int64_t n0) {
  std::int64_t const rows = std::min(tile_m, problem.m - m0), cols = std::min(tile_n, problem.n - n0), K = problem.k;
  std::vector<double> sums(tile_m * tile_n), a_rows(static_cast<std::size_t>(rows * K)),
      b_rows(static_cast<std::size_t>(cols * K));
  for (std::int64_t i = 0; i < rows && K > 0; ++i)
    read_operand(problem, a, &a_rows[static_cast<std::size_t>(i * K)], m0 + i, 0, batch, K);
  for (std::int64_t j = 0; j < cols && K > 0; ++j)
    read_operand(problem, b, &b_rows[static_cast<std::size_t>(j * K)], n0 + j, 0, batch, K);
  bool const by_fields = aligns_by_fields(problem);
  auto const add = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    sums[static_cast<std::size_t>(i * tile_n + j)] +=
        size_seen(problem, by_fields, a_rows[static_cast<std::size_t>(i * K + k)],
                  b_rows[static_cast<std::size_t>(j * K + k)]);
  };
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t k = 0; k < K; ++k) {
      if (!is_subnormal(problem, a_rows[static_cast<std::size_t>(i * K + k)])) continue;
      for (std::int64_t j = 0; j < cols; ++j) add(i, j, k);
    }
  }
  for (std::int64_t j = 0; j < cols; ++j) {
    for (std::int64_t k = 0; k < K; ++k) {
      if (!is_subnormal(problem, b_rows[static_cast<std::size_t>(j * K + k)])) continue;
      for (std::int64_t i = 0; i < rows; ++i) add(i, j, k);
    }
  }
  return sums;
}

template <class Real>
Sums reference_element_in(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, std::int64_t m,
                          std::int64_t n, std::int64_t batch) {
  constexpr std::int64_t chunk = 512;
  double left[chunk], right[chunk];
  Real product = 0, magnitude = 0, subnormal = 0;
  bool const by_fields = aligns_by_fields(problem), loses = share_lost(problem) > 0;
  for (std::int64_t k0 = 0; k0 < problem.k; k0 += chunk) {
    std::int64_t const depth = std::min(chunk, problem.k - k0);
    read_operand(problem, a, left, m, k0, batch, depth);
    read_operand(problem, b, right, n, k0, batch, depth);
    for (std::int64_t k = 0; k < depth; ++k) {
      Real const term = Real(left[k]) * right[k];
      product += term;
      magnitude += std::abs(term);
      if (loses) subnormal += size_seen(problem, by_fields, left[k], right[k]);
    }
  }
  return {product, magnitude, subnormal};
}
Sums reference_element(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, std::int64_t m,
                       std::int64_t n, std::int64_t batch) {
  return is_wide(problem) ? reference_element_in<Wide>(problem, a, b, m, n, batch)
                          : reference_element_in<double>(problem, a, b, m, n, batch);
}

/// What an element has beside its sum: C as it was, its bias, its residual; 0 where there is none.
struct Added {
  double before = 0;
  double bias = 0;
  double residual = 0;
};

/// Where these numbers are.
struct AddedMatrices {
  GemmProblem const& problem;
  HostMatrix const& before;
  HostMatrix const* bias;
  HostMatrix const* residual;
  [[nodiscard]] Added of(std::int64_t m, std::int64_t n, std::int64_t batch) const {
    return {problem.beta == 0 ? 0 : before.get(m, n, batch), problem.bias ? bias->get(0, n, 0) : 0,
            problem.residual ? residual->get(m, n, batch) : 0};
  }
};

// Batches first, then rows.
std::tuple<std::int64_t, std::int64_t, std::int64_t> place(Mismatch const& mismatch) {
  return {mismatch.batch, mismatch.m, mismatch.n};
}

/// GELU from its definition: (1 + tanh(y)) / 2 = 1 / (1 + exp(-2 y)).
Wide gelu_in_wide(Wide x) {
  Wide const y = std::sqrt(2 / std::numbers::pi_v<Wide>) * (x + 0.044715L * x * x * x);
  return x / (1 + std::exp(-2 * y));
}

/// The activation of a sum, which f64 does not round to float64.
Wide activated_sum(GemmProblem const& problem, Wide x) {
  if (problem.activation == Activation::none) return x;
  if (problem.activation == Activation::relu) return std::max(x, Wide(0));
  return is_wide(problem) ? gelu_in_wide(x) : Wide(activated(problem.activation, double(x)));
}

// Judges elements and keeps the worst and the first wrong one.
class Judge {
 public:
  Judge(GemmProblem const& problem, bool exact)
      : problem_(problem), exact_(exact), gamma_(exact ? 0 : accumulation_gamma(problem)),
        flushes_(flushes(problem)), lost_(share_lost(problem)) {}

  void element(std::int64_t m, std::int64_t n, std::int64_t batch, Sums const& sums, Added const& added, double got) {
    Wide const old = problem_.beta == 0 ? 0 : Wide(problem_.beta) * added.before;
    Wide const sum = problem_.alpha * sums.product + old + added.bias;
    Wide const exact_want = activated_sum(problem_, sum) + added.residual;
    bool const exact = exact_ && problem_.activation != Activation::gelu;
    Wide const want = exact ? Wide(rounded(problem_.out, double(exact_want))) : exact_want;
    Wide const bound = exact ? 0 : bound_of(sums, old, sum, added, exact_want);
    Wide const error = std::abs(Wide(got) - want);
    bool right = error <= bound;  // false for NaN
    if (std::isnan(want)) {
      right = std::isnan(got);
    } else if (std::isinf(want)) {
      right = got == want || (std::isnan(got) && part_may_overflow(sums));
    } else if (!right && !exact && may_overflow(sums, old, added, want, bound)) {
      right = !std::isfinite(got);
    }
    ++result_.compared;
    Mismatch const here{m, n, batch, got, double(want), double(bound), problem_.out == DType::f64 ? 17 : 9};
    if (!right) {
      ++result_.wrong;
      result_.right = false;
      if (!result_.first || place(here) < place(*result_.first)) result_.first = here;
    }
    if (right && !(std::isfinite(want) && std::isfinite(got))) return;  // an infinity has no error to measure
    double const ratio = double(bound > 0 ? error / bound : error);
    keep_worst({std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio, double(error), here});
  }

  void merge(Judge const& other) {
    result_.compared += other.result_.compared;
    result_.wrong += other.result_.wrong;
    result_.right = result_.right && other.result_.right;
    if (other.result_.first && (!result_.first || place(*other.result_.first) < place(*result_.first))) {
      result_.first = other.result_.first;
    }
    keep_worst(other.worst_);
  }

  [[nodiscard]] CheckResult result() const {
    CheckResult result = result_;
    result.max_error = worst_.error;
    result.bound = worst_.where.bound;
    return result;
  }

 private:
  struct Worst {
    double ratio = -1;  // error / bound; the error itself in exact comparisons
    double error = 0;
    Mismatch where;
  };

  // Of equals the first place wins, whatever order the tiles are done in.
  void keep_worst(Worst const& other) {
    if (other.ratio > worst_.ratio || (other.ratio == worst_.ratio && place(other.where) < place(worst_.where)))
      worst_ = other;
  }

  // Of the sum: accumulation, with what subnormal operands lose; a rounding of each part of K and of some parts' sum; a
  // rounding for alpha; two for beta and the final sum; one for the bias; what the reference itself does; underflow.
  [[nodiscard]] Wide bound_of_sum(Sums const& sums, Wide old, double bias) const {
    Wide const u = unit_roundoff(problem_.acc) * (problem_.truncating ? 2 : 1);
    Wide const alpha = std::abs(problem_.alpha), k = static_cast<Wide>(problem_.k);
    Wide const scaled = alpha * (std::abs(sums.product) + gamma_ * sums.magnitude);
    Wide bound = alpha * (gamma_ * sums.magnitude + lost_ * sums.subnormal);
    if (problem_.parts) {  // all parts together are at most as large as sum|a||b|, and there are at most k
      Wide const largest_part = (1 + Wide(gamma_)) * sums.magnitude;
      Wide const step = smallest_subnormal(*problem_.parts);
      bound += 2.02 * alpha * unit_roundoff(*problem_.parts) * largest_part + (k + 1) * step;
      bound += u * (alpha * largest_part + std::abs(old));  // they are added to what is scaled already
    }
    if (flushes_) bound += (k + 3) * std::max(Wide(1), alpha) * smallest_normal(problem_.acc);
    if (problem_.alpha != 1) bound += u * scaled;
    if (problem_.beta != 0) bound += 2 * u * (scaled + std::abs(old));
    if (problem_.bias) bound += 1.01 * u * (scaled + std::abs(old) + std::abs(bias));
    bound += (is_wide(problem_) ? 0x1p-64L : 0x1p-53L) * (k + 4) * (alpha * sums.magnitude + std::abs(old));
    return bound + (k + 3) * std::max(Wide(1), alpha) * smallest_subnormal(problem_.acc);
  }

  // The activation passes an error on, GELU at most 1.13 times of it, and has its own; the residual adds a rounding; C
  // its own.
  [[nodiscard]] Wide bound_of(Sums const& sums, Wide old, Wide sum, Added const& added, Wide want) const {
    DType const wide = is_wide(problem_) ? DType::f64 : DType::f32;  // what a kernel adds bias and residual in
    Wide bound = exact_ ? 0 : bound_of_sum(sums, old, added.bias);
    if (problem_.activation == Activation::gelu)
      bound = 1.13 * bound + activation_error(problem_.activation, double(sum), wide);
    if (problem_.residual) bound += unit_roundoff(wide) * (std::abs(want) + bound) + smallest_subnormal(wide);
    bool const epilogue = problem_.bias || problem_.residual || problem_.activation != Activation::none;
    DType const computed = epilogue ? wide : problem_.acc;
    if (unit_roundoff(problem_.out) > unit_roundoff(computed)) {
      bound += unit_roundoff(problem_.out) * (std::abs(want) + bound) + smallest_subnormal(problem_.out);
    }
    return is_integer(problem_.acc) ? 0 : bound;
  }

  // A part that overflows meets an infinity of the other sign.
  [[nodiscard]] bool part_may_overflow(Sums const& sums) const {
    return problem_.parts && std::max(1.0, std::abs(problem_.alpha)) * sums.magnitude >= largest(*problem_.parts);
  }

  [[nodiscard]] bool may_overflow(Sums const& sums, Wide old, Added const& added, Wide want, Wide bound) const {
    Wide const sizes = std::max(1.0, std::abs(problem_.alpha)) * sums.magnitude + std::abs(old) +
                         std::abs(added.bias) + std::abs(added.residual);
    return !is_integer(problem_.acc) &&
           (sizes >= largest(problem_.parts.value_or(problem_.acc)) || std::abs(want) + bound >= largest(problem_.out));
  }

  GemmProblem problem_;
  bool exact_;
  double gamma_;
  bool flushes_;
  double lost_;
  Worst worst_;
  CheckResult result_;
};

template <class Real>
void compare_tile(GemmProblem const& problem, AddedMatrices const& added, HostMatrix const& c, std::int64_t batch,
                  std::int64_t m0, std::int64_t n0, std::vector<Real> const& product,
                  std::vector<Real> const& magnitude, std::vector<double> const& subnormal, Judge& judge) {
  for (std::int64_t i = 0; i < std::min(tile_m, problem.m - m0); ++i) {
    for (std::int64_t j = 0; j < std::min(tile_n, problem.n - n0); ++j) {
      auto const at = static_cast<std::size_t>(i * tile_n + j);
      judge.element(m0 + i, n0 + j, batch, {product[at], magnitude[at], subnormal.empty() ? 0 : subnormal[at]},
                    added.of(m0 + i, n0 + j, batch), c.get(m0 + i, n0 + j, batch));
    }
  }
}

template <class Real>
void check_all(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, AddedMatrices const& added,
               HostMatrix const& c, bool exact, Judge& judge) {
  std::int64_t const tiles_m = (problem.m + tile_m - 1) / tile_m, tiles_n = (problem.n + tile_n - 1) / tile_n;
  std::mutex guard;
  parallel_for(tiles_m * tiles_n * problem.batch, [&](std::int64_t tile) {
    std::int64_t const batch = tile / (tiles_m * tiles_n);
    std::int64_t const m0 = tile / tiles_n % tiles_m * tile_m, n0 = tile % tiles_n * tile_n;
    std::vector<Real> product(tile_m * tile_n), magnitude(tile_m * tile_n);
    Judge mine(problem, exact);
    reference_tile(problem, a, b, batch, m0, n0, product, magnitude);
    std::vector<double> subnormal;
    if (!exact && share_lost(problem) > 0) subnormal = subnormal_tile(problem, a, b, batch, m0, n0);
    compare_tile(problem, added, c, batch, m0, n0, product, magnitude, subnormal, mine);
    std::lock_guard const lock(guard);
    judge.merge(mine);
  });
}

void check_element(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, AddedMatrices const& added,
                   HostMatrix const& c, std::int64_t m, std::int64_t n, std::int64_t batch, Judge& judge) {
  judge.element(m, n, batch, reference_element(problem, a, b, m, n, batch), added.of(m, n, batch), c.get(m, n, batch));
}

void check_samples(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, AddedMatrices const& added,
                   HostMatrix const& c, bool exact, std::uint64_t seed, Judge& judge) {
  double const each = std::max<double>(1.0, static_cast<double>(problem.k));
  auto const samples = static_cast<std::int64_t>(std::clamp(sample_budget / each, 64.0, 65536.0));
  std::mt19937_64 random(seed);
  auto const below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random); };
  std::vector<Mismatch> places;
  for (std::int64_t m : {std::int64_t{0}, problem.m - 1}) {
    for (std::int64_t n : {std::int64_t{0}, problem.n - 1}) {
      places.push_back({.m = m, .n = n, .batch = 0});
      places.push_back({.m = m, .n = n, .batch = problem.batch - 1});
    }
  }
  for (std::int64_t i = 0; i < samples; ++i) {
    std::int64_t const m = below(problem.m), n = below(problem.n);
    places.push_back({.m = m, .n = n, .batch = below(problem.batch)});
  }
  std::mutex guard;
  constexpr std::int64_t group = 64;
  auto const count = static_cast<std::int64_t>(places.size());
  parallel_for((count + group - 1) / group, [&](std::int64_t part) {
    Judge mine(problem, exact);
    for (std::int64_t i = part * group; i < std::min(count, (part + 1) * group); ++i) {
      Mismatch const& at = places[static_cast<std::size_t>(i)];
      check_element(problem, a, b, added, c, at.m, at.n, at.batch, mine);
    }
    std::lock_guard const lock(guard);
    judge.merge(mine);
  });
}

// Freivalds: C x == alpha A (B^T x) + beta C' x + bias x + R x for a random x, row by row, in whole numbers modulo
// 2^64. A row that differs passes with a probability of at most 2^-32, since its entries are below 2^31; two vectors
// make that 2^-64. Entries of f64 are below 2^53, which a row passes with at most 2^-10: seven vectors make that 2^-70.
// Returns the first row (batch, m) that differs.
std::optional<std::pair<std::int64_t, std::int64_t>> first_wrong_row(GemmProblem const& problem, HostMatrix const& a,
                                                                     HostMatrix const& b, AddedMatrices const& added,
                                                                     HostMatrix const& c, std::uint64_t seed) {
  auto const whole = [](double value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); };
  std::mt19937_64 random(seed);
  constexpr std::int64_t chunk = 256;
  std::int64_t const none = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> first{none};
  double const largest_whole = is_wide(problem) ? 0x1p53 : 0x1p31;
  for (int round = 0; round < (is_wide(problem) ? 7 : 2); ++round) {
    std::vector<std::uint64_t> x(static_cast<std::size_t>(problem.n)), y(static_cast<std::size_t>(problem.k));
    for (std::uint64_t& each : x) each = random();
    std::uint64_t of_bias = 0;  // the same in each row
    for (std::int64_t n = 0; n < problem.n && problem.bias; ++n)
      of_bias += whole(added.bias->get(0, n, 0)) * x[static_cast<std::size_t>(n)];
    for (std::int64_t batch = 0; batch < problem.batch; ++batch) {
      parallel_for((problem.k + chunk - 1) / chunk, [&](std::int64_t part) {  // y = B^T x
        double line[chunk];
        std::uint64_t sum[chunk] = {};
        std::int64_t const k0 = part * chunk, count = std::min(chunk, problem.k - k0);
        for (std::int64_t n = 0; n < problem.n; ++n) {
          b.read_along_row(line, n, k0, batch, count);
          for (std::int64_t i = 0; i < count; ++i) sum[i] += whole(line[i]) * x[static_cast<std::size_t>(n)];
        }
        std::copy(sum, sum + count, y.begin() + k0);
      });
      parallel_for(problem.m, [&](std::int64_t m) {
        double line[chunk];
        std::uint64_t want = 0, got = 0, old = 0, residual = 0;
        bool countable = true;
        for (std::int64_t k0 = 0; k0 < problem.k; k0 += chunk) {
          std::int64_t const count = std::min(chunk, problem.k - k0);
          a.read_along_row(line, m, k0, batch, count);
          for (std::int64_t i = 0; i < count; ++i) want += whole(line[i]) * y[static_cast<std::size_t>(k0 + i)];
        }
        for (std::int64_t n0 = 0; n0 < problem.n; n0 += chunk) {
          std::int64_t const count = std::min(chunk, problem.n - n0);
          c.read_along_row(line, m, n0, batch, count);
          for (std::int64_t i = 0; i < count; ++i) {
            bool const fits = std::abs(line[i]) <= largest_whole && line[i] == std::nearbyint(line[i]);
            countable = countable && fits;
            if (fits) got += whole(line[i]) * x[static_cast<std::size_t>(n0 + i)];
          }
          auto const times_x = [&](HostMatrix const& matrix) {
            std::uint64_t sum = 0;
            matrix.read_along_row(line, m, n0, batch, count);
            for (std::int64_t i = 0; i < count; ++i) sum += whole(line[i]) * x[static_cast<std::size_t>(n0 + i)];
            return sum;
          };
          if (problem.beta != 0) old += times_x(added.before);
          if (problem.residual) residual += times_x(*added.residual);
        }
        if (countable && got == whole(problem.alpha) * want + whole(problem.beta) * old + of_bias + residual) return;
        std::int64_t const row = batch * problem.m + m;
        for (std::int64_t seen = first; row < seen && !first.compare_exchange_weak(seen, row);) {
        }
      });
    }
  }
  if (first == none) return std::nullopt;
  return std::pair{first / problem.m, first % problem.m};
}

}  // namespace

std::string to_string(Mismatch const& mismatch) {
  std::string const batch = mismatch.batch == 0 ? "" : fmt::format(" of matrix {}", mismatch.batch);
  double const got =
      std::abs(mismatch.got) >= 0 ? mismatch.got : std::numeric_limits<double>::quiet_NaN();  // one NaN for all
  return fmt::format("(m,n) = ({},{}){}: got {:.{}g}, want {:.{}g}, bound {:.3g}", mismatch.m, mismatch.n, batch, got,
                     mismatch.digits, mismatch.want, mismatch.digits, mismatch.bound);
}

double accumulation_gamma(GemmProblem const& problem) {
  if (is_integer(problem.acc)) return 0;
  // f16 accumulators hold sums of 16 products that a matrix instruction adds at once.
  bool const f16 = problem.acc == DType::f16;
  double const u = f16 ? 0x1p-10 : unit_roundoff(problem.acc) * (problem.truncating ? 2 : 1);
  double const terms = f16 ? std::ceil(static_cast<double>(problem.k) / 16) : static_cast<double>(problem.k);
  if (f16 && terms * u >= 0.5) {
    bad_input(fmt::format("k {} is too large for an error bound with f16 accumulation: choose at most {}", problem.k,
                          16 * 511));
  }
  return std::expm1(terms * std::log1p(u));
}

double activated(Activation activation, double x) {
  if (activation == Activation::relu) return x < 0 ? 0 : x;
  return activation == Activation::gelu ? x / (1 + std::exp2(-x * (gelu_a + gelu_b * x * x))) : x;
}

double activation_error(Activation activation, double x, DType computed) {
  if (activation != Activation::gelu) return 0;  // a comparison has no error
  double const u = unit_roundoff(computed);
  double const t = std::abs(x) * (gelu_a + gelu_b * x * x), s = 1 / (1 + std::exp2(x < 0 ? t : -t));
  double const of_power = t > 1000 ? 0 : (1 - s) * (4 * t * u + 4 * u);
  return 1.01 * std::abs(x) * (s * (of_power + 4 * u) + smallest_normal(computed));
}

IntegerRange exact_range(GemmProblem const& problem) {
  DType const sums = problem.parts.value_or(problem.acc);
  double const limit = sums == DType::i32    ? 0x1p31 - 1
                       : sums == DType::f16  ? 0x1p11
                       : sums == DType::bf16 ? 0x1p8
                       : sums == DType::f64  ? 0x1p53
                                             : 0x1p24;
  double const terms = std::max(1.0, std::abs(problem.alpha)) * std::max<double>(1.0, static_cast<double>(problem.k));
  double const budget = 0.75 * limit / terms;  // for |a| |b|; the last quarter is for what is added
  // In f64 the products have up to 40 bits, which sums in f32 would lose.
  double const most = is_fp8(problem.dtype) ? 1 / unit_roundoff(problem.dtype) : 100;  // up to which FP8 has them all
  double const side = std::min(is_wide(problem) ? 0x1p20 : most, std::floor(std::sqrt(budget)));
  IntegerRange range;
  range.a = range.b = std::max<std::int64_t>(1, static_cast<std::int64_t>(side));
  double const share = problem.bias || problem.residual ? 0.125 : 0.25;
  range.c = static_cast<std::int64_t>(
      std::clamp(std::floor(share * limit / std::max(1.0, std::abs(problem.beta))), 1.0, 100.0));
  range.added = static_cast<std::int64_t>(std::clamp(std::floor(0.0625 * limit), 1.0, 100.0));
  range.density = std::min(1.0, budget);
  return range;
}

CheckResult check_gemm(GemmProblem const& problem, HostMatrix const& a, HostMatrix const& b, HostMatrix const& before,
                       HostMatrix const& c, bool exact, std::uint64_t seed, HostMatrix const* bias,
                       HostMatrix const* residual) {
  Judge judge(problem, exact);
  CheckResult result;
  AddedMatrices const added{problem, before, bias, residual};
  std::string const how = !exact                                   ? "bound"
                          : problem.activation == Activation::gelu ? "exact sums, bound of gelu"
                                                                   : "exact";
  if (problem.m == 0 || problem.n == 0 || problem.batch == 0) {
    result.method = "nothing to compare";
    return result;
  }
  double const work = 1.0 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
                      static_cast<double>(std::max<std::int64_t>(1, problem.k)) * static_cast<double>(problem.batch);
  if (work <= recompute_limit(problem)) {
    if (is_wide(problem)) check_all<Wide>(problem, a, b, added, c, exact, judge);
    else check_all<double>(problem, a, b, added, c, exact, judge);
    result = judge.result();
    result.method = "every element, " + how;
    return result;
  }
  check_samples(problem, a, b, added, c, exact, seed, judge);
  std::string whole;
  // Sums that C's type must round are beyond Freivalds' check, and so is what an activation bends.
  bool const as_summed = problem.out == DType::f32 || problem.out == DType::i32 || problem.out == DType::f64;
  if (exact && problem.activation == Activation::none && as_summed) {
    whole = " and the whole by Freivalds";
    if (auto const row = first_wrong_row(problem, a, b, added, c, seed)) {
      for (std::int64_t n = 0; n < problem.n; ++n)
        check_element(problem, a, b, added, c, row->second, n, row->first, judge);
    }
  }
  result = judge.result();
  result.method = fmt::format("{} samples{}, {}", result.compared, whole, how);
  return result;
}

}  // namespace tilestep
