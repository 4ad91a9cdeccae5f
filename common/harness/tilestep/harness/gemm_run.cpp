#include "gemm_run.hpp"

#include <tilestep/backend/caller.hpp>      // follow_kernels_of_the_caller
#include <tilestep/backend/runtime.hpp>     // target, synchronize
#include <tilestep/harness/gemm_check.hpp>  // check_gemm
#include <tilestep/harness/npy.hpp>         // files

#include "device_array.hpp"

#include <fmt/format.h>

namespace tilestep {

Operands empty_operands(GemmSetup const& setup, std::int64_t guard) {
  Operands operands{HostMatrix(setup.place_a, guard), HostMatrix(setup.place_b, guard),
                    HostMatrix(setup.place_c, guard)};
  if (setup.problem.bias) operands.bias.emplace(setup.place_bias, guard);
  if (setup.problem.residual) operands.residual.emplace(setup.place_residual, guard);
  return operands;
}

Operands operands_from_files(GemmSetup const& setup, std::int64_t guard) {
  Operands operands = empty_operands(setup, guard);
  NpyBits const& of_ab = setup.operand_bits;
  operands.a.set_packed(read_npy(setup.file_a, of_ab).data, setup.layout[0] == 't');
  operands.b.set_packed(read_npy(setup.file_b, of_ab).data, setup.layout[1] == 'n');  // stored K x N under n
  if (!setup.file_c.empty()) operands.c.set_packed(read_npy(setup.file_c, setup.bits).data, false);
  if (operands.bias) operands.bias->set_packed(read_npy(setup.file_bias, {}, true).data, false);
  if (operands.residual) operands.residual->set_packed(read_npy(setup.file_residual, setup.bits).data, false);
  return operands;
}

// The salts keep A, B and C different.
Operands whole_operands(GemmSetup const& setup, GemmProblem const& problem, std::int64_t guard) {
  Operands operands = empty_operands(setup, guard);
  IntegerRange const range = exact_range(problem);
  operands.a.fill_integers(setup.seed, 1, range.a, range.density);
  operands.b.fill_integers(setup.seed, 2, range.b);
  if (problem.beta != 0) operands.c.fill_integers(setup.seed, 3, range.c);
  if (operands.bias) operands.bias->fill_integers(setup.seed, 9, range.added);
  if (operands.residual) operands.residual->fill_integers(setup.seed, 10, range.added);
  return operands;
}

Operands normal_operands(GemmSetup const& setup, GemmProblem const& problem, std::int64_t guard) {
  Operands operands = empty_operands(setup, guard);
  operands.a.fill_normals(setup.seed, 4);
  operands.b.fill_normals(setup.seed, 5);
  if (problem.beta != 0) operands.c.fill_normals(setup.seed, 6);
  if (operands.residual) operands.residual->fill_normals(setup.seed, 12);
  if (operands.bias) {  // numbers of C's type: a library may keep a bias in it
    operands.bias->fill_normals(setup.seed, 11);
    for (std::int64_t n = 0; n < problem.n; ++n)
      operands.bias->set(0, n, 0, rounded(problem.out, operands.bias->get(0, n, 0)));
  }
  return operands;
}

GemmCall call_for(GemmSetup const& setup, GemmProblem const& problem) {
  GemmCall call;
  call.kernel = setup.kernel;
  call.dtype = problem.dtype, call.acc = problem.acc, call.out = problem.out;
  call.m = problem.m, call.n = problem.n, call.k = problem.k, call.batch = problem.batch;
  call.stride_a = setup.place_a.strides, call.stride_b = setup.place_b.strides, call.stride_c = setup.place_c.strides;
  call.alpha = problem.alpha, call.beta = problem.beta;
  call.epilogue.activation = problem.activation;
  call.epilogue.has_bias = problem.bias, call.epilogue.has_residual = problem.residual;
  call.epilogue.stride_residual = setup.place_residual.strides;
  call.target = std::string(target().name);
  call.units = setup.units;
  return call;
}

Outcome run_once(std::function<void(GemmCall const&)> const& launch, GemmSetup const& setup, GemmProblem const& problem,
                 std::string const& name, bool exact, Operands const& operands, bool may_write_gaps) {
  HostMatrix result = operands.c;
  {
    DeviceArray const a("A", operands.a), b("B", operands.b);
    DeviceArray c("C", operands.c);
    std::optional<DeviceArray> bias, residual;
    if (operands.bias) bias.emplace("the bias", *operands.bias);
    if (operands.residual) residual.emplace("the residual", *operands.residual);
    if (problem.beta == 0) c.forget();  // reading C is a hazard then
    GemmCall call = call_for(setup, problem);
    call.a = a.elements(), call.b = b.elements(), call.c = c.elements();
    if (bias) call.epilogue.bias = bias->elements();
    if (residual) call.epilogue.residual = residual->elements();
    follow_kernels_of_the_caller();
    launch(call);
    synchronize();
    c.download(result);
  }
  CheckResult const verdict = check_gemm(problem, operands.a, operands.b, operands.c, result, exact, setup.seed,
                                         operands.bias ? &*operands.bias : nullptr,
                                         operands.residual ? &*operands.residual : nullptr);
  Check check{.name = name,
              .method = verdict.method,
              .right = verdict.right,
              .compared = verdict.compared,
              .wrong = verdict.wrong,
              .max_error = verdict.max_error,
              .bound = verdict.bound,
              .first_failure = verdict.first ? to_string(*verdict.first) : ""};
  std::string const outside = may_write_gaps ? "" : result.changed_outside(operands.c);
  if (!outside.empty()) {
    check.right = false;
    check.first_failure += (check.first_failure.empty() ? "" : "; ") + ("C: " + outside);
  }
  return {std::move(result), check};
}

void describe(GemmSetup const& setup, Record& record) {
  GemmProblem const& problem = setup.problem;
  record.problem =
      fmt::format("m {} n {} k {}{}, {}, {}", problem.m, problem.n, problem.k,
                  problem.batch == 1 ? "" : fmt::format(" batch {}", problem.batch), types_text(problem), setup.layout);
  if (problem.alpha != 1) record.problem += fmt::format(", alpha {}", problem.alpha);
  if (problem.beta != 0) record.problem += fmt::format(", beta {}", problem.beta);
  std::string const activation = problem.activation == Activation::none   ? ""
                                 : problem.activation == Activation::relu ? "relu"
                                                                          : "gelu";
  if (problem.bias) record.problem += ", bias";
  if (!activation.empty()) record.problem += ", " + activation;
  if (problem.residual) record.problem += ", residual";
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
  if (problem.bias) parameters.emplace_back("bias", true);
  if (!activation.empty()) parameters.emplace_back("activation", activation);
  if (problem.residual) parameters.insert(parameters.end(), {{"residual", true}, {"ldr", setup.ldr}});
  if (setup.units > 0) parameters.emplace_back("units", setup.units);
  parameters.insert(parameters.end(), setup.own_parameters.begin(), setup.own_parameters.end());
}

}  // namespace tilestep
