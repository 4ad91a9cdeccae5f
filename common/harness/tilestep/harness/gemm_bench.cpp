#include "gemm_bench.hpp"

#include <tilestep/backend/runtime.hpp>      // device memory
#include <tilestep/harness/npy.hpp>          // write_text

#include "ceiling.hpp"
#include "operand_sets.hpp"
#include "vendor_side.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>  // std::min_element
#include <iostream>   // std::cout
#include <optional>   // a side that is not there

namespace tilestep {

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

/// The times of the library's modes, or why there are none; the fastest is in times.mode.
/// @param name  of the check of its result   @param setup, operands  what is checked
std::optional<VendorTimes> times_of(VendorSide& side, std::string const& name, GemmSetup const& setup,
                                    Operands const& operands, TurnOptions options, std::string& missing) {
  VendorTimes times;
  std::vector<Contender> modes;
  for (std::string const& mode : side.modes()) modes.push_back(side.contestant(mode, mode));
  times.refusals = side.refusals();
  if (modes.empty()) {
    missing = side.library().name() + " does not compute this product";
    for (auto const& [mode, refusal] : times.refusals) missing += fmt::format("; {}: {}", mode, refusal);
    return std::nullopt;
  }
  options.turns = 3;
  options.warm_up /= 4;
  for (Turns const& turns : take_turns(modes, options))
    times.modes.emplace_back(turns.name, spread_of(turns.seconds).median);
  auto const faster = [](auto const& one, auto const& other) { return one.second < other.second; };
  times.mode = std::min_element(times.modes.begin(), times.modes.end(), faster)->first;
  auto const launch = [&](GemmCall const& call) { side.launch(call, times.mode); };
  times.check =
      run_once(launch, setup, setup.problem, name, is_integer(setup.problem.acc), operands, name == "repacked").check;
  return times;
}

/// The device's memory for the ceilings: operands of the loops, a place they never write, the two sides of a copy.
class CeilingSide {
 public:
  CeilingSide(GemmSetup const& setup, DeviceFacts const& facts)
      : copy_bytes_(on_virtual_gpu() ? 4 * facts.l2_bytes : std::max(4 * facts.l2_bytes, 256 * mebibyte)),
        operands_("the ceiling's operands", ceiling_words * 4, 4),
        sink_("the ceiling's sink", 256, 4),
        copy_("the ceiling's copy", 2 * copy_bytes_, 1) {
    DType const type = setup.problem.dtype;
    HostMatrix words(MatrixPlace{type, 1, ceiling_words * 4 / bytes_of(type), 1, {0, 1, 0}});
    words.fill_normals(setup.seed, 7);
    copy_to_device(operands_.at(0), words.image().data(), ceiling_words * 4);
    std::int64_t const piece = std::min(copy_bytes_, 16 * mebibyte);
    HostMatrix pattern(MatrixPlace{DType::f32, 1, piece / 4, 1, {0, 1, 0}});
    pattern.fill_normals(setup.seed, 8);
    for (std::int64_t at = 0; at < copy_bytes_; at += piece) {
      copy_to_device(copy_.at(at), pattern.image().data(), std::min(piece, copy_bytes_ - at));
    }
    std::int64_t const iterations = on_virtual_gpu() ? 2 : 2048;
    loops_ = ceiling_loops(type, setup.problem.acc, target().name, 2 * facts.units, iterations);
  }

  /// Adds what can be timed, and what one run of it does.
  void add(std::vector<Contender>& contenders, std::vector<Ceiling>& ceilings, DeviceTimer& timer) {
    for (CeilingLoop const& loop : loops_) {
      contenders.push_back(contender(loop.instruction, timer, [this, loop] {
        loop.launch(loop, reinterpret_cast<std::uint32_t const*>(operands_.at(0)),
                    reinterpret_cast<float*>(sink_.at(0)));
      }));
      ceilings.push_back({"operations", static_cast<double>(loop.operations), {}});
    }
    contenders.push_back(
        contender("copy", timer, [this] { copy_on_device(copy_.at(copy_bytes_), copy_.at(0), copy_bytes_); }));
    ceilings.push_back({"bytes", 2.0 * static_cast<double>(copy_bytes_), {}});
  }

 private:
  std::int64_t copy_bytes_;
  DeviceMemory operands_, sink_, copy_;
  std::vector<CeilingLoop> loops_;
};

/// Reports are off while this lives.
struct WithoutReports {
  WithoutReports() { keep_reports(false); }
  ~WithoutReports() { keep_reports(true); }
  WithoutReports(WithoutReports const&) = delete;
  WithoutReports& operator=(WithoutReports const&) = delete;
};

void measure(GemmChapter const& chapter, GemmSetup const& setup, Operands const& operands, TurnOptions const& options,
             BenchRecord& record) {
  WithoutReports const quiet;
  DeviceTimer timer;
  OperandSets sets(setup, operands, record.facts.l2_bytes);
  record.operand_sets = sets.count();
  auto const as_called = [&](GemmCall const& call) { return vendor_gemm(setup, call, sets.bias_in_type_of_c()); };
  VendorSide vendor(as_called, [&]() -> GemmCall const& { return sets.next(); }, timer);
  std::optional<RepackedSide> repacked;
  record.vendor_name = vendor.library().name();
  record.vendor_missing = vendor.library().missing();
  if (record.vendor_missing.empty() && setup.problem.residual)
    record.vendor_missing = record.vendor_name + " adds no residual after an activation";
  if (record.vendor_missing.empty()) {
    record.vendor = times_of(vendor, "vendor", setup, operands, options, record.vendor_missing);
    if (RepackedSide::helps(setup)) {
      repacked.emplace(setup, sets, timer);
      // the last row has zeros after it, too
      Operands const there{operands.a, operands.b, HostMatrix(repacked->setup.place_c, 256)};
      std::string missing;
      record.repacked = times_of(repacked->side, "repacked", repacked->setup, there, options, missing);
    }
  }
  CeilingSide ceiling(setup, record.facts);

  std::vector<Contender> contenders{contender("kernel", timer, [&] { chapter.run(sets.next()); })};
  if (record.vendor) contenders.push_back(vendor.contestant(record.vendor->mode, "vendor"));
  if (record.repacked) contenders.push_back(repacked->side.contestant(record.repacked->mode, "repacked"));
  std::size_t const first_ceiling = contenders.size();
  ceiling.add(contenders, record.ceilings, timer);

  record.before = device_state();
  std::vector<Turns> turns = take_turns(contenders, options);
  record.after = device_state();
  record.kernel = std::move(turns[0]);
  if (record.vendor) record.vendor->turns = std::move(turns[1]);
  if (record.repacked) record.repacked->turns = std::move(turns[record.vendor ? 2 : 1]);
  for (std::size_t i = 0; i < record.ceilings.size(); ++i)
    record.ceilings[i].turns = std::move(turns[first_ceiling + i]);
}

void print(std::ostream& out, BenchRecord const& record) {
  fmt::print(out, "{} on {}, driver {}, {}\n", record.chapter, record.described.device, record.facts.driver,
             record.facts.toolkit);
  for (std::string const& note : record.described.notes) fmt::print(out, "note: {}\n", note);
  if (!record.check.right) {
    fmt::print(out, "{}\nverdict: wrong: a wrong result has no speed\n", record.check.first_failure);
    return;
  }
  for (auto const& [side, where] :
       {std::pair(&record.vendor, ""), std::pair(&record.repacked, ", on repacked operands,")}) {
    if (*side && !(*side)->check.right) {
      fmt::print(out, "note: the result of {} {}{} is not within the bound of these types\n", record.vendor_name,
                 (*side)->mode, where);
    }
  }
  fmt::print(out, "{}", bench_table(record));
}

}  // namespace

void refuse_bench(GemmOptions const& options) {
  if (on_virtual_gpu()) {
    not_here(
        "--bench measures time, and the virtual GPU counts instead: run without --bench for its counters, or build the "
        "cuda or hip "
        "backend for a GPU");
  }
  auto const named = [](std::string const& value) { return !value.empty() && value != "on"; };
  if (named(options.a) || named(options.b) || named(options.c) || named(options.out) || named(options.bias) ||
      named(options.residual)) {
    bad_input(
        "--bench measures generated inputs: leave out --a, --b, --c, --out and the files of --bias and --residual");
  }
}

namespace {

/// Measures and prints. @return the record, with a check that may be wrong
BenchRecord bench_one(CommandLine const& line, GemmChapter const& chapter, GemmSetup const& setup,
                      std::string const& command, TurnOptions const& options) {
  GemmProblem const& problem = setup.problem;
  BenchRecord record;
  record.operations = 2.0 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
                      static_cast<double>(problem.k) * static_cast<double>(problem.batch);
  if (record.operations == 0) bad_input("--bench needs a problem with work to do: choose extents above 0");
  record.chapter = chapter.name;
  record.command = command;
  record.seed = setup.seed;
  record.described.target = std::string(target().name);
  record.described.device = device_name();
  describe(setup, record.described);
  if (chapter.note) {
    std::string const sentence = chapter.note(call_for(setup, problem));
    if (!sentence.empty()) record.described.notes.push_back(sentence);
  }
  record.facts = device_facts();

  Operands const operands = normal_operands(setup, problem, 0);
  record.check = run_once(chapter.run, setup, problem, "random", is_integer(problem.acc), operands).check;
  for (KernelReport const& report : take_reports()) record.kernels.push_back(report.kernel);
  if (record.check.right) measure(chapter, setup, operands, options, record);

  print(line.out(), record);
  line.out().flush();
  return record;
}

void write_record(CommandLine const& line, std::string const& json) {
  if (line.common().json == "-") std::cout << json;
  else if (!line.common().json.empty()) write_text(line.common().json, json);
}

}  // namespace

Exit bench_gemm(CommandLine const& line, GemmChapter const& chapter, GemmSetup const& setup,
                std::vector<std::string> const& command, TurnOptions const& options) {
  BenchRecord const record = bench_one(line, chapter, setup, fmt::format("{}", fmt::join(command, " ")), options);
  if (!record.check.right) return Exit::wrong;
  write_record(line, bench_json(record));
  return Exit::right;
}

namespace {

/// How to measure one problem of a list: the command without the list, with the problem.
std::string command_of_one(std::vector<std::string> const& command, std::vector<std::string> const& words) {
  std::vector<std::string> one;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == "--problems" || command[i] == "--json") ++i;
    else if (command[i] != "--bench" && !command[i].starts_with("--problems=") && !command[i].starts_with("--json="))
      one.push_back(command[i]);
  }
  one.insert(one.end(), words.begin(), words.end());
  one.emplace_back("--bench");
  return fmt::format("{}", fmt::join(one, " "));
}

}  // namespace

Exit bench_list(CommandLine const& line, GemmChapter const& chapter, std::vector<ListedProblem> list,
                std::vector<std::string> const& command, std::vector<std::pair<std::string, Record::Value>> const& own,
                TurnOptions options) {
  Exit worst = Exit::right;
  std::string runs;
  auto const text = [&] { return "{\"runs\": [\n" + runs + "]}\n"; };
  for (auto& [words, setup] : list) {
    setup.own_parameters = own;
    Exit code = Exit::right;
    try {
      refuse_target(setup, chapter);
      std::string const sentence = chapter.refuses ? chapter.refuses(call_for(setup, setup.problem)) : "";
      if (!sentence.empty()) bad_input(sentence);
      BenchRecord const record = bench_one(line, chapter, setup, command_of_one(command, words), options);
      options.warm_up = std::min(options.warm_up, 0.25);  // the next one finds the device at work
      if (record.check.right) runs += (runs.empty() ? "" : ",\n") + bench_json(record);
      else code = Exit::wrong;
    } catch (Error const& error) {
      fmt::print(line.out(), "{}: {}\n", fmt::join(words, " "), error.what());
      code = error.code();
    }
    if (worst == Exit::right) worst = code;
    if (!runs.empty() && line.common().json != "-") write_record(line, text());
  }
  if (!runs.empty() && line.common().json == "-") write_record(line, text());
  return worst;
}

}  // namespace tilestep
