#include "gemm_tune.hpp"

#include <tilestep/backend/measure.hpp>  // DeviceTimer
#include <tilestep/backend/runtime.hpp>  // target, synchronize
#include <tilestep/harness/npy.hpp>      // write_text

#include "bench_json.hpp"
#include "build_info.hpp"
#include "operand_sets.hpp"
#include "vendor_side.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <iostream>  // std::cout
#include <optional>  // a side that is not there

namespace tilestep {

namespace {

/// Candidates that run, as contenders; of the others, what was said.
std::vector<Contender> runners(std::vector<GemmCandidate> const& candidates, OperandSets& sets, DeviceTimer& timer,
                               Json& refused) {
  std::vector<Contender> contenders;
  for (GemmCandidate const& candidate : candidates) {
    try {
      candidate.launch(sets.next());
      synchronize();
    } catch (Error const& error) {
      refused.push_back({{"name", candidate.name}, {"refused", error.what()}});
      continue;
    }
    contenders.push_back(contender(candidate.name, timer, [&] { candidate.launch(sets.next()); }));
  }
  return contenders;
}

/// The library's modes as contenders beside the chapter's own: as it is called, and on repacked operands.
struct Libraries {
  Libraries(GemmSetup const& setup, OperandSets& sets, DeviceTimer& timer)
      : as_called([&](GemmCall const& call) { return vendor_gemm(setup, call, sets.bias_in_type_of_c()); },
                  [&]() -> GemmCall const& { return sets.next(); }, timer) {
    if (as_called.library().missing().empty() && !setup.problem.residual && RepackedSide::helps(setup))
      repacked.emplace(setup, sets, timer);
  }
  std::vector<Contender> contenders(bool residual) {
    std::vector<Contender> all;
    if (residual || !as_called.library().missing().empty()) return all;
    for (std::string const& mode : as_called.modes()) all.push_back(as_called.contestant(mode, mode));
    if (repacked)
      for (std::string const& mode : repacked->side.modes())
        all.push_back(repacked->side.contestant(mode, mode + " repacked"));
    return all;
  }

  VendorSide as_called;
  std::optional<RepackedSide> repacked;
};

Json json_of(Turns const& turns) {
  return {{"name", turns.name}, {"repeats", turns.repeats}, {"seconds", turns.seconds}};
}

/// @return the record of a problem, and a line for a person
std::pair<Json, std::string> tuned(GemmChapter const& chapter, GemmOwnOptions const& own, GemmSetup const& setup,
                                   Against against, RaceOptions options) {
  options.always = 1;  // what was planned
  if (against == Against::nothing) options.warm_up /= 5, options.turns /= 2;  // nothing is compared
  Record described;
  describe(setup, described);
  Json json = {{"problem", described.problem}, {"parameters", parameters_json(described)}};
  GemmProblem const& problem = setup.problem;
  double const operations = 2.0 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
                            static_cast<double>(problem.k) * static_cast<double>(problem.batch);
  try {
    refuse_target(setup, chapter);
    GemmCall const call = call_for(setup, problem);
    if (chapter.refuses && !chapter.refuses(call).empty()) bad_input(chapter.refuses(call));
    if (operations == 0) bad_input("there is no work to measure");
    std::vector<GemmCandidate> candidates;
    if (against == Against::all) candidates = own.candidates(call);
    OperandSets sets(setup, device_facts().l2_bytes);
    DeviceTimer timer;
    Json refused = Json::array();
    std::vector<Contender> const contenders = runners(candidates, sets, timer, refused);
    if (contenders.empty() && against == Against::all)
      bad_input(candidates.empty() ? std::string("there is no candidate")
                                   : "no candidate runs: " + refused[0]["refused"].get<std::string>());
    Libraries libraries(setup, sets, timer);
    std::vector<Contender> all{contender("planned", timer, [&] { chapter.run(sets.next()); })},
        of_library = against == Against::nothing ? std::vector<Contender>{} : libraries.contenders(problem.residual);
    all.insert(all.end(), contenders.begin(), contenders.end());
    for (Contender& each : of_library) each.group = 1;  // however fast it is, the candidates are compared
    all.insert(all.end(), of_library.begin(), of_library.end());
    std::vector<Turns> const every = race(all, options);
    auto const first_of_library = every.end() - std::ptrdiff_t(of_library.size());
    std::vector<Turns> const turns(every.begin() + 1, first_of_library);
    Json planned = json_of(every.front()), library = Json::array();
    if (chapter.note) planned["plan"] = chapter.note(call);
    if (own.cost) planned["cost"] = own.cost(call);
    for (auto each = first_of_library; each != every.end(); ++each) library.push_back(json_of(*each));

    Turns const& best = turns.empty() ? every.front() : turns[winner(turns)];
    std::size_t stayed = 0;
    Json list = Json::array();
    for (Turns const& each : turns) {
      list.push_back(json_of(each));
      if (each.seconds.size() > 1) ++stayed;
    }
    list.insert(list.end(), refused.begin(), refused.end());
    json["operations"] = operations;
    json["operand_sets"] = sets.count();
    if (!turns.empty()) json["best"] = best.name;
    json["planned"] = planned;
    json["candidates"] = list;
    if (!library.empty()) json["library"] = {{"name", libraries.as_called.library().name()}, {"modes", library}};
    double const seconds = spread_of(best.seconds).median;
    return {json, fmt::format("{}: {}, {:.4g} us, {:.3g} TFLOP/s; {} of {} candidates stayed", described.problem,
                              best.name, seconds * 1e6, operations / seconds * 1e-12, stayed, candidates.size())};
  } catch (Error const& error) {
    json["refused"] = error.what();
    return {json, fmt::format("{}: {}", described.problem, error.what())};
  }
}

}  // namespace

Against against_named(std::string const& name) {
  return name == "library" ? Against::library : name == "nothing" ? Against::nothing : Against::all;
}

void refuse_tuning() {
  if (on_virtual_gpu())
    not_here("--tune measures time, and the virtual GPU counts instead: build the cuda or hip backend for a GPU");
}

Exit tune_gemm(CommandLine const& line, GemmChapter const& chapter, GemmOwnOptions const& own,
               std::vector<ListedProblem> const& list, std::vector<std::string> const& command,
               Against against, RaceOptions const& options) {
  DeviceFacts const facts = device_facts();
  Json json = {{"schema", 1},
               {"kind", "tune"},
               {"chapter", chapter.name},
               {"backend", build_info::backend},
               {"target", std::string(target().name)},
               {"device", device_name()},
               {"driver", facts.driver},
               {"toolkit", facts.toolkit},
               {"units", facts.units},
               {"commit", build_info::commit()},
               {"command", fmt::format("{}", fmt::join(command, " "))},
               {"seed", line.common().seed},
               {"keep", options.keep},
               {"before", state_json(device_state())},
               {"after", nullptr},
               {"problems", Json::array()}};
  auto const text = [&] { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; };
  std::string const& file = line.common().json;
  std::size_t measured = 0;
  keep_reports(false);
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto const [record, sentence] = tuned(chapter, own, list[i].setup, against, options);
    if (!record.contains("refused")) ++measured;
    fmt::print(line.out(), "{} of {}: {}\n", i + 1, list.size(), sentence);
    line.out().flush();
    json["problems"].push_back(record);
    json["after"] = state_json(device_state());
    if (!file.empty() && file != "-") write_text(file, text());
  }
  keep_reports(true);
  if (file == "-") std::cout << text();
  return measured > 0 ? Exit::right : Exit::not_here;
}

}  // namespace tilestep
