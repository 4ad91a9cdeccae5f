// The checker against bugs that others chose. On the virtual GPU every case runs under every schedule: what the checker
// says is compared with the label, and with the committed record. On a GPU the correct kernels run; a buggy one runs
// alone, when it is named.
//
//   TILESTEP_CASE="MLC: ring" test_public_sets "[one]"          one case, for a tool that watches the device
//   TILESTEP_CASES=FILE test_public_sets "[list]"               the names of all cases, one a line
//   TILESTEP_RECORD=FILE test_public_sets "[record]"            writes the record, results/public_sets.csv

#include "../device.hpp"  // need_device
#include "case.hpp"       // Case

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <algorithm>  // std::all_of
#include <cstdlib>    // std::getenv
#include <fstream>    // the record
#include <set>        // kinds
#include <sstream>    // split

using namespace public_sets;

namespace {

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (auto const& set : {rocjitsu_cases(), cutracer_cases(), mlc_cases(), indigo3_cases(), gpuverify_cases(),
                          gpuverify_benchmarks()})
    all.insert(all.end(), set.begin(), set.end());
  return all;
}

std::string name_of(Case const& each) { return each.set + ": " + each.label.name; }

char const* variable(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::set<std::string> kinds_of(std::string const& text) {
  std::set<std::string> kinds;
  std::istringstream stream(text);
  for (std::string each; std::getline(stream, each, '|');) kinds.insert(each);
  return kinds;
}

#ifdef TILESTEP_PUBLIC_RECORD

// "found": under every schedule. "other kind": reported, but not as the label has it.
struct Judged {
  // "found", "correct", "missed", "false alarm", "other kind", "wrong result"; "out of scope: RULE" where it is a race
  std::string verdict, kinds;
};

// What the checker says under one schedule. @param messages  gets the hazards
std::set<std::string> run_once(Case const& each, RunOptions const& options, std::string& messages, bool& is_right) {
  set_run_options(options);
  (void)take_reports();
  is_right = each.run() && is_right;
  std::set<std::string> kinds;
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) {
      kinds.insert(hazard.kind);
      messages += hazard.kind + ": " + hazard.message + "\n";
    }
  }
  set_run_options({});
  return kinds;
}

Judged judge(Case const& each, std::string& messages) {
  using enum Schedule::Kind;
  std::set<std::string> const expected = kinds_of(each.label.expected);
  std::set<std::string> seen;
  bool is_right = true, is_missed = false, is_other = false;
  for (Schedule const schedule : {Schedule{in_order, 0}, Schedule{reverse, 0}, Schedule{random, 1}, Schedule{random, 2},
                                  Schedule{random, 3}}) {
    for (int const workers : {1, 3}) {
      auto const found = run_once(each, {each.label.target, schedule, true, workers}, messages, is_right);
      seen.insert(found.begin(), found.end());
      auto const is_expected = [&](std::string const& kind) { return expected.contains(kind); };
      is_missed = is_missed || found.empty();
      // In a ring of Hopper's one mistake leads to others: there one of its kinds is enough.
      is_other = is_other || (each.label.target == "sm90" ? std::none_of(found.begin(), found.end(), is_expected)
                                                          : !std::all_of(found.begin(), found.end(), is_expected));
    }
  }
  Judged judged;
  for (std::string const& kind : seen) judged.kinds += (judged.kinds.empty() ? "" : "|") + kind;
  if (!each.label.rule.empty() && judged.kinds == "race" && !is_missed)
    judged.verdict = "out of scope: " + each.label.rule;
  else if (expected.empty()) judged.verdict = !seen.empty() ? "false alarm" : is_right ? "correct" : "wrong result";
  else judged.verdict = is_missed ? "missed" : is_other ? "other kind" : "found";
  return judged;
}

std::string line_of(Case const& each, Judged const& judged) {
  std::string const label = each.label.expected.empty() ? "correct" : "buggy";
  return "\"" + each.set + "\",\"" + each.label.name + "\",\"" + each.label.source + "\"," +
         (each.label.target.empty() ? "sm80" : each.label.target) + "," + label + "," + each.label.expected + "," +
         judged.verdict + "," + judged.kinds + "\n";
}

std::string record() {
  std::string text = "set,case,source,target,label,expected,verdict,seen\n";
  for (Case const& each : all_cases()) {
    std::string messages;
    text += line_of(each, judge(each, messages));
  }
  return text;
}

std::string contents(std::string const& path) {
  std::ifstream const file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

#endif

}  // namespace

#ifdef TILESTEP_PUBLIC_RECORD

TEST_CASE("the checker judges the kernels of public sets as their labels say", "[host][public]") {
  for (Case const& each : all_cases()) {
    std::string messages;
    Judged const judged = judge(each, messages);
    INFO(name_of(each) << ", expected " << each.label.expected << "\n" << messages.substr(0, 2000));
    std::string const& rule = each.label.rule;
    std::string const in_scope = each.label.expected.empty() ? "correct" : "found";
    CHECK(judged.verdict == (rule.empty() ? in_scope : "out of scope: " + rule));
  }
}

TEST_CASE("the record of public sets is what the checker says", "[host][public]") {
  CHECK(record() == contents(TILESTEP_PUBLIC_RECORD));
}

TEST_CASE("the record of public sets is written", "[.record]") {
  std::ofstream file(variable("TILESTEP_RECORD"));
  REQUIRE(file);
  file << record();
}

#endif

TEST_CASE("the correct kernels of public sets run and are right", "[device][public]") {
  backend_test::need_device();
  for (Case const& each : all_cases()) {
    if (!each.label.expected.empty()) continue;
    INFO(name_of(each));
#ifdef TILESTEP_PUBLIC_RECORD
    set_run_options({each.label.target, {}, true, 0});
#else
    if (!each.label.target.empty() && !each.label.target.starts_with("sm")) continue;  // AMD's own instructions
    if (each.label.target == "sm90" && target().name != "sm90") continue;
#endif
    CHECK(each.run());
    set_run_options({});
  }
}

TEST_CASE("each case of public sets has a name of its own", "[public]") {
  std::set<std::string> names;
  int correct = 0;
  for (Case const& each : all_cases()) {
    CHECK(names.insert(name_of(each)).second);
    correct += each.label.expected.empty();
    CHECK((each.label.rule.empty() || each.label.rule == "lockstep" || each.label.rule == "two writes"));
    for (std::string const& kind : kinds_of(each.label.expected)) CHECK(!hazard_name(kind).empty());
  }
  CHECK(names.size() >= 60);
  CHECK(3 * std::size_t(correct) >= names.size());
}

TEST_CASE("the names of all public cases are listed", "[.list]") {
  std::ofstream file(variable("TILESTEP_CASES"));
  REQUIRE(file);
  for (Case const& each : all_cases()) file << name_of(each) << "\n";
}

TEST_CASE("one case of public sets runs alone", "[.one]") {
  bool has_run = false;
  for (Case const& each : all_cases()) {
    if (name_of(each) != variable("TILESTEP_CASE")) continue;
    (void)each.run();
    has_run = true;
  }
  CHECK(has_run);
}
