// How things take turns, and what is made of their times.

#include <tilestep/harness/timing.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace tilestep;
using Catch::Approx;

namespace {

/// Things with a clock of their own: each writes down when it ran, and how often.
struct Bench {
  std::vector<std::pair<std::string, std::int64_t>> ran;

  Contender contender(std::string name, std::vector<double> seconds_of_one) {
    return {name, [this, name, seconds_of_one, calls = std::size_t{0}](std::int64_t count) mutable {
              ran.emplace_back(name, count);
              return seconds_of_one[calls++ % seconds_of_one.size()] * static_cast<double>(count);
            }};
  }
};

}  // namespace

TEST_CASE("the median of an odd number of values is one of them, of an even number the mean of two",
          "[harness][bench]") {
  Spread const odd = spread_of({3, 1, 2}), even = spread_of({8, 1, 2, 4}), one = spread_of({5});
  CHECK((odd.median == 2 && odd.min == 1 && odd.max == 3));
  CHECK((even.median == 3 && even.min == 1 && even.max == 8));
  CHECK((one.median == 5 && one.min == 5 && one.max == 5));
}

TEST_CASE("a ratio belongs to a pair: the median of ratios is not the ratio of medians", "[harness][bench]") {
  // The machine gets slower, and both with it.
  Spread const slower = paired_ratios({2, 4, 8}, {1, 2, 4});
  CHECK((slower.median == 2 && slower.min == 2 && slower.max == 2));
  Spread const mixed = paired_ratios({1, 10, 3}, {1, 2, 6});
  CHECK((mixed.median == 1 && mixed.min == 0.5 && mixed.max == 5));
}

TEST_CASE("contenders take turns, one after the other, at least as often as asked", "[harness][bench]") {
  Bench bench;
  auto const turns = take_turns({bench.contender("A", {1e-3}), bench.contender("B", {4e-3}), bench.contender("C", {1})},
                                {.turns = 11, .slot = 4e-3, .warm_up = 2.5});
  REQUIRE(turns.size() == 3);
  CHECK(turns[0].name == "A");
  CHECK(turns[0].repeats == 4);  // a slot's worth
  CHECK(turns[1].repeats == 1);
  CHECK(turns[2].repeats == 1);
  for (Turns const& each : turns) CHECK(each.seconds.size() == 11);
  for (double const seconds : turns[0].seconds) CHECK(seconds == Approx(1e-3));  // of one run

  // Three rounds of more than a second warm up, eleven count: the end of the log is A B C A B C ...
  std::size_t const rounds = (3 + 11) * 3;
  REQUIRE(bench.ran.size() > rounds);
  for (std::size_t i = 0; i < rounds; ++i) {
    auto const& [name, count] = bench.ran[bench.ran.size() - rounds + i];
    CHECK(name == std::string(1, "ABC"[i % 3]));
    CHECK(count == turns[i % 3].repeats);
  }
}

TEST_CASE("the first run counts for nothing, neither as a time nor for the number of repeats", "[harness][bench]") {
  Bench bench;
  std::vector<double> seconds(100, 1e-3);
  seconds[0] = 10;
  auto const turns = take_turns({bench.contender("A", seconds)}, {.turns = 3, .slot = 8e-3, .warm_up = 0});
  CHECK(turns[0].repeats == 8);
  for (double const each : turns[0].seconds) CHECK(each == Approx(1e-3));
}

TEST_CASE("a clock that stands still ends", "[harness][bench]") {
  Bench bench;
  auto const turns = take_turns({bench.contender("A", {0})}, {.turns = 2, .slot = 1, .warm_up = 1});
  CHECK(turns[0].seconds == std::vector<double>{0, 0});
}

TEST_CASE("in a race everybody has one turn, and those near the fastest have more", "[harness][bench]") {
  Bench bench;
  auto const turns = race({bench.contender("slow", {2.7}), bench.contender("fast", {2}), bench.contender("near", {2.5}),
                           bench.contender("slowest", {9})},
                          {.keep = 1.3, .turns = 8, .slot = 1, .warm_up = 1});
  REQUIRE(turns.size() == 4);
  CHECK((turns[0].name == "slow" && turns[0].seconds == std::vector<double>{2.7}));
  CHECK((turns[1].name == "fast" && turns[1].seconds == std::vector<double>(9, 2.0)));
  CHECK((turns[2].name == "near" && turns[2].seconds == std::vector<double>(9, 2.5)));
  CHECK((turns[3].name == "slowest" && turns[3].seconds == std::vector<double>{9}));
  // In turns, in either order: who follows whom changes.
  bool fast_first = false, near_first = false;
  for (std::size_t i = bench.ran.size() - 16; i < bench.ran.size(); i += 2) {
    std::string const both = bench.ran[i].first + " " + bench.ran[i + 1].first;
    CHECK((both == "fast near" || both == "near fast"));
    (both == "fast near" ? fast_first : near_first) = true;
  }
  CHECK((fast_first && near_first));
  CHECK(race({}, {}).empty());
}

TEST_CASE("in a race each keeps up with its own group: a fast library does not end the candidates' turns",
          "[harness][bench]") {
  Bench bench;
  std::vector<Contender> all{bench.contender("candidate", {2}), bench.contender("slow candidate", {3}),
                             bench.contender("library", {1}), bench.contender("slow library", {1.5})};
  all[2].group = all[3].group = 1;
  auto const turns = race(all, {.keep = 1.3, .turns = 4, .slot = 1, .warm_up = 0});
  CHECK((turns[0].seconds.size() == 5 && turns[1].seconds.size() == 1));
  CHECK((turns[2].seconds.size() == 5 && turns[3].seconds.size() == 1));
}

TEST_CASE("the winner has the smallest median among those that were timed most often", "[harness][bench]") {
  CHECK(winner({{"A", 1, {1}}, {"B", 1, {3, 3, 3}}, {"C", 1, {9, 2, 2}}, {"D", 1, {2, 3, 3}}, {"E", 1, {1}}}) == 2);
  CHECK(winner({{"A", 1, {2}}, {"B", 1, {2}}}) == 0);
}

TEST_CASE("equal contenders all stay in a race", "[harness][bench]") {
  Bench bench;
  auto const turns = race({bench.contender("A", {1}), bench.contender("B", {1}), bench.contender("A", {1})},
                          {.keep = 1, .turns = 2, .slot = 1, .warm_up = 0});
  for (Turns const& each : turns) CHECK(each.seconds == std::vector<double>(3, 1.0));
  CHECK(turns[1].name == "B");
}
