#pragma once
// Runs a kernel on the virtual GPU and looks at its report.

#include <tilestep/backend/kernel.hpp>   // the words of kernels
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/pointer.hpp>  // global, shared, load, store
#include <tilestep/backend/runtime.hpp>  // set_run_options, take_reports, DeviceBuffer

#include <catch2/catch_test_macros.hpp>  // REQUIRE, INFO

#include <algorithm>  // std::count_if, std::min
#include <cstdint>    // std::int64_t
#include <numeric>    // std::iota
#include <string>     // messages
#include <vector>     // std::vector

namespace host_test {

using namespace tilestep;

/// The schedules under which every hazard must be found.
inline std::vector<Schedule> const schedules{{Schedule::Kind::in_order, 0},
                                             {Schedule::Kind::reverse, 0},
                                             {Schedule::Kind::random, 1},
                                             {Schedule::Kind::random, 2},
                                             {Schedule::Kind::random, 3}};

inline std::string name(Schedule schedule) {
  if (schedule.kind == Schedule::Kind::in_order) return "in-order";
  if (schedule.kind == Schedule::Kind::reverse) return "reverse";
  return "random:" + std::to_string(schedule.seed);
}

/// Runs one launch under these options and returns its report.
template <class Kernel, class Params>
KernelReport run(Kernel const& kernel, std::int64_t blocks, Params const& params, RunOptions const& options = {}) {
  set_run_options(options);
  (void)take_reports();
  launch(kernel, blocks, params);
  std::vector<KernelReport> const reports = take_reports();
  set_run_options({});
  REQUIRE(reports.size() == 1);
  return reports[0];
}

/// "kind: message" of every hazard, one per line.
inline std::string full_text(KernelReport const& report) {
  std::string all;
  for (Hazard const& hazard : report.hazards) all += hazard.kind + ": " + hazard.message + "\n";
  return all;
}

/// How many characters from `at` on are a file and a line, such as kernel.hpp:85. 0: they are none.
inline std::size_t length_of_place(std::string const& text, std::size_t at) {
  auto const is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  auto const is_letter = [&](std::size_t i) {
    return i < text.size() && ((text[i] >= 'a' && text[i] <= 'z') || text[i] == '_');
  };
  std::size_t end = at;
  while (is_letter(end) || is_digit(end)) ++end;
  if (end == at || (text.compare(end, 5, ".hpp:") != 0 && text.compare(end, 5, ".cpp:") != 0)) return 0;
  std::size_t const digits = end + 5;
  for (end = digits; is_digit(end);) ++end;
  return end == digits ? 0 : end - at;
}

/// How many characters of `text` say " after kernel.hpp:36 and before kernel.hpp:40" at `at`, or the second half of it;
/// 0 if something else stands there.
inline std::size_t length_of_span(std::string const& text, std::size_t at) {
  std::size_t end = at;
  for (std::string const word : {" after ", " and before "}) {
    if (text.compare(end, word.size(), word) != 0) continue;
    std::size_t const place = length_of_place(text, end + word.size());
    if (place > 0) end += word.size() + place;
  }
  return end - at;
}

/// The same without lines of kernels, which only kernels with line tables have. What is missing between two of them is
/// to be done first.
inline std::string without_lines(std::string const& text) {
  std::string const missing = ": sync_threads() is missing ", stops = "stops at ";
  std::string rest;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t const in_brackets = text.compare(i, 2, " (") == 0 ? length_of_place(text, i + 2) : 0,
                      stopped = text.compare(i, stops.size(), stops) == 0 ? length_of_place(text, i + stops.size()) : 0;
    if (in_brackets > 0 && text[i + 2 + in_brackets] == ')') {
      i += in_brackets + 3;
    } else if (stopped > 0) {
      rest += "stops";
      i += stops.size() + stopped;
    } else if (std::size_t const listed = text[i] == ',' ? length_of_span(text, i + 1) : 0; listed > 0) {
      i += 1 + listed;
    } else if (std::size_t const span = length_of_span(text, i); span > 0) {
      if (text.compare(i, 7, " after ") == 0) rest += " first";
      i += span;
    } else if (text.compare(i, missing.size(), missing) == 0) {
      std::size_t const from = i + missing.size();
      i = std::min({text.find(" (", from), text.find('\n', from), text.size()});
    } else {
      rest += text[i++];
    }
  }
  return rest;
}
inline std::string text(KernelReport const& report) { return without_lines(full_text(report)); }

/// True if there are hazards and all are of this kind.
inline bool only(KernelReport const& report, std::string const& kind) {
  auto const same = [&](Hazard const& hazard) { return hazard.kind == kind; };
  return !report.hazards.empty() && std::all_of(report.hazards.begin(), report.hazards.end(), same);
}

/// Checks that the kernel has hazards of this kind and no other, under every schedule and on one worker and several.
/// `make_params` makes fresh memory for each run.
template <class Kernel, class MakeParams>
void check_found(std::string const& kind, Kernel const& kernel, std::int64_t blocks, MakeParams&& make_params) {
  for (Schedule const& schedule : schedules) {
    for (int const workers : {1, 3}) {
      INFO("schedule " << name(schedule) << ", workers " << workers);
      auto&& memory = make_params();
      KernelReport const report = run(kernel, blocks, memory.params(), RunOptions{"", schedule, true, workers});
      INFO(text(report));
      CHECK(only(report, kind));
    }
  }
}

/// Checks that the kernel has no hazards under every schedule.
template <class Kernel, class MakeParams>
void check_clean(Kernel const& kernel, std::int64_t blocks, MakeParams&& make_params) {
  for (Schedule const& schedule : schedules) {
    INFO("schedule " << name(schedule));
    auto&& memory = make_params();
    KernelReport const report = run(kernel, blocks, memory.params(), RunOptions{"", schedule, true, 2});
    INFO(text(report));
    CHECK(report.hazards.empty());
  }
}

/// What most kernels here work on.
struct InOut {
  float const* in;
  float* out;
  int count;
};

/// Device memory for InOut: `in` holds 0, 1, 2, ... and `out` nothing.
struct Buffers {
  DeviceBuffer<float> in, out;
  int count;

  explicit Buffers(int n) : in("in", n), out("out", n), count(n) {
    std::vector<float> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 0.0f);
    in.upload(values.data(), n);
  }
  InOut params() { return {in.data(), out.data(), count}; }
  std::vector<float> result() {
    std::vector<float> values(static_cast<std::size_t>(count));
    out.download(values.data(), count);
    return values;
  }
};

inline auto buffers(int n) {
  return [n] { return Buffers(n); };
}

}  // namespace host_test
