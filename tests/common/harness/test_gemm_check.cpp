#include <tilestep/backend/error.hpp>
#include <tilestep/atom/half.hpp>
#include <tilestep/backend/runtime.hpp>
#include <tilestep/harness/gemm_check.hpp>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <algorithm>  // std::max
#include <cmath>   // std::nextafter, std::fma
#include <limits>  // NaN, infinity
#include <random>  // trials
#include <string>  // targets

using namespace tilestep;

namespace {

struct Case {
  GemmProblem problem;
  HostMatrix a, b, before, c;

  explicit Case(GemmProblem const& p)
      : problem(p),
        a({p.dtype, p.m, p.k, p.batch, {p.k + 1, 1, p.m * (p.k + 1)}}),
        b({p.dtype, p.n, p.k, p.batch, {1, p.n + 2, p.k * (p.n + 2)}}),
        before({p.out, p.m, p.n, p.batch, {p.n, 1, p.m * p.n}}),
        c(before) {}

  void generate(bool exact) {
    if (exact) {
      IntegerRange const range = exact_range(problem);
      a.fill_integers(1, 1, range.a, range.density);
      b.fill_integers(1, 2, range.b);
      before.fill_integers(1, 3, range.c);
    } else {
      a.fill_normals(1, 1);
      b.fill_normals(1, 2);
      before.fill_normals(1, 3);
    }
  }

  // As a kernel would: a chain of float FMAs, then alpha, beta and C's rounding.
  void multiply() {
    for (std::int64_t l = 0; l < problem.batch; ++l) {
      for (std::int64_t m = 0; m < problem.m; ++m) {
        for (std::int64_t n = 0; n < problem.n; ++n) {
          float sum = 0;
          for (std::int64_t k = 0; k < problem.k; ++k) {
            sum = std::fma(static_cast<float>(a.get(m, k, l)), static_cast<float>(b.get(n, k, l)), sum);
          }
          float result = static_cast<float>(problem.alpha) * sum;
          if (problem.beta != 0) result += static_cast<float>(problem.beta) * static_cast<float>(before.get(m, n, l));
          c.set(m, n, l, result);
        }
      }
    }
  }

  // The same in double, the products in one of three orders.
  enum class Order { forward, backward, pairs };
  void multiply_f64(Order order = Order::forward) {
    for (std::int64_t m = 0; m < problem.m; ++m) {
      for (std::int64_t n = 0; n < problem.n; ++n) {
        auto const last = problem.k - 1;
        double sum = 0;
        for (std::int64_t k = 0; k <= last; ++k) {
          std::int64_t const at = order == Order::backward ? last - k : k;
          if (order == Order::pairs && k < last) {
            double const second = a.get(m, k + 1, 0) * b.get(n, k + 1, 0);
            sum += std::fma(a.get(m, k, 0), b.get(n, k, 0), second), ++k;
          } else {
            sum = std::fma(a.get(m, at, 0), b.get(n, at, 0), sum);
          }
        }
        double const old = problem.beta == 0 ? 0 : problem.beta * before.get(m, n, 0);
        c.set(m, n, 0, problem.alpha * sum + old);
      }
    }
  }

  [[nodiscard]] CheckResult check(bool exact) const { return check_gemm(problem, a, b, before, c, exact, 1); }
};

GemmProblem sized(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1) {
  GemmProblem problem;
  problem.m = m, problem.n = n, problem.k = k, problem.batch = batch;
  return problem;
}

GemmProblem sized_f64(std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmProblem problem = sized(m, n, k);
  problem.dtype = problem.acc = problem.out = DType::f64;
  return problem;
}

}  // namespace

TEST_CASE("no right f64 product is blamed, whatever its size, its factors and the order of its sums",
          "[harness][check][f64]") {
  std::mt19937 random(1);
  auto const any = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int trial = 0; trial < 300; ++trial) {
    GemmProblem problem = sized_f64(any(1, 9), any(1, 9), trial % 10 == 0 ? 500 : any(1, 40));
    problem.alpha = any(0, 1) == 0 ? 1 : 0.3 * any(-9, 9), problem.beta = any(0, 1) == 0 ? 0 : 0.7 * any(-9, 9);
    Case each(problem);
    each.a.fill_normals(std::uint64_t(trial), 1);
    each.b.fill_normals(std::uint64_t(trial), 2);
    each.before.fill_normals(std::uint64_t(trial), 3);
    each.multiply_f64(Case::Order(trial % 3));
    CheckResult const result = each.check(false);
    INFO("trial " << trial << (result.first ? to_string(*result.first) : ""));
    REQUIRE(result.right);
    if (problem.alpha != 0 || problem.beta != 0) REQUIRE(result.bound < 1e-10);
    each.generate(true);
    problem.alpha = each.problem.alpha = any(-2, 2), each.problem.beta = any(-3, 3);
    each.multiply_f64(Case::Order(trial % 3));
    REQUIRE(each.check(true).right);
  }
}

TEST_CASE("an f64 product that is a few units in the last place off is wrong", "[harness][check][f64]") {
  for (std::int64_t k = 1; k <= 8; ++k) {
    Case each(sized_f64(5, 7, k));
    each.generate(false);
    for (std::int64_t m = 0; m < 5; ++m) {
      for (std::int64_t i = 0; i < k; ++i) each.a.set(m, i, 0, std::abs(each.a.get(m, i, 0)));
    }
    for (std::int64_t n = 0; n < 7; ++n) {
      for (std::int64_t i = 0; i < k; ++i) each.b.set(n, i, 0, std::abs(each.b.get(n, i, 0)));
    }
    each.multiply_f64();
    CHECK(each.check(false).right);
    // Sums of positive numbers: the bound is at most k units, and so is the error of what was right.
    for (double const towards : {1e300, -1e300}) {
      double const right = each.c.get(3, 4, 0);
      double value = right;
      for (std::int64_t i = 0; i < 2 * k + 1; ++i) value = std::nextafter(value, towards);
      each.c.set(3, 4, 0, value);
      CheckResult const result = each.check(false);
      INFO("k " << k << " towards " << towards);
      REQUIRE(result.wrong == 1);
      CHECK(to_string(*result.first).find(fmt::format("got {:.17g}", value)) != std::string::npos);
      each.c.set(3, 4, 0, right);
    }
  }
}

TEST_CASE("an f64 product is judged by a reference that is wider than f64", "[harness][check][f64]") {
  // 1, then terms just above half a unit of its last place: each sum in f64 rounds up, by half a unit.
  std::int64_t const k = 4096;
  Case each(sized_f64(1, 1, k));
  for (std::int64_t i = 0; i < k; ++i) {
    each.a.set(0, i, 0, 1);
    each.b.set(0, i, 0, i == 0 ? 1 : 0x1p-53 * (1 + 0x1p-20));
  }
  each.multiply_f64();
  CheckResult const chain = each.check(false);
  CHECK(chain.right);
  // a reference in f64 would find no error
  CHECK(std::abs(chain.max_error - double(k - 1) * 0x1p-53) < 0.01 * double(k) * 0x1p-53);
  CHECK(chain.bound < 1.001 * double(k) * 0x1p-53);
  each.c.set(0, 0, 0, each.c.get(0, 0, 0) + 8 * 0x1p-52);
  CHECK_FALSE(each.check(false).right);
  each.multiply_f64(Case::Order::backward);  // the small terms first: nearly no error
  CheckResult const backward = each.check(false);
  CHECK(backward.right);
  CHECK(backward.max_error < 2 * 0x1p-52);
}

TEST_CASE("whole numbers in f64 are larger than f32 could hold, and a product in f32 is found",
          "[harness][check][f64]") {
  Case each(sized_f64(9, 8, 7));
  each.generate(true);
  each.multiply();
  CHECK(each.check(true).wrong > 60);
  each.multiply_f64();
  CHECK(each.check(true).right);
  each.c.set(2, 3, 0, std::nextafter(each.c.get(2, 3, 0), 1e300));
  CHECK(each.check(true).wrong == 1);
}

TEST_CASE("f64 sums that overflow may be infinite, and finite ones may not", "[harness][check][f64]") {
  Case each(sized_f64(2, 2, 3));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t k = 0; k < 3; ++k) each.a.set(i, k, 0, k == 1 ? -1.5e308 : 1.5e308), each.b.set(i, k, 0, 1);
  }
  each.multiply_f64(Case::Order::backward);
  CHECK(each.check(false).right);
  each.a.set(1, 0, 0, 4), each.a.set(1, 1, 0, 4), each.a.set(1, 2, 0, 1e300);
  each.multiply_f64();
  CHECK(each.check(false).right);
  each.c.set(1, 1, 0, std::numeric_limits<double>::infinity());
  CHECK(each.check(false).wrong == 1);
}

TEST_CASE("a single wrong element of a large f64 problem is found by Freivalds' check", "[harness][check][f64]") {
  GemmProblem const problem = sized_f64(700, 600, 1500);
  Case each(problem);
  IntegerRange const range = exact_range(problem);
  each.b.fill_integers(1, 2, range.b);
  for (std::int64_t m = 0; m < problem.m; ++m) {
    std::int64_t const p = (7 * m) % problem.k;
    for (std::int64_t k = 0; k < problem.k; ++k) each.a.set(m, k, 0, k == p ? double(range.a - m) : 0);
    for (std::int64_t n = 0; n < problem.n; ++n) each.c.set(m, n, 0, each.a.get(m, p, 0) * each.b.get(n, p, 0));
  }
  CheckResult const right = each.check(true);
  CHECK(right.right);
  CHECK(right.method.find("Freivalds") != std::string::npos);
  for (double const planted : {1.0, 0x1p31, 0x1p39}) {
    double const value = each.c.get(377, 333, 0);
    each.c.set(377, 333, 0, value + planted);
    CheckResult const wrong = each.check(true);
    REQUIRE(wrong.first);
    CHECK((wrong.first->m == 377 && wrong.first->n == 333));
    each.c.set(377, 333, 0, value);
  }
}

TEST_CASE("a right product is right, exactly and within the bound", "[harness][check]") {
  for (DType out : {DType::f32, DType::f16, DType::bf16}) {
    for (auto [alpha, beta] : {std::pair{1.0, 0.0}, {2.0, -3.0}, {0.5, 1.25}}) {
      GemmProblem problem = sized(67, 131, 139, 2);
      problem.out = out, problem.alpha = alpha, problem.beta = beta;
      Case each(problem);
      each.generate(false);
      each.multiply();
      CheckResult const result = each.check(false);
      INFO(to_string(out) << " alpha " << alpha << (result.first ? to_string(*result.first) : ""));
      CHECK(result.right);
      CHECK(result.compared == 67 * 131 * 2);
      CHECK(result.max_error > 0);
      CHECK(result.max_error <= result.bound);
      if (alpha != 0.5) {
        each.generate(true);
        each.multiply();
        CHECK(each.check(true).right);
      }
    }
  }
}

TEST_CASE("one wrong element is found wherever it is, and it is the first that is told", "[harness][check]") {
  Case each(sized(9, 130, 5));
  for (bool exact : {true, false}) {
    each.generate(exact);
    each.multiply();
    for (std::int64_t m = 0; m < 9; ++m) {
      for (std::int64_t n = 0; n < 130; n += 3) {
        double const right = each.c.get(m, n, 0);
        for (double wrong :
             {right + 1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
          each.c.set(m, n, 0, wrong);
          CheckResult const result = each.check(exact);
          REQUIRE_FALSE(result.right);
          REQUIRE(result.wrong == 1);
          REQUIRE((result.first->m == m && result.first->n == n));
        }
        each.c.set(m, n, 0, right);
      }
    }
    each.c.set(8, 129, 0, 1e6);
    each.c.set(2, 100, 0, 1e6);
    CHECK(to_string(*each.check(exact).first).starts_with("(m,n) = (2,100): got 1000000"));
    each.c.set(8, 129, 0, 0), each.c.set(2, 100, 0, 0);
  }
}

TEST_CASE("an exact check lets no last bit pass", "[harness][check]") {
  Case each(sized(3, 3, 100));
  each.generate(true);
  each.multiply();
  auto const value = static_cast<float>(each.c.get(1, 1, 0));
  each.c.set(1, 1, 0, std::nextafter(value, 1e9f));
  CHECK_FALSE(each.check(true).right);
}

TEST_CASE("the bound notices a product that is missing from a sum", "[harness][check]") {
  Case each(sized(40, 40, 64));
  each.generate(false);
  each.multiply();
  each.problem.k = 63;  // now the reference has one product less
  CHECK(each.check(false).wrong > 1500);
}

TEST_CASE("nothing in A or B: C is beta times what it was, and empty problems are right", "[harness][check]") {
  GemmProblem problem = sized(5, 6, 0);
  problem.beta = 2;
  Case each(problem);
  each.generate(true);
  each.multiply();
  CHECK(each.check(true).right);
  each.c.set(4, 5, 0, 99);
  CHECK_FALSE(each.check(true).right);
  CHECK(Case(sized(0, 6, 7)).check(true).right);
  CHECK(Case(sized(5, 6, 7, 0)).check(false).right);
}

TEST_CASE("with beta 0 what C was does not matter, not even NaN", "[harness][check]") {
  Case each(sized(4, 4, 4));
  each.a.fill_normals(1, 1);
  each.b.fill_normals(1, 2);
  each.multiply();
  CHECK(std::isnan(each.before.get(0, 0, 0)));
  CHECK(each.check(false).right);
}

TEST_CASE("infinities and NaN in the data must arrive in C", "[harness][check]") {
  Case each(sized(4, 4, 4));
  each.generate(false);
  each.a.set(1, 1, 0, std::numeric_limits<double>::infinity());
  each.a.set(2, 2, 0, std::numeric_limits<double>::quiet_NaN());
  each.multiply();
  CHECK(each.check(false).right);
  each.c.set(1, 1, 0, -each.c.get(1, 1, 0));
  CHECK_FALSE(each.check(false).right);
  each.multiply();
  each.c.set(2, 1, 0, 1);
  CHECK_FALSE(each.check(false).right);
}

TEST_CASE("sums that overflow the accumulator may be infinite", "[harness][check]") {
  Case each(sized(2, 2, 3));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t k = 0; k < 3; ++k) each.a.set(i, k, 0, k == 1 ? -3e38 : 3e38), each.b.set(i, k, 0, 1);
  }
  each.c = HostMatrix(each.before.place());
  each.multiply();
  CHECK(each.check(false).right);
  each.c.set(0, 0, 0, std::numeric_limits<double>::infinity());
  CHECK(each.check(false).right);
  CHECK(std::isfinite(each.check(false).max_error));  // that of the others
}

TEST_CASE("a sum whose terms alone are too large for C may not be infinite", "[harness][check]") {
  GemmProblem problem = sized(1, 1, 3);
  problem.out = DType::f16;
  Case each(problem);
  for (std::int64_t k = 0; k < 3; ++k) {
    each.a.set(0, k, 0, k == 0 ? 1e5 : k == 1 ? -1e5 : 1), each.b.set(0, k, 0, 1);
  }
  each.multiply();
  CHECK(each.check(false).right);
  each.c.set(0, 0, 0, std::numeric_limits<double>::infinity());
  CHECK_FALSE(each.check(false).right);
}

TEST_CASE("parts of a sum may be rounded once each where the problem says so, and nowhere else", "[harness][check]") {
  for (DType const type : {DType::f16, DType::bf16}) {
    for (bool const exact : {false, true}) {
      GemmProblem problem = sized(9, 11, 60);
      problem.dtype = problem.out = type, problem.parts = type;
      Case each(problem);
      each.generate(exact);
      HostMatrix rounded(each.c.place());
      // Four parts of 15 products each. `largest_part` is one that this many units of its last place are added to.
      auto const add_parts = [&](double units) {
        for (std::int64_t m = 0; m < problem.m; ++m) {
          for (std::int64_t n = 0; n < problem.n; ++n) {
            float sum = 0, largest = 0;
            for (std::int64_t first = 0; first < problem.k; first += 15) {
              float part = 0;
              for (std::int64_t k = first; k < first + 15; ++k)
                part += static_cast<float>(each.a.get(m, k, 0) * each.b.get(n, k, 0));
              rounded.set(m, n, 0, part);
              sum += static_cast<float>(rounded.get(m, n, 0));
              largest = std::max(largest, std::abs(part));
            }
            each.c.set(m, n, 0, sum + units * unit_roundoff(type) * largest);
          }
        }
      };
      INFO(to_string(type) << (exact ? ", whole numbers" : ""));
      add_parts(0);
      CHECK(each.check(exact).right);
      add_parts(200);
      CHECK_FALSE(each.check(exact).right);
      if (exact) continue;
      each.problem.parts.reset();
      add_parts(0);
      CHECK_FALSE(each.check(false).right);
    }
  }
  // Parts that overflow may leave an infinity, or NaN where two of them meet.
  GemmProblem problem = sized(1, 1, 2);
  problem.dtype = problem.out = DType::f16;
  Case each(problem);
  for (std::int64_t k = 0; k < 2; ++k) each.a.set(0, k, 0, 300), each.b.set(0, k, 0, k == 0 ? 300 : -300);
  each.c.set(0, 0, 0, std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(each.check(false).right);
  each.problem.parts = DType::f16;
  CHECK(each.check(false).right);
  // So does one part and an infinity of C.
  each.b.set(0, 1, 0, 0);
  each.problem.beta = -1, each.before.set(0, 0, 0, std::numeric_limits<double>::infinity());
  CHECK(each.check(false).right);
  each.problem.parts.reset();
  CHECK_FALSE(each.check(false).right);
}

TEST_CASE("the ranges of whole numbers keep every sum exact", "[harness][check]") {
  for (DType acc : {DType::f32, DType::f16, DType::i32, DType::f64}) {
    for (std::int64_t k : {0, 1, 67, 4096, 1 << 20}) {
      for (double beta : {0.0, -3.0}) {
        GemmProblem problem = sized(1, 1, k);
        problem.acc = acc, problem.alpha = 2, problem.beta = beta;
        if (acc == DType::i32) problem.dtype = DType::i8;
        IntegerRange const range = exact_range(problem);
        double const limit = acc == DType::i32   ? 0x1p31
                             : acc == DType::f16 ? 0x1p11
                             : acc == DType::f64 ? 0x1p53
                                                 : 0x1p24;
        double const sum =
            2.0 * double(k) * range.density * double(range.a * range.b) + std::abs(beta) * double(range.c);
        INFO(to_string(acc) << " k " << k);
        CHECK(sum <= limit);
        CHECK(range.a >= 1);
        CHECK(range.a <= (acc == DType::f64 ? 1 << 20 : 127));
      }
    }
  }
}

TEST_CASE("FP8 has every whole number of its range", "[harness][check]") {
  for (DType type : {DType::e4m3, DType::e5m2}) {
    for (std::int64_t k : {0, 67, 1 << 20}) {
      GemmProblem problem = sized(1, 1, k);
      problem.dtype = type;
      IntegerRange const range = exact_range(problem);
      CHECK(range.a == range.b);
      for (std::int64_t i = -range.a; i <= range.a; ++i) CHECK(rounded(type, double(i)) == double(i));
      if (k == 0) CHECK(rounded(type, double(range.a + 1)) != double(range.a + 1));  // it uses all of them
    }
  }
}

TEST_CASE("no right FP8 product is blamed, and one with a missing term is", "[harness][check]") {
  for (DType type : {DType::e4m3, DType::e5m2}) {
    for (bool exact : {true, false}) {
      GemmProblem problem = sized(9, 7, 67);
      problem.dtype = type, problem.truncating = true, problem.alpha = 2, problem.beta = -1;
      Case each(problem);
      each.generate(exact);
      each.multiply();
      CHECK(each.check(exact).right);
      double const right = each.c.get(4, 3, 0), term = 2 * each.a.get(4, 66, 0) * each.b.get(3, 66, 0);
      REQUIRE(term != 0);
      each.c.set(4, 3, 0, right - term);
      CheckResult const result = each.check(exact);
      CHECK(result.wrong == 1);
      REQUIRE(result.first);
      CHECK((result.first->m == 4 && result.first->n == 3));
    }
  }
}

TEST_CASE("a k for which the bound says nothing is refused", "[harness][check]") {
  GemmProblem problem = sized(1, 1, 1 << 13);
  problem.dtype = problem.acc = problem.out = DType::f16;
  CHECK_THROWS_AS(accumulation_gamma(problem), Error);
  problem.k = 4096;
  CHECK(accumulation_gamma(problem) > 0);
  problem = sized(1, 1, 1 << 24);
  CHECK(std::abs(accumulation_gamma(problem) - (std::exp(1.0) - 1)) < 1e-6);
}

TEST_CASE("a single wrong element of a large problem is found by Freivalds' check", "[harness][check]") {
  // A has one nonzero in each row, so that C is known without multiplying: C(m,n) = A(m,p) B(n,p), p = m mod k.
  GemmProblem problem = sized(1400, 1300, 1500);
  problem.beta = -2;
  Case each(problem);
  each.b.fill_integers(1, 2, 50);
  each.before.fill_integers(1, 3, 50);
  for (std::int64_t m = 0; m < problem.m; ++m) {
    for (std::int64_t k = 0; k < problem.k; ++k) each.a.set(m, k, 0, 0);
  }
  for (std::int64_t m = 0; m < problem.m; ++m) {
    std::int64_t const p = (7 * m) % problem.k;
    each.a.set(m, p, 0, static_cast<double>(m % 9 - 4));
    for (std::int64_t n = 0; n < problem.n; ++n) {
      each.c.set(m, n, 0, each.a.get(m, p, 0) * each.b.get(n, p, 0) - 2 * each.before.get(m, n, 0));
    }
  }
  CheckResult const right = each.check(true);
  CHECK(right.right);
  CHECK(right.method.find("Freivalds") != std::string::npos);
  CHECK(right.compared < 100'000);
  CHECK(each.check(false).right);
  each.c.set(777, 333, 0, each.c.get(777, 333, 0) + 1);
  CheckResult const wrong = each.check(true);
  CHECK_FALSE(wrong.right);
  REQUIRE(wrong.first);
  CHECK((wrong.first->m == 777 && wrong.first->n == 333));
  each.c.set(777, 333, 0, each.c.get(777, 333, 0) - 1);

  // The same with a bias and a residual; an activation leaves the samples alone.
  HostMatrix bias({DType::f32, 1, problem.n, 1, {problem.n, 1, 0}}),
      residual({DType::f32, problem.m, problem.n, 1, {problem.n + 3, 1, 0}});
  bias.fill_integers(1, 4, 50), residual.fill_integers(1, 5, 50);
  for (std::int64_t m = 0; m < problem.m; ++m) {
    for (std::int64_t n = 0; n < problem.n; ++n)
      each.c.set(m, n, 0, each.c.get(m, n, 0) + bias.get(0, n, 0) + residual.get(m, n, 0));
  }
  each.problem.bias = each.problem.residual = true;
  auto const check = [&] {
    return check_gemm(each.problem, each.a, each.b, each.before, each.c, true, 1, &bias, &residual);
  };
  CheckResult const added = check();
  INFO((added.first ? to_string(*added.first) : ""));
  CHECK(added.right);
  CHECK(added.method.find("Freivalds") != std::string::npos);
  double const bias_700 = bias.get(0, 700, 0);
  bias.set(0, 700, 0, bias_700 + 1);
  CHECK_FALSE(check().right);
  bias.set(0, 700, 0, bias_700);
  residual.set(3, 4, 0, residual.get(3, 4, 0) + 1);
  CHECK_FALSE(check().right);
  each.problem.activation = Activation::relu;
  CHECK(check().method.find("Freivalds") == std::string::npos);
  each.problem.activation = Activation::none;
  each.problem.bias = each.problem.residual = false;
  each.c.set(777, 333, 0, std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(each.check(true).right);
}

TEST_CASE("an epilogue is part of the reference, and of its bound", "[harness][check]") {
  for (Activation activation : {Activation::none, Activation::relu, Activation::gelu}) {
    for (DType out : {DType::f32, DType::f16}) {
      GemmProblem problem = sized(37, 41, 11, 2);
      problem.out = out, problem.beta = 0.5, problem.bias = problem.residual = true, problem.activation = activation;
      HostMatrix bias({DType::f32, 1, 41, 1, {41, 1, 0}}), residual({out, 37, 41, 2, {50, 1, 37 * 50}});
      Case each(problem);
      auto const check = [&](bool exact) {
        return check_gemm(each.problem, each.a, each.b, each.before, each.c, exact, 1, &bias, &residual);
      };
      for (bool exact : {false, true}) {
        each.problem.beta = exact ? -3 : 0.5;
        each.problem.bias = each.problem.residual = true;
        each.generate(exact);
        IntegerRange const range = exact_range(each.problem);
        if (exact) bias.fill_integers(1, 4, range.added), residual.fill_integers(1, 5, range.added);
        else bias.fill_normals(1, 4), residual.fill_normals(1, 5);
        each.problem.out = each.problem.acc;  // multiply() into floats first
        HostMatrix const stored = each.c;
        each.c = HostMatrix({DType::f32, 37, 41, 2, {41, 1, 37 * 41}});
        each.multiply();
        each.problem.out = out;
        HostMatrix const sums = each.c;
        each.c = stored;
        for (std::int64_t l = 0; l < 2; ++l) {
          for (std::int64_t m = 0; m < 37; ++m) {
            for (std::int64_t n = 0; n < 41; ++n) {
              float const sum = float(sums.get(m, n, l)) + float(bias.get(0, n, 0));
              each.c.set(m, n, l, activate(activation, sum) + float(residual.get(m, n, l)));
            }
          }
        }
        CheckResult const result = check(exact);
        INFO(static_cast<int>(activation)
             << " " << to_string(out) << " " << result.method << (result.first ? to_string(*result.first) : ""));
        CHECK(result.right);
        CHECK(result.max_error <= result.bound);
        if (!exact || activation == Activation::gelu) CHECK(result.bound < (out == DType::f32 ? 2e-3 : 16.0));
        each.problem.bias = false;  // now the reference has none
        CHECK(check(exact).wrong > 500);
        each.problem.bias = true, each.problem.residual = false;
        CHECK(check(exact).wrong > 2900);
      }
    }
  }
}

TEST_CASE("tf32 operands are rounded before the reference multiplies them", "[harness][check]") {
  GemmProblem problem = sized(1, 1, 1);
  problem.dtype = DType::tf32;
  problem.truncating = true;
  Case each(problem);
  each.a.set(0, 0, 0, 1 + 0x1p-12);  // rounds to 1
  each.b.set(0, 0, 0, 1);
  each.c.set(0, 0, 0, 1);
  CHECK(each.check(false).right);
  each.c.set(0, 0, 0, 1 + 0x1p-12);
  CHECK_FALSE(each.check(false).right);
}

TEST_CASE("a term with a subnormal operand may be missing where the target takes it for zero, and nowhere else") {
  for (DType const type : {DType::f16, DType::f32}) {
    for (char const* const name : {"gfx90a", "sm80"}) {
      RunOptions options;
      options.target = name;
      set_run_options(options);
      Case it({.dtype = type, .m = 1, .n = 1, .k = 2});
      double const subnormal = type == DType::f16 ? 0x1p-20 : 0x1p-130;
      it.a.set(0, 0, 0, 1), it.b.set(0, 0, 0, 3);
      it.a.set(0, 1, 0, subnormal), it.b.set(0, 1, 0, 1000);
      auto const is_right = [&](double c) {
        it.c.set(0, 0, 0, c);
        return check_gemm(it.problem, it.a, it.b, it.before, it.c, false, 1).right;
      };
      bool const lost = type == DType::f16 && name == std::string("gfx90a");
      CHECK(is_right(3 + 1000 * subnormal));
      CHECK(is_right(3) == (lost || type == DType::f32));  // in f32 the term is below the roundoff of 3
      CHECK_FALSE(is_right(3 - 2000 * 0x1p-20));
      CHECK_FALSE(is_right(3 + 3000 * 0x1p-20));
    }
  }
  set_run_options({});
}

TEST_CASE("a product of a subnormal operand may lose the bits that NVIDIA's alignment by exponent fields cuts off") {
  // The fields of 5 x 2^-24 and 2^-5 say 2^-19; of their product, 5 x 2^-29, nothing below 2^-44 is kept.
  for (char const* const name : {"sm90", "gfx942"}) {
    RunOptions options;
    options.target = name;
    set_run_options(options);
    bool const aligned = name == std::string("sm90");
    Case it({.dtype = DType::f16, .m = 1, .n = 1, .k = 3, .truncating = true});
    double const factor = 0x1p-5 * (1 + 0x1p-10 * 0x155);
    for (int k = 0; k < 3; ++k) it.a.set(0, k, 0, 0), it.b.set(0, k, 0, 0);
    it.a.set(0, 0, 0, 0x5p-24), it.b.set(0, 0, 0, factor);
    auto const is_right = [&](double c) {
      it.c.set(0, 0, 0, c);
      return check_gemm(it.problem, it.a, it.b, it.before, it.c, false, 1).right;
    };
    double const product = 0x5p-24 * factor;
    CHECK(is_right(product));
    CHECK(is_right(product - 0x1p-43) == aligned);
    CHECK_FALSE(is_right(product - 0x1p-38));
    it.b.set(0, 0, 0, 0), it.b.set(0, 1, 0, factor);  // no product is left
    CHECK_FALSE(is_right(0x1p-43));
    it.a.set(0, 1, 0, 0x1p-14), it.a.set(0, 0, 0, 0);  // the smallest normal number
    CHECK(is_right(0x1p-14 * factor));
    CHECK_FALSE(is_right(0x1p-14 * factor * (1 - 0x1p-19)));
  }
  set_run_options({});
}
