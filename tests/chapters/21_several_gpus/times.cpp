// Chapter 21's model of times against closed forms, and its limits.

#include "times.hpp"  // predicted

#include <catch2/catch_approx.hpp>       // Approx
#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <algorithm>  // std::max
#include <array>      // tables

using namespace tilestep;
using Catch::Approx;

namespace {

constexpr Link inside{.to_begin = 1e-5, .step = 3e-6, .bytes = 400e9};
constexpr Link between{.to_begin = 2e-5, .step = 1.5e-5, .bytes = 50e9};
constexpr Cluster cluster{.inside = inside, .between = between, .host = 8, .operations = 800e12};

}  // namespace

TEST_CASE("a ring takes P - 1 steps, a broadcast the way and its bytes once, and one rank nothing", "[chapter][21]") {
  CHECK(ring(inside, 1, 1e9) == 0);
  CHECK(along(inside, 1, 1e9) == 0);
  CHECK(ring(inside, 2, 4e8) == Approx(1e-5 + 3e-6 + 1e-3));
  CHECK(ring(inside, 5, 4e8) == Approx(1e-5 + 4 * (3e-6 + 1e-3)));
  CHECK(along(inside, 5, 4e8) == Approx(1e-5 + 4 * 3e-6 + 1e-3));
  // However many ranks share a matrix, it passes each link but once.
  CHECK(ring({.bytes = 1e9}, 1000, 1e9 / 1000) == Approx(0.999));
}

TEST_CASE("chunks overlap as in a pipeline of two stages", "[chapter][21]") {
  for (std::int64_t const n : {1, 2, 3, 8, 64, 100}) {
    for (auto const& [a, b] : {std::array{1.0, 2.0}, {2.0, 1.0}, {3.0, 3.0}, {0.0, 1.0}, {1.0, 0.0}}) {
      INFO(n << " chunks of " << a << " and " << b);
      CHECK(overlapped(n, a, b) == Approx(a + double(n - 1) * std::max(a, b) + b));
      // What the second has to do first hides what the first does.
      double const head = 5;
      double const pipeline = a + double(n - 1) * std::max(a, b) + b;
      CHECK(overlapped(n, a, b, head) == Approx(std::max(pipeline, head + double(n) * b)));
      // In one place nothing overlaps, and in two all does.
      CHECK(overlapped(n, a, b, 0, 1) == Approx(double(n) * (a + b)));
      CHECK(overlapped(n, a, b, 0, 2) == Approx(overlapped(n, a, b)));
    }
  }
}

TEST_CASE("predicted times are the sums of their parts, and no overlap beats the longer part", "[chapter][21]") {
  for (std::int64_t const ranks : {1, 2, 4, 8, 16, 64}) {
    for (Scheme const scheme : {Scheme::gather, Scheme::scatter, Scheme::grid}) {
      SharedProblem problem{.m = 8192, .n = 4096, .k = 2048, .scheme = scheme, .p = ranks};
      if (scheme == Scheme::grid && ranks >= 4) problem.p = ranks / 2, problem.q = 2;
      INFO(ranks << " ranks, scheme " << int(scheme));
      Times const one = predicted(problem, cluster, 1), four = predicted(problem, cluster, 4);
      CHECK(one.product == Approx(2.0 * 8192 * 4096 * 2048 / double(ranks) / 800e12));
      CHECK(one.serial == Approx(one.communication + one.product));
      CHECK(four.overlapped >= Approx(std::max(four.product, 0.0)));
      CHECK(four.communication == one.communication);
      if (ranks == 1) CHECK(four.overlapped == Approx(four.serial));
      // One chunk has nothing beside it but a rank's own rows.
      if (scheme == Scheme::scatter) CHECK(one.overlapped == Approx(one.serial));
    }
  }
}

TEST_CASE("gather and scatter move what the page's table says, and a grid less", "[chapter][21]") {
  constexpr Link bytes_alone{.bytes = 1};
  constexpr Cluster free{.inside = bytes_alone, .between = bytes_alone, .host = 8, .operations = 1e300};
  double const m = 640, n = 320, k = 160;
  auto const moved = [&](Scheme scheme, std::int64_t p, std::int64_t q) {
    return predicted({.m = m, .n = n, .k = k, .scheme = scheme, .p = p, .q = q}, free, 1).communication;
  };
  CHECK(moved(Scheme::gather, 16, 1) == Approx(15.0 / 16 * m * k * 2));
  CHECK(moved(Scheme::scatter, 16, 1) == Approx(15.0 / 16 * m * n * 2));
  // A broadcast passes all of a panel along, also of what this rank holds.
  CHECK(moved(Scheme::grid, 4, 4) == Approx(m * k / 4 * 2 + n * k / 4 * 2));
  CHECK(moved(Scheme::grid, 1, 4) == Approx(m * k * 2));
}

TEST_CASE("ranks of one host use its links, and ranks further apart the network", "[chapter][21]") {
  auto const part = [](std::int64_t ranks) { return 4096.0 * 4096 / double(ranks) * 2; };
  auto const gathered = [](std::int64_t ranks) {
    return predicted({.m = 4096, .n = 4096, .k = 4096, .p = ranks}, cluster, 1).communication;
  };
  CHECK(gathered(8) == Approx(ring(inside, 8, part(8))));
  CHECK(gathered(16) == Approx(ring(between, 16, part(16))));
  // A grid of 4 x 4 in hosts of 8: columns lie in one host, rows in two.
  double const panel = 4096.0 / 4 * 4096 / 4 * 2;
  auto const on_grid = predicted({.m = 4096, .n = 4096, .k = 4096, .scheme = Scheme::grid, .p = 4, .q = 4}, cluster, 1);
  CHECK(on_grid.communication == Approx(4 * (along(between, 4, panel) + along(inside, 4, panel))));
}

TEST_CASE("gather overlapped begins with a rank's own rows, and scatter ends with them", "[chapter][21]") {
  auto const pipeline = [](double a, double b) { return a + 3 * std::max(a, b) + b; };  // of four chunks
  for (double const extent : {512.0, 4096.0, 65536.0}) {
    SharedProblem problem{.m = extent, .n = extent, .k = extent, .p = 4};
    double const product = 2 * extent * extent * extent / 4 / 800e12, own = product / 4;
    double const a = ring(inside, 4, extent * extent / 4 * 2 / 4), b = (product - own) / 4;
    CHECK(predicted(problem, cluster, 4).overlapped == Approx(std::max(pipeline(a, b), own + 4 * b)));
    problem.scheme = Scheme::scatter;
    // Either the products never wait, or those of own rows wait for the first message, or for the last.
    double const message = ring(inside, 4, extent * extent / 4 * 2 / 4), last = b + 3 * std::max(b, message) + message;
    CHECK(predicted(problem, cluster, 4).overlapped ==
          Approx(std::max({product, b + message + own, last + own / 4})));
  }
}
