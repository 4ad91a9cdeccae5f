#include <tilestep/harness/gemm_chapter.hpp>

#include <tilestep/backend/runtime.hpp>       // target, take_reports
#include <tilestep/harness/command_line.hpp>  // CommandLine
#include <tilestep/harness/gemm_options.hpp>  // GemmOwnOptions
#include <tilestep/harness/npy.hpp>           // files
#include <tilestep/harness/program.hpp>       // run_main
#include <tilestep/harness/record.hpp>        // Record

#include "device_array.hpp"
#include "gemm_bench.hpp"
#include "gemm_run.hpp"
#include "gemm_setup.hpp"
#include "gemm_tune.hpp"
#include "list_file.hpp"
#include "problem_list.hpp"

#include <algorithm>  // std::any_of, std::find
#include <cmath>      // std::nearbyint
#include <iostream>   // std::cout
#include <optional>   // what is only sometimes there
#include <sstream>    // words of a line

namespace tilestep {

namespace {

void write_result(GemmSetup const& setup, HostMatrix const& c) {
  std::vector<std::int64_t> shape{setup.problem.m, setup.problem.n};
  if (setup.batched) shape.insert(shape.begin(), setup.problem.batch);
  write_npy(setup.file_out, {setup.problem.out, shape, c.packed()});
}

// Whole alpha and beta, so that sums of whole numbers stay whole; zero stays zero.
GemmProblem whole_problem(GemmProblem problem) {
  auto const whole = [](double value, double otherwise) {
    return value == std::nearbyint(value) && std::abs(value) <= 64 ? value : otherwise;
  };
  problem.alpha = whole(problem.alpha, 2);
  problem.beta = whole(problem.beta, 3);
  return problem;
}

// What the virtual GPU plays where the command names no target and the chapter has nothing for the virtual GPU's own:
// else nothing.
std::string target_for(GemmChapter const& chapter) {
  if (!on_virtual_gpu()) return {};
  auto const runs_here = [own = std::string(target().name)](GemmTypes const& types) {
    return types.targets.empty() || std::find(types.targets.begin(), types.targets.end(), own) != types.targets.end();
  };
  return std::any_of(chapter.types.begin(), chapter.types.end(), runs_here) ? std::string{}
                                                                            : chapter.types.front().targets.front();
}

Exit run_chapter(int argc, char** argv, GemmChapter const& chapter, GemmOwnOptions const& own);

// Each line's run as a terminal would show it: `$ program options`, what the run prints, and its exit code where that
// is not 0.
Exit run_each(std::string const& path, GemmChapter const& chapter, GemmOwnOptions const& own) {
  ListFile file("--each", path);
  std::string const name = chapter.name;
  auto worst = Exit::right;
  bool any = false;
  for (std::string text; file.next(text);) {
    std::istringstream words(text);
    std::vector<std::string> arguments{name};
    for (std::string word; words >> word;) arguments.push_back(word);
    if (arguments.size() == 1 || arguments[1].starts_with('#')) continue;
    any = true;
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    std::cout << "$ " << name << " " << text << std::endl;
    if (on_virtual_gpu()) set_run_options({});  // each line begins as a process does
    int const code = run_main(int(argv.size()), argv.data(), [&](int count, char** values) {
      if (std::find(arguments.begin(), arguments.end(), "--each") != arguments.end())
        bad_input("--each: a line has the options of one run, and no --each");
      return run_chapter(count, values, chapter, own);
    });
    (void)take_reports();  // of a run that ended before it could
    if (code != 0) std::cout << "[exit code " << code << "]" << std::endl;
    if (worst == Exit::right) worst = Exit(code);
  }
  if (!any) bad_input("--each " + path + ": has no line of options");
  return worst;
}

Exit run_chapter(int argc, char** argv, GemmChapter const& chapter, GemmOwnOptions const& own) {
  CommandLine line(chapter.name, chapter.adds);
  GemmOptions options(line, chapter);
  if (own.declare) own.declare(line);
  std::string each, tuned, against = "all";
  line.add("--each", each, "run each line of options of a file, or of - (standard input), in this process");
  if (own.candidates) {
    line.add("--tune", tuned, "measure every candidate for each problem of a .csv file, or of - (standard input)");
    line.add("--against", against, {"all", "library", "nothing"},
             "with --tune: what takes turns with what the program would run: candidates and the vendor's library, the "
             "library, nothing");
  }
  if (!line.parse(argc, argv)) return Exit::right;
  if (line.common().list) {
    print_support(line, chapter);
    return Exit::right;
  }
  if (!each.empty()) {
    if (argc != 3) bad_input("--each has all options in its lines: say nothing beside it");
    return run_each(each, chapter, own);
  }
  if (tuned.empty() && against != "all") bad_input("--against is for --tune: say what to measure");
  // What is wrong in a list is said on every machine, also where there is no device to measure on.
  if (!tuned.empty()) {
    std::vector<ListedProblem> const list = problem_list("--tune", tuned, line, chapter);
    refuse_tuning();
    begin_run(line);
    return tune_gemm(line, chapter, own, list, {argv, argv + argc}, against_named(against));
  }
  if (!options.problems.empty()) {
    if (!options.bench) bad_input("--problems is a list of problems to measure: say --bench, too");
    if (own.bench) bad_input("--problems: " + chapter.name + " measures one problem at a time, by its options");
    std::vector<ListedProblem> const list = problem_list("--problems", options.problems, line, chapter);
    refuse_bench(options);
    begin_run(line);
    return bench_list(line, chapter, list, {argv, argv + argc},
                      own.parameters ? own.parameters() : decltype(GemmSetup::own_parameters){});
  }
  if (options.bench && !own.bench) refuse_bench(options);
  GemmSetup setup = set_up(line, options, chapter);
  if (own.parameters) setup.own_parameters = own.parameters();
  if (own.parts) setup.problem.parts = own.parts(call_for(setup, setup.problem));
  std::int64_t const guard = guard_bytes(line.common().check);
  if (!setup.file_out.empty()) require_writable(setup.file_out);
  begin_run(line, true, target_for(chapter));
  refuse_target(setup, chapter);
  if (chapter.refuses) {
    std::string const sentence = chapter.refuses(call_for(setup, setup.problem));
    if (!sentence.empty()) bad_input(sentence);
  }
  if (own.instead && own.instead(line, call_for(setup, setup.problem))) return Exit::right;
  if (options.bench && own.bench) return own.bench(line, call_for(setup, setup.problem));
  std::int64_t bytes = setup.place_a.span_bytes() + setup.place_b.span_bytes() + setup.place_c.span_bytes();
  if (setup.problem.bias) bytes += setup.place_bias.span_bytes();
  if (setup.problem.residual) bytes += setup.place_residual.span_bytes();
  require_memory(bytes + 2 * setup.place_c.span_bytes(), bytes);

  if (options.bench) return bench_gemm(line, chapter, setup, {argv, argv + argc});

  Record record;
  describe(setup, record);
  if (chapter.note) {
    std::string const sentence = chapter.note(call_for(setup, setup.problem));
    if (!sentence.empty()) record.notes.push_back(sentence);
  }
  std::optional<Outcome> last;
  if (!setup.file_a.empty()) {
    bool const exact = is_integer(setup.problem.acc);
    last = run_once(chapter.run, setup, setup.problem, "files", exact, operands_from_files(setup, guard));
    record.checks.push_back(last->check);
  } else {
    GemmProblem const whole = whole_problem(setup.problem);
    record.checks.push_back(
        run_once(chapter.run, setup, whole, "integers", true, whole_operands(setup, whole, guard)).check);
    bool const exact = is_integer(setup.problem.acc);
    last = run_once(chapter.run, setup, setup.problem, "random", exact, normal_operands(setup, setup.problem, guard));
    record.checks.push_back(last->check);
  }
  record.target = std::string(target().name);
  record.device = device_name();
  record.kernels = take_reports();
  if (!setup.file_out.empty()) write_result(setup, last->c);
  if (chapter.figures && !line.common().svg.empty()) write_figures(line, chapter.figures());
  return finish_run(line, record);
}

}  // namespace

int gemm_main(int argc, char** argv, GemmChapter const& chapter) { return gemm_main(argc, argv, chapter, {}); }
int gemm_main(int argc, char** argv, GemmChapter const& chapter, GemmOwnOptions const& own) {
  return run_main(argc, argv, [&](int count, char** values) { return run_chapter(count, values, chapter, own); });
}

}  // namespace tilestep
