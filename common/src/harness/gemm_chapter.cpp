#include <tilestep/harness/gemm_chapter.hpp>

#include <tilestep/backend/runtime.hpp>       // target, take_reports, synchronize
#include <tilestep/harness/command_line.hpp>  // CommandLine
#include <tilestep/harness/gemm_check.hpp>    // check_gemm
#include <tilestep/harness/npy.hpp>           // files
#include <tilestep/harness/program.hpp>       // run_main
#include <tilestep/harness/record.hpp>        // Record

#include "device_array.hpp"
#include "gemm_setup.hpp"

#include <fmt/format.h>

#include <cmath>     // std::nearbyint
#include <optional>  // what is only sometimes there

namespace tilestep {

namespace {

/// A, B and C on the host, before the run.
struct Operands {
  HostMatrix a;
  HostMatrix b;
  HostMatrix c;
};

/// One run of the kernel on one set of inputs, and what came of it.
struct Outcome {
  HostMatrix c;
  Check check;
};

Operands empty_operands(GemmSetup const& setup, std::int64_t guard) {
  return {HostMatrix(setup.place_a, guard), HostMatrix(setup.place_b, guard), HostMatrix(setup.place_c, guard)};
}

Operands operands_from_files(GemmSetup const& setup, std::int64_t guard) {
  Operands operands = empty_operands(setup, guard);
  operands.a.set_packed(read_npy(setup.file_a, setup.bf16_npy).data, setup.layout[0] == 't');
  operands.b.set_packed(read_npy(setup.file_b, setup.bf16_npy).data, setup.layout[1] == 'n');  // stored K x N under n
  if (!setup.file_c.empty()) operands.c.set_packed(read_npy(setup.file_c, setup.bf16_npy).data, false);
  return operands;
}

// Small whole numbers of which every sum is exact; the salts keep A, B and C different.
Operands whole_operands(GemmSetup const& setup, GemmProblem const& problem, std::int64_t guard) {
  Operands operands = empty_operands(setup, guard);
  IntegerRange const range = exact_range(problem);
  operands.a.fill_integers(setup.seed, 1, range.a, range.density);
  operands.b.fill_integers(setup.seed, 2, range.b);
  if (problem.beta != 0) operands.c.fill_integers(setup.seed, 3, range.c);
  return operands;
}

Operands normal_operands(GemmSetup const& setup, GemmProblem const& problem, std::int64_t guard) {
  Operands operands = empty_operands(setup, guard);
  operands.a.fill_normals(setup.seed, 4);
  operands.b.fill_normals(setup.seed, 5);
  if (problem.beta != 0) operands.c.fill_normals(setup.seed, 6);
  return operands;
}

GemmCall call_for(GemmSetup const& setup, GemmProblem const& problem) {
  GemmCall call;
  call.kernel = setup.kernel;
  call.dtype = problem.dtype, call.acc = problem.acc, call.out = problem.out;
  call.m = problem.m, call.n = problem.n, call.k = problem.k, call.batch = problem.batch;
  call.stride_a = setup.place_a.strides, call.stride_b = setup.place_b.strides, call.stride_c = setup.place_c.strides;
  call.alpha = problem.alpha, call.beta = problem.beta;
  call.target = std::string(target().name);
  return call;
}

Outcome run_once(GemmChapter const& chapter, GemmSetup const& setup, GemmProblem const& problem,
                 std::string const& name, bool exact, Operands const& operands) {
  HostMatrix result = operands.c;
  {
    DeviceArray const a("A", operands.a), b("B", operands.b);
    DeviceArray c("C", operands.c);
    if (problem.beta == 0) c.forget();  // reading C is a hazard then
    GemmCall call = call_for(setup, problem);
    call.a = a.elements(), call.b = b.elements(), call.c = c.elements();
    chapter.run(call);
    synchronize();
    c.download(result);
  }
  CheckResult const verdict = check_gemm(problem, operands.a, operands.b, operands.c, result, exact, setup.seed);
  Check check{.name = name,
              .method = verdict.method,
              .right = verdict.right,
              .compared = verdict.compared,
              .wrong = verdict.wrong,
              .max_error = verdict.max_error,
              .bound = verdict.bound,
              .first_failure = verdict.first ? to_string(*verdict.first) : ""};
  std::string const outside = result.changed_outside(operands.c);
  if (!outside.empty()) {
    check.right = false;
    check.first_failure += (check.first_failure.empty() ? "" : "; ") + ("C: " + outside);
  }
  return {std::move(result), check};
}

void write_result(GemmSetup const& setup, HostMatrix const& c) {
  std::vector<std::int64_t> shape{setup.problem.m, setup.problem.n};
  if (setup.batched) shape.insert(shape.begin(), setup.problem.batch);
  write_npy(setup.file_out, {setup.problem.out, shape, c.packed()});
}

void describe(GemmSetup const& setup, Record& record) {
  GemmProblem const& problem = setup.problem;
  record.problem =
      fmt::format("m {} n {} k {}{}, {}, {}", problem.m, problem.n, problem.k,
                  problem.batch == 1 ? "" : fmt::format(" batch {}", problem.batch), types_text(problem), setup.layout);
  if (problem.alpha != 1) record.problem += fmt::format(", alpha {}", problem.alpha);
  if (problem.beta != 0) record.problem += fmt::format(", beta {}", problem.beta);
  auto& parameters = record.parameters;
  if (!setup.kernel.empty()) parameters.emplace_back("kernel", setup.kernel);
  parameters.insert(parameters.end(), {{"m", problem.m},
                                       {"n", problem.n},
                                       {"k", problem.k},
                                       {"batch", problem.batch},
                                       {"dtype", to_string(problem.dtype)},
                                       {"acc", to_string(problem.acc)},
                                       {"out_dtype", to_string(problem.out)},
                                       {"layout", setup.layout},
                                       {"alpha", problem.alpha},
                                       {"beta", problem.beta},
                                       {"lda", setup.lda},
                                       {"ldb", setup.ldb},
                                       {"ldc", setup.ldc}});
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

Exit run_chapter(int argc, char** argv, GemmChapter const& chapter) {
  CommandLine line(chapter.name, chapter.adds);
  GemmOptions options(line, chapter);
  if (!line.parse(argc, argv)) return Exit::right;
  if (line.common().list) {
    print_support(line, chapter);
    return Exit::right;
  }
  GemmSetup const setup = set_up(line, options, chapter);
  std::int64_t const guard = guard_bytes(line.common().check);
  if (!setup.file_out.empty()) require_writable(setup.file_out);
  begin_run(line);
  refuse_target(setup, chapter);
  if (chapter.refuses) {
    std::string const sentence = chapter.refuses(call_for(setup, setup.problem));
    if (!sentence.empty()) bad_input(sentence);
  }
  std::int64_t const bytes = setup.place_a.span_bytes() + setup.place_b.span_bytes() + setup.place_c.span_bytes();
  require_memory(bytes + 2 * setup.place_c.span_bytes(), bytes);

  Record record;
  describe(setup, record);
  if (chapter.note) {
    std::string const sentence = chapter.note(call_for(setup, setup.problem));
    if (!sentence.empty()) record.notes.push_back(sentence);
  }
  std::optional<Outcome> last;
  if (!setup.file_a.empty()) {
    bool const exact = is_integer(setup.problem.acc);
    last = run_once(chapter, setup, setup.problem, "files", exact, operands_from_files(setup, guard));
    record.checks.push_back(last->check);
  } else {
    GemmProblem const whole = whole_problem(setup.problem);
    record.checks.push_back(
        run_once(chapter, setup, whole, "integers", true, whole_operands(setup, whole, guard)).check);
    bool const exact = is_integer(setup.problem.acc);
    last = run_once(chapter, setup, setup.problem, "random", exact, normal_operands(setup, setup.problem, guard));
    record.checks.push_back(last->check);
  }
  record.target = std::string(target().name);
  record.device = device_name();
  record.kernels = take_reports();
  if (!setup.file_out.empty()) write_result(setup, last->c);
  if (chapter.figures) write_figures(line, chapter.figures());
  return finish_run(line, record);
}

}  // namespace

int gemm_main(int argc, char** argv, GemmChapter const& chapter) {
  return run_main(argc, argv, [&](int count, char** values) { return run_chapter(count, values, chapter); });
}

}  // namespace tilestep
