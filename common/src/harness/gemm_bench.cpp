#include "gemm_bench.hpp"

#include <tilestep/backend/runtime.hpp>      // device memory
#include <tilestep/backend/vendor_gemm.hpp>  // VendorLibrary
#include <tilestep/harness/npy.hpp>          // write_text
#include <tilestep/harness/repack.hpp>       // repack

#include "ceiling.hpp"
#include "operand_sets.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>   // std::min_element
#include <functional>  // what a library is asked for
#include <iostream>    // std::cout
#include <optional>    // a side that is not there

namespace tilestep {

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

MatrixType matrix_type(DType type) {
  switch (type) {
    case DType::f32: return MatrixType::f32;
    case DType::tf32: return MatrixType::tf32;
    case DType::f16: return MatrixType::f16;
    case DType::bf16: return MatrixType::bf16;
    case DType::i32: return MatrixType::i32;
    case DType::i8: return MatrixType::i8;
    case DType::f64: return MatrixType::f64;
  }
  return MatrixType::f32;
}

VendorGemm vendor_gemm(GemmSetup const& setup, GemmCall const& call, void const* bias) {
  VendorGemm gemm;
  gemm.a_b = matrix_type(call.dtype), gemm.sum = matrix_type(call.acc), gemm.c_type = matrix_type(call.out);
  gemm.m = call.m, gemm.n = call.n, gemm.k = call.k, gemm.batch = call.batch;
  gemm.a = call.a, gemm.b = call.b, gemm.c = call.c;
  gemm.a_along_k = setup.layout[0] == 'n', gemm.b_along_k = setup.layout[1] == 't';
  gemm.lda = setup.lda, gemm.ldb = setup.ldb, gemm.ldc = setup.ldc;
  gemm.batch_a = call.stride_a.batch, gemm.batch_b = call.stride_b.batch, gemm.batch_c = call.stride_c.batch;
  gemm.alpha = call.alpha, gemm.beta = call.beta;
  gemm.bias = call.epilogue.has_bias ? bias : nullptr;
  gemm.relu = call.epilogue.activation == Activation::relu, gemm.gelu = call.epilogue.activation == Activation::gelu;
  return gemm;
}

std::int64_t aligned(std::int64_t elements, DType type) {
  std::int64_t const line = 16 / bytes_of(type);
  return (elements + line - 1) / line * line;
}

/// Are rows multiples of 16 bytes, and do they start at such, as a library likes it?
bool fits(std::int64_t leading, DType type) { return leading == aligned(leading, type); }
DType narrower(DType one, DType other) { return bytes_of(one) < bytes_of(other) ? one : other; }
bool has_aligned_rows(GemmSetup const& setup) {
  GemmProblem const& problem = setup.problem;
  return fits(problem.n, narrower(problem.dtype, problem.out)) && fits(problem.k, problem.dtype) &&
         fits(setup.lda, setup.problem.dtype) && fits(setup.ldb, setup.problem.dtype) &&
         fits(setup.ldc, setup.problem.out);
}

/// The same problem with a C whose rows start at multiples of 16 bytes.
GemmSetup with_aligned_c(GemmSetup setup) {
  setup.ldc = aligned(setup.ldc, narrower(setup.problem.dtype, setup.problem.out));
  setup.place_c.strides = {setup.ldc, 1, setup.ldc * setup.problem.m};
  return setup;
}

/// The product of copies that are made first: of operands whose rows do not fit, and where N or K does not, of all that
/// have this extent, so that zeros can follow. cuBLAS looks at the extents, too: N of 4100 is not enough for 2 bytes,
/// even where C has 4.
VendorGemm repacked_vendor_gemm(GemmSetup const& setup, GemmCall const& call) {
  std::int64_t const n = aligned(call.n, narrower(call.dtype, call.out)), k = aligned(call.k, call.dtype);
  bool const a = !fits(setup.lda, call.dtype) || k != call.k,
             b = !fits(setup.ldb, call.dtype) || k != call.k || n != call.n;
  GemmCall const copies = repack(call, a, b);
  VendorGemm gemm = vendor_gemm(setup, copies, nullptr);
  if (a) gemm.a_along_k = true, gemm.lda = copies.stride_a.row;
  if (b) gemm.b_along_k = true, gemm.ldb = copies.stride_b.row;
  gemm.n = n, gemm.k = k;
  return gemm;
}

/// Times `work(count)` by the device's clock.
Contender contender(std::string name, DeviceTimer& timer, std::function<void()> work) {
  return {std::move(name), [&timer, work = std::move(work)](std::int64_t count) {
            timer.start();
            for (std::int64_t i = 0; i < count; ++i) work();
            return timer.stop();
          }};
}

/// What the library does with a problem: its fastest mode, or why there is none.
class VendorSide {
 public:
  /// @param gemm_of  what the library is asked for; it may launch something first
  /// @param next     the call on the next operands
  VendorSide(std::function<VendorGemm(GemmCall const&)> gemm_of, std::function<GemmCall const&()> next,
             DeviceTimer& timer)
      : gemm_of_(std::move(gemm_of)), next_(std::move(next)), timer_(timer) {}

  [[nodiscard]] VendorLibrary const& library() const { return library_; }

  /// @param name, setup, operands  of the check of its result
  /// @param missing  says why there are no times
  std::optional<VendorTimes> prepare(std::string const& name, GemmSetup const& setup, Operands const& operands,
                                     TurnOptions options, std::string& missing) {
    VendorTimes times;
    std::vector<Contender> modes;
    for (std::string const& mode : library_.modes(gemm_of_(next_()))) {
      std::string const refusal = library_.run(gemm_of_(next_()), mode);
      synchronize();
      if (refusal.empty()) modes.push_back(side(mode));
      else times.refusals.emplace_back(mode, refusal);
    }
    if (modes.empty()) {
      missing = library_.name() + " does not compute this product";
      for (auto const& [mode, refusal] : times.refusals) missing += fmt::format("; {}: {}", mode, refusal);
      return std::nullopt;
    }
    options.turns = 3;
    options.warm_up /= 4;
    for (Turns const& turns : take_turns(modes, options))
      times.modes.emplace_back(turns.name, spread_of(turns.seconds).median);
    auto const faster = [](auto const& one, auto const& other) { return one.second < other.second; };
    mode_ = times.mode = std::min_element(times.modes.begin(), times.modes.end(), faster)->first;
    auto const launch = [&](GemmCall const& call) { (void)library_.run(gemm_of_(call), mode_); };
    times.check =
        run_once(launch, setup, setup.problem, name, is_integer(setup.problem.acc), operands, name == "repacked").check;
    return times;
  }
  [[nodiscard]] Contender contestant() { return side(mode_); }

 private:
  Contender side(std::string const& mode) {
    return contender(mode, timer_, [this, mode] {
      std::string const refusal = library_.run(gemm_of_(next_()), mode);
      if (!refusal.empty()) throw Error(Exit::wrong, library_.name() + " failed while it was timed: " + refusal);
    });
  }

  VendorLibrary library_;  // of its own: a library may remember the last question
  std::function<VendorGemm(GemmCall const&)> gemm_of_;
  std::function<GemmCall const&()> next_;
  DeviceTimer& timer_;
  std::string mode_;
};

/// The library on copies of the operands, with a C of its own.
struct RepackedSide {
  RepackedSide(GemmSetup const& given, OperandSets& sets, DeviceTimer& timer)
      : setup(with_aligned_c(given)),
        c("C with aligned rows", setup.problem.batch * setup.place_c.strides.batch * bytes_of(setup.problem.out),
          bytes_of(setup.problem.out)),
        side([this](GemmCall const& each) { return repacked_vendor_gemm(setup, each); },
             [this, &sets]() -> GemmCall const& {
               call = sets.next();
               call.c = c.at(0);
               call.stride_c = setup.place_c.strides;
               return call;
             },
             timer) {}
  RepackedSide(RepackedSide const&) = delete;
  RepackedSide& operator=(RepackedSide const&) = delete;

  GemmSetup setup;
  DeviceMemory c;
  GemmCall call;
  VendorSide side;
};

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
    loops_ =
        ceiling_loops(matrix_type(type), matrix_type(setup.problem.acc), target().name, 2 * facts.units, iterations);
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
    record.vendor = vendor.prepare("vendor", setup, operands, options, record.vendor_missing);
    if (!has_aligned_rows(setup) && setup.problem.beta == 0 && !call_for(setup, setup.problem).epilogue.any()) {
      repacked.emplace(setup, sets, timer);
      // the last row has zeros after it, too
      Operands const there{operands.a, operands.b, HostMatrix(repacked->setup.place_c, 256)};
      std::string missing;
      record.repacked = repacked->side.prepare("repacked", repacked->setup, there, options, missing);
    }
  }
  CeilingSide ceiling(setup, record.facts);

  std::vector<Contender> contenders{contender("kernel", timer, [&] { chapter.run(sets.next()); })};
  if (record.vendor) contenders.push_back(vendor.contestant());
  if (record.repacked) contenders.push_back(repacked->side.contestant());
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
