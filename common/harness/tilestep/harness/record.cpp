#include <tilestep/harness/record.hpp>

#include <tilestep/backend/machine.hpp>  // machine_named
#include <tilestep/backend/runtime.hpp>  // target, device_name, set_run_options
#include <tilestep/harness/npy.hpp>      // require_writable, write_text

#include "build_info.hpp"  // backend_name, commit
#include "json.hpp"        // number

#include <fmt/ostream.h>

#include <unistd.h>  // sysconf

#include <algorithm>   // std::min
#include <cmath>       // std::isnan
#include <cstdio>      // stderr
#include <filesystem>  // folders of figures
#include <fstream>     // /proc/meminfo
#include <iostream>    // std::cout
#include <limits>      // std::numeric_limits
#include <set>         // hazards that were said already

namespace tilestep {

namespace {

Schedule parsed_schedule(std::string const& text) {
  if (text == "reverse") return {Schedule::Kind::reverse, 0};
  if (text.starts_with("random:")) return {Schedule::Kind::random, std::stoull(text.substr(7))};
  return {};
}

/// A hazard with the kernel it was found in.
struct Found {
  std::string kernel;
  Hazard hazard;
};

std::vector<Found> distinct_hazards(Record const& record) {
  std::vector<Found> result;
  std::set<std::pair<std::string, std::string>> seen;
  for (KernelReport const& report : record.kernels) {
    for (Hazard const& hazard : report.hazards) {
      if (seen.emplace(report.kernel, hazard.message).second) result.push_back({report.kernel, hazard});
    }
  }
  return result;
}

// The check that says most: a wrong one, otherwise the one that comes nearest to its bound.
Check const* decisive(std::vector<Check> const& checks) {
  auto const ratio = [](Check const& check) {
    double const value = check.bound > 0 ? check.max_error / check.bound : check.max_error;
    return !check.right || std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  };
  Check const* result = nullptr;
  for (Check const& check : checks) {
    if (!result || ratio(check) > ratio(*result) || (ratio(check) == ratio(*result) && check.bound > result->bound)) {
      result = &check;
    }
  }
  return result;
}

Exit verdict_of(Record const& record, std::size_t hazards) {
  if (hazards > 0) return Exit::hazard;
  for (Check const& check : record.checks) {
    if (!check.right) return Exit::wrong;
  }
  return Exit::right;
}

char const* word(Exit verdict) {
  return verdict == Exit::hazard ? "hazard" : verdict == Exit::wrong ? "wrong" : "right";
}

Json as_json(Check const& check) {
  return {{"name", check.name},
          {"method", check.method},
          {"compared", check.compared},
          {"wrong", check.wrong},
          {"max_error", number(check.max_error)},
          {"bound", number(check.bound)},
          {"verdict", check.right ? "right" : "wrong"},
          {"first_failure", check.first_failure.empty() ? Json(nullptr) : Json(check.first_failure)}};
}

Json as_json(KernelReport const& report) {
  Json result = {{"kernel", report.kernel},
                 {"target", report.target},
                 {"blocks", report.blocks},
                 {"threads", report.threads},
                 {"shared_bytes", report.shared_bytes},
                 {"seconds", report.seconds}};
  if (on_virtual_gpu()) {
    report.counters.for_each([&](char const* name, std::int64_t value) { result["counters"][name] = value; });
    result["matrix_instructions"] = Json::object();
    for (auto const& [name, count] : report.counters.matrix_instructions) result["matrix_instructions"][name] = count;
    result["assumed_rules"] = report.assumed_rules;
  }
  return result;
}

std::string as_json(CommandLine const& line, Record const& record, std::vector<Found> const& hazards, Exit verdict) {
  CommonOptions const& common = line.common();
  Json json = {{"schema", 1},
               {"chapter", line.chapter()},
               {"backend", build_info::backend},
               {"target", record.target.empty() ? "none" : record.target},
               {"device", record.device.empty() ? "none" : record.device},
               {"commit", build_info::commit()},
               {"problem", record.problem}};
  json["parameters"] = Json::object();
  for (auto const& [name, value] : record.parameters) {
    std::visit([&, &key = name](auto const& held) { json["parameters"][key] = held; }, value);
  }
  json["notes"] = record.notes;
  json["seed"] = common.seed;
  json["schedule"] = common.schedule;
  json["check"] = common.check && on_virtual_gpu();
  json["checks"] = Json::array();
  for (Check const& check : record.checks) json["checks"].push_back(as_json(check));
  Check const* const most = decisive(record.checks);
  json["max_error"] = most ? number(most->max_error) : Json(nullptr);
  json["bound"] = most ? number(most->bound) : Json(nullptr);
  json["hazards"] = hazards.size();
  json["hazard_list"] = Json::array();
  for (Found const& found : hazards) {
    json["hazard_list"].push_back(
        {{"kind", found.hazard.kind},
         {"name", hazard_name(found.hazard.kind)},
         {"message", found.hazard.message},
         {"kernel", found.kernel}});
  }
  json["kernels"] = Json::array();
  for (KernelReport const& report : record.kernels) json["kernels"].push_back(as_json(report));
  json["verdict"] = word(verdict);
  json["exit_code"] = static_cast<int>(verdict);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// 1234567 -> 1,234,567
std::string grouped(std::int64_t value) {
  std::string const digits = std::to_string(value);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-') result += ',';
    result += digits[i];
  }
  return result;
}

// What the hardware saw: one table for each kernel, launches of the same kernel once, the last of them.
void print_counters(std::ostream& out, std::vector<KernelReport> const& reports) {
  std::vector<KernelReport const*> last;
  for (KernelReport const& report : reports) {
    auto const same = [&](KernelReport const* other) { return other->kernel == report.kernel; };
    auto const found = std::find_if(last.begin(), last.end(), same);
    if (found == last.end())
      last.push_back(&report);
    else
      *found = &report;
  }
  for (KernelReport const* report : last) {
    fmt::print(out, "\nwhat the hardware saw: {} on {}, {} blocks of {} threads, {} bytes of shared memory\n",
               report->kernel, report->target, grouped(report->blocks), report->threads, grouped(report->shared_bytes));
    report->counters.for_each([&](std::string name, std::int64_t value) {
      if (value == 0) return;
      std::replace(name.begin(), name.end(), '_', ' ');
      fmt::print(out, "  {:<30}{:>18}\n", name, grouped(value));
    });
    for (auto const& [name, count] : report->counters.matrix_instructions) {
      fmt::print(out, "  {:<30}{:>18}\n", name, grouped(count));
    }
    if (report->assumed_rules)
      fmt::print(out, "  (wavefronts are counted by bank rules that are assumed for {})\n", report->target);
  }
}

void print_summary(std::ostream& out, CommandLine const& line, Record const& record, std::size_t hazards,
                   Exit verdict) {
  fmt::print(out, "{} on {}\n", line.chapter(), record.device.empty() ? "the host" : record.device);
  if (!record.problem.empty()) fmt::print(out, "  {:<10}{}\n", "problem", record.problem);
  for (std::string const& note : record.notes) fmt::print(out, "  {:<10}{}\n", "note", note);
  for (Check const& check : record.checks) {
    std::string const size = check.bound > 0
                                 ? fmt::format(", worst error {:.3g} of {:.3g} allowed", check.max_error, check.bound)
                             : check.wrong == 0     ? ""
                             : check.max_error != 0 ? fmt::format(", worst error {:.3g}", check.max_error)
                                                    : fmt::format(", {} of {} differ", check.wrong, check.compared);
    fmt::print(out, "  {:<10}{}{}: {}\n", check.name, check.method, size, check.right ? "right" : "wrong");
    if (!check.first_failure.empty()) fmt::print(out, "  {:<10}{}\n", "", check.first_failure);
  }
  if (on_virtual_gpu() && !record.device.empty()) {
    fmt::print(out, "  {:<10}{}\n", "hazards",
               !line.common().check ? "not looked for"
               : hazards == 0       ? "none"
                                    : grouped(std::int64_t(hazards)));
    if (line.common().check) print_counters(out, record.kernels);
    fmt::print(out, "\n");
  }
  fmt::print(out, "verdict: {}{}\n", word(verdict),
             verdict == Exit::wrong ? "; see docs/symptoms.md#wrong-result" : "");
}

// What the kernel says is free for this program, in bytes.
std::int64_t available_memory() {
  std::int64_t available = std::numeric_limits<std::int64_t>::max();
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key, rest; meminfo >> key; std::getline(meminfo, rest)) {
    std::int64_t kib = 0;
    if (key == "MemAvailable:" && meminfo >> kib) available = kib * 1024;
  }
  std::int64_t limit = 0, used = 0;  // a container's limit; "max" does not read as a number
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && std::ifstream("/sys/fs/cgroup/memory.current") >> used) {
    available = std::min(available, std::max<std::int64_t>(0, limit - used));
  }
  return available;
}

std::string figure_path(CommandLine const& line, std::string const& name) {
  return (std::filesystem::path(line.common().svg) / (name + ".svg")).string();
}

void make_figure_folder(CommandLine const& line) {
  std::error_code error;
  std::filesystem::create_directories(line.common().svg, error);
  if (error) bad_input(fmt::format("--svg {}: the folder cannot be made: {}", line.common().svg, error.message()));
  require_writable(figure_path(line, "figure"));
}

}  // namespace

std::string backend_of_build() { return build_info::backend; }
std::string commit_of_build() { return build_info::commit(); }

bool on_virtual_gpu() { return std::string(build_info::backend) == "host"; }

void begin_run(CommandLine const& line, bool launches, std::string const& plays) {
  CommonOptions const& common = line.common();
  if (!common.json.empty() && common.json != "-") require_writable(common.json);
  if (!common.target.empty()) (void)target_info(common.target);  // refuses an unknown one
  if (!common.machine.empty()) (void)machine_named(common.machine);
  if (launches) {
    bool const own = common.target.empty() && common.machine.empty() && on_virtual_gpu();
    set_run_options({.target = own ? plays : common.target,
                     .schedule = parsed_schedule(common.schedule),
                     .check = common.check,
                     .workers = 0,
                     .machine = common.machine});
    require_device();
  }
  if (!common.svg.empty()) make_figure_folder(line);
}

Exit finish_run(CommandLine const& line, Record const& record) {
  std::vector<Found> const hazards = distinct_hazards(record);
  Exit const verdict = verdict_of(record, hazards.size());
  print_summary(line.out(), line, record, hazards.size(), verdict);
  line.out().flush();
  for (Found const& found : hazards) {
    std::fputs(fmt::format("{}: {}\n", line.chapter(), text_of(found.hazard)).c_str(), stderr);
  }
  if (line.common().json.empty()) return verdict;
  std::string const json = as_json(line, record, hazards, verdict);
  if (line.common().json == "-")
    std::cout << json;
  else
    write_text(line.common().json, json);
  return verdict;
}

void write_figures(CommandLine const& line, std::vector<Figure> const& figures) {
  if (line.common().svg.empty()) return;
  for (Figure const& figure : figures) {
    std::string const path = figure_path(line, figure.name);
    write_text(path, figure.svg);
    fmt::print(line.out(), "wrote {}\n", path);
  }
}

void require_memory(std::int64_t host_bytes, std::int64_t device_bytes) {
  // The virtual GPU keeps device memory and its shadow (who wrote and read what, and when) on the host.
  constexpr double shadow = 6;
  double const needed =
      static_cast<double>(host_bytes) + (on_virtual_gpu() ? shadow * static_cast<double>(device_bytes) : 0);
  auto const available = static_cast<double>(available_memory());
  if (needed > available) {
    bad_input(fmt::format("the problem needs about {:.1f} GiB of memory and {:.1f} GiB are free: choose smaller sizes",
                          needed / 0x1p30, available / 0x1p30));
  }
}

}  // namespace tilestep
