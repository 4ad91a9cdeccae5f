#include "gemm_setup.hpp"

#include <tilestep/backend/error.hpp>    // bad_input, not_here
#include <tilestep/backend/runtime.hpp>  // target
#include <tilestep/harness/npy.hpp>      // headers of files

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>  // std::find
#include <cmath>      // std::nearbyint
#include <optional>   // sizes that are not known yet

namespace tilestep {

namespace {

std::string const any = "";  // no choice was typed

// What a later chapter adds, for the sentence of a refusal.
std::string adds_dtype(DType type) {
  if (type == DType::i32) return "i32 is a type of results: use i8 operands";
  if (type == DType::u8) return "no chapter multiplies u8: use i8 operands";
  if (is_fp8(type)) return to_string(type) + " is for chapter 05_mma";
  if (type == DType::f64) return "f64 is for chapters 04_fma_gemm, 05_mma and 17_optimized_gemm";
  return fmt::format("{} operands need matrix instructions: chapter 05_mma adds them", to_string(type));
}

DType known_dtype(std::string const& option, std::string const& name) {
  if (auto const type = dtype_from(name)) return *type;
  bad_input(fmt::format("{} {}: needs one of f64, f32, f16, bf16, tf32, e4m3, e5m2, i8, i32", option, name));
}

GemmTypes choose_types(GemmOptions const& options, GemmChapter const& chapter, std::optional<DType> dtype,
                       std::optional<DType> out) {
  if (!options.dtype.empty()) dtype = known_dtype("--dtype", options.dtype);
  if (!options.out_dtype.empty()) out = known_dtype("--out-dtype", options.out_dtype);
  std::optional<DType> acc;
  if (!options.acc.empty()) acc = known_dtype("--acc", options.acc);
  if (!dtype) dtype = chapter.types.front().dtype;

  bool seen_dtype = false, seen_acc = false;
  std::vector<std::string> outs, accs;
  for (GemmTypes const& row : chapter.types) {
    if (row.dtype != *dtype) continue;
    seen_dtype = true;
    if (std::find(accs.begin(), accs.end(), to_string(row.acc)) == accs.end()) accs.push_back(to_string(row.acc));
    if (acc && row.acc != *acc) continue;
    seen_acc = true;
    outs.push_back(to_string(row.out));
    if (!out || row.out == *out) return row;
  }
  if (!seen_dtype) bad_input(fmt::format("--dtype {}: {}", to_string(*dtype), adds_dtype(*dtype)));
  if (!seen_acc) {
    bad_input(fmt::format("--acc {}: {} computes {} with {} accumulation", to_string(*acc), chapter.name,
                          to_string(*dtype), fmt::join(accs, " or ")));
  }
  bad_input(fmt::format("C of {}: {} computes {} with results of {}", to_string(*out), chapter.name, to_string(*dtype),
                        fmt::join(outs, " or ")));
}

/// A size that may be typed, or follow from files, or be the chapter's default.
class Size {
 public:
  Size(CommandLine const& line, std::string name, std::int64_t typed) : name_(std::move(name)) {
    require_not_negative("--" + name_, typed);
    fallback_ = typed;
    if (line.given("--" + name_)) take(typed, "--" + name_ + " " + std::to_string(typed));
  }
  void take(std::int64_t value, std::string const& source) {
    if (value_ && *value_ != value) {
      bad_input(fmt::format("{} makes {} {}, but {} makes it {}", source_, name_, *value_, source, value));
    }
    if (!value_) source_ = source;
    value_ = value;
  }
  [[nodiscard]] std::int64_t value() const { return value_.value_or(fallback_); }

 private:
  std::string name_;
  std::int64_t fallback_ = 0;
  std::optional<std::int64_t> value_;
  std::string source_;
};

/// The header of a file that was named, with what it means.
struct FileMatrix {
  NpyHeader header;
  bool batched = false;

  FileMatrix(std::string const& path, NpyBits const& bits)
      : header(read_npy_header(path, bits)), batched(header.shape.size() == 3) {}
  [[nodiscard]] std::int64_t rows() const { return header.shape[batched ? 1 : 0]; }
  [[nodiscard]] std::int64_t cols() const { return header.shape[batched ? 2 : 1]; }
  [[nodiscard]] std::string text(std::string const& path) const {
    return fmt::format("{} ({})", path, fmt::join(header.shape, ", "));
  }
};

// Row-major storage with this leading dimension, seen as (rows, cols) or, when `transposed`, as (cols, rows).
MatrixPlace placed(DType type, std::int64_t rows, std::int64_t cols, std::int64_t batch, std::int64_t leading,
                   bool transposed) {
  MatrixPlace place{type, rows, cols, batch, {}};
  place.strides = transposed ? Strides{1, leading, 0} : Strides{leading, 1, 0};
  auto const matrix = checked_product(transposed ? cols : rows, leading);
  if (!matrix)
    bad_input(fmt::format("{} rows of {} elements are more than 64 bits can count", transposed ? cols : rows, leading));
  place.strides.batch = *matrix;
  (void)place.span();  // refuses what cannot be counted
  return place;
}

std::int64_t leading_dimension(CommandLine const& line, std::string const& option, std::int64_t typed,
                               std::int64_t row) {
  if (!line.given(option)) return row;
  require_not_negative(option, typed);
  if (typed < row) bad_input(fmt::format("{} {} is smaller than a row, which has {} elements", option, typed, row));
  return typed;
}

double scalar(std::string const& option, double value, DType acc) {
  if (is_integer(acc) && (value != std::nearbyint(value) || std::abs(value) > 0x1p31 - 1)) {
    bad_input(fmt::format("{} {}: needs a whole 32-bit number when the accumulator is i32", option, value));
  }
  double const result = rounded(acc, value);
  if (!std::isfinite(result)) bad_input(fmt::format("{} {}: is too large for {}", option, value, to_string(acc)));
  if (value != 0 && result == 0)
    bad_input(fmt::format("{} {}: is too small for {}: say 0 if that is meant", option, value, to_string(acc)));
  return result;
}

}  // namespace

GemmOptions::GemmOptions(CommandLine& line, GemmChapter const& chapter)
    : m(chapter.m),
      n(chapter.n),
      k(chapter.k),
      layout(chapter.layouts.front()),
      kernel(chapter.kernels.empty() ? any : chapter.kernels.back()) {
  line.add("--m", m, "rows of C");
  line.add("--n", n, "columns of C");
  line.add("--k", k, "length of the sums");
  line.add("--dtype", dtype, "type of A and B: f64, f32, f16, bf16, tf32, e4m3, e5m2 or i8");
  line.add("--acc", acc, "type of the sums: f64, f32, f16 or i32");
  line.add("--out-dtype", out_dtype, "type of C: f64, f32, f16, bf16 or i32");
  line.add("--layout", layout, "nn, nt, tn or tt: A stored MxK (n) or KxM (t), B stored KxN (n) or NxK (t), row-major");
  line.add("--alpha", alpha, "factor of A B");
  line.add("--beta", beta, "factor of C; 0 never reads it");
  line.add("--lda", lda, "elements from one stored row of A to the next");
  line.add("--ldb", ldb, "elements from one stored row of B to the next");
  line.add("--ldc", ldc, "elements from one row of C to the next");
  line.add("--batch", batch, "number of products");
  line.add("--a", a, ".npy file with A, in its stored shape");
  line.add("--b", b, ".npy file with B, in its stored shape");
  line.add("--c", c, ".npy file with C");
  line.add("--out", out, ".npy file to write the result to, row-major");
  line.add("--bf16-npy", bf16_npy, "read u2 files as bfloat16");
  line.add("--bench", bench, "measure on a GPU, in turns with the vendor's library");
  line.add("--problems", problems,
           "with --bench: a .csv file of problems to measure, options as columns, instead of one");
  if (chapter.epilogues) {
    line.add("--bias", bias,
             "add one number to each column of C: on, or an .npy file of N numbers: f32, or i32 or f64 as sums are");
    line.add("--activation", activation, {"none", "relu", "gelu"}, "of alpha A B + beta C + bias");
    line.add("--residual", residual, "add a matrix after the activation: on, or an .npy file like --c");
    line.add("--ldr", ldr, "elements from one row of the residual to the next");
  }
  if (chapter.schedules) {
    line.add("--units", units,
             "compute units to plan for: with few, blocks of persistent kernels take many tiles; 0: the machine's");
  }
  if (chapter.kernels.size() > 1) line.add("--kernel", kernel, chapter.kernels, "which of the chapter's kernels runs");
  if (chapter.figures) line.add_svg();
}

GemmSetup set_up(CommandLine const& line, GemmOptions const& options, GemmChapter const& chapter) {
  GemmSetup setup;
  setup.kernel = options.kernel;
  setup.layout = options.layout;
  setup.file_a = options.a, setup.file_b = options.b, setup.file_c = options.c, setup.file_out = options.out;
  setup.bits = {options.bf16_npy, std::nullopt};
  setup.seed = line.common().seed;
  if (options.layout.size() != 2 || options.layout.find_first_not_of("nt") != std::string::npos) {
    bad_input(fmt::format("--layout {}: needs one of nn, nt, tn, tt", options.layout));
  }
  if (std::find(chapter.layouts.begin(), chapter.layouts.end(), options.layout) == chapter.layouts.end()) {
    bad_input(fmt::format("--layout {}: {} has {}", options.layout, chapter.name, fmt::join(chapter.layouts, ", ")));
  }
  if (options.a.empty() != options.b.empty()) {
    bad_input(fmt::format("{} was given without {}: the product needs both", options.a.empty() ? "--b" : "--a",
                          options.a.empty() ? "--a" : "--b"));
  }
  if (!options.c.empty() && options.a.empty()) bad_input("--c was given without --a and --b: the product needs them");
  if (options.a.empty()) {
    for (auto const& [option, value] : {std::pair("--bias", options.bias), std::pair("--residual", options.residual)}) {
      if (!value.empty() && value != "on")
        bad_input(fmt::format("{} {} was given without --a and --b: leave it out or say {} on", option, value, option));
    }
  } else {
    for (auto const& [option, value] : {std::pair("--bias", options.bias), std::pair("--residual", options.residual)}) {
      if (value == "on") bad_input(fmt::format("{} on generates numbers, but A and B are files: name a file", option));
    }
  }
  if (options.units < 0 || options.units > 4096) {
    bad_input(fmt::format("--units {}: needs a number of compute units, 1 to 4096", options.units));
  }
  setup.units = int(options.units);
  if (!options.out.empty() && same_file(options.out, line.common().json))
    bad_input("--out and --json name the same file");

  // Sizes come from the command line and from the files; the two must agree.
  bool const a_transposed = options.layout[0] == 't', b_transposed = options.layout[1] == 't';
  Size m(line, "m", options.m), n(line, "n", options.n), k(line, "k", options.k), batch(line, "batch", options.batch);
  setup.batched = line.given("--batch");
  std::optional<DType> dtype, out;
  std::optional<FileMatrix> file_a, file_b, file_c;
  if (!options.a.empty()) {
    std::optional<DType> const named = dtype_from(options.dtype);
    setup.operand_bits = {options.bf16_npy, named && is_fp8(*named) ? named : std::nullopt};
    file_a.emplace(options.a, setup.operand_bits);
    file_b.emplace(options.b, setup.operand_bits);
    std::string const text_a = file_a->text(options.a), text_b = file_b->text(options.b);
    (a_transposed ? k : m).take(file_a->rows(), text_a);
    (a_transposed ? m : k).take(file_a->cols(), text_a);
    (b_transposed ? n : k).take(file_b->rows(), text_b);
    (b_transposed ? k : n).take(file_b->cols(), text_b);
    if (file_a->batched) batch.take(file_a->header.shape[0], text_a);
    if (file_b->batched) batch.take(file_b->header.shape[0], text_b);
    setup.batched = setup.batched || file_a->batched || file_b->batched;
    if (file_a->header.dtype != file_b->header.dtype) {
      bad_input(fmt::format("{} holds {} and {} holds {}: both must have one type", options.a,
                            to_string(file_a->header.dtype), options.b, to_string(file_b->header.dtype)));
    }
    dtype = file_a->header.dtype;
    DType const asked = options.dtype.empty() ? *dtype : known_dtype("--dtype", options.dtype);
    if (asked != *dtype && !(asked == DType::tf32 && *dtype == DType::f32)) {
      bad_input(fmt::format("--dtype {}, but {} holds {}", options.dtype, options.a, to_string(*dtype)));
    }
  }
  if (!options.c.empty()) {
    file_c.emplace(options.c, setup.bits);
    std::string const text = file_c->text(options.c);
    m.take(file_c->rows(), text);
    n.take(file_c->cols(), text);
    if (file_c->batched)
      batch.take(file_c->header.shape[0], text);
    else if (batch.value() != 1)
      bad_input(fmt::format("{} is one matrix, but the batch is {}", text, batch.value()));
    setup.batched = setup.batched || file_c->batched;
    out = file_c->header.dtype;
    if (!options.out_dtype.empty() && known_dtype("--out-dtype", options.out_dtype) != *out) {
      bad_input(fmt::format("--out-dtype {}, but {} holds {}", options.out_dtype, options.c, to_string(*out)));
    }
  }
  if (!options.residual.empty() && options.residual != "on") {
    FileMatrix const file(options.residual, setup.bits);
    std::string const text = file.text(options.residual);
    m.take(file.rows(), text);
    n.take(file.cols(), text);
    if (file.batched) batch.take(file.header.shape[0], text);
    else if (batch.value() != 1) bad_input(fmt::format("{} is one matrix, but the batch is {}", text, batch.value()));
    setup.batched = setup.batched || file.batched;
    if (!out && options.out_dtype.empty()) out = file.header.dtype;
    DType const c_type = options.out_dtype.empty() ? *out : known_dtype("--out-dtype", options.out_dtype);
    if (file.header.dtype != c_type) {
      bad_input(fmt::format("{} holds {}, but C is {}: both must have one type", options.residual,
                            to_string(file.header.dtype), to_string(c_type)));
    }
    setup.file_residual = options.residual;
  }
  setup.types = choose_types(options, chapter, dtype, out);
  DType const bias_type = is_integer(setup.types.acc)     ? DType::i32
                          : setup.types.acc == DType::f64 ? DType::f64
                                                          : DType::f32;
  if (!options.bias.empty() && options.bias != "on") {
    NpyHeader const header = read_npy_header(options.bias, {}, true);
    n.take(header.shape[0], fmt::format("{} ({},)", options.bias, header.shape[0]));
    if (header.dtype != bias_type) {
      bad_input(fmt::format("{} holds {}: a bias has {} where sums have {}", options.bias, to_string(header.dtype),
                            to_string(bias_type), to_string(setup.types.acc)));
    }
    setup.file_bias = options.bias;
  }
  if (options.activation == "gelu" && is_integer(setup.types.acc))
    bad_input("--activation gelu is for sums in f32 or f64: choose none or relu for i32");
  double const alpha = scalar("--alpha", options.alpha, setup.types.acc),
               beta = scalar("--beta", options.beta, setup.types.acc);
  if (beta != 0 && !options.a.empty() && options.c.empty()) {
    bad_input(fmt::format("--beta {} needs C: give it with --c, or leave --beta out", options.beta));
  }

  GemmProblem& problem = setup.problem;
  problem = {.dtype = setup.types.dtype,
             .acc = setup.types.acc,
             .out = setup.types.out,
             .m = m.value(),
             .n = n.value(),
             .k = k.value(),
             .batch = batch.value(),
             .alpha = alpha,
             .beta = beta,
             .truncating = setup.types.truncating,
             .activation = options.activation == "gelu"   ? Activation::gelu
                           : options.activation == "relu" ? Activation::relu
                                                          : Activation::none,
             .bias = !options.bias.empty(),
             .residual = !options.residual.empty()};
  (void)accumulation_gamma(problem);  // refuses a k for which there is no bound
  setup.lda = leading_dimension(line, "--lda", options.lda, a_transposed ? problem.m : problem.k);
  setup.ldb = leading_dimension(line, "--ldb", options.ldb, b_transposed ? problem.k : problem.n);
  setup.ldc = leading_dimension(line, "--ldc", options.ldc, problem.n);
  setup.place_a = placed(problem.dtype, problem.m, problem.k, problem.batch, setup.lda, a_transposed);
  setup.place_b = placed(problem.dtype, problem.n, problem.k, problem.batch, setup.ldb, !b_transposed);
  setup.place_c = placed(problem.out, problem.m, problem.n, problem.batch, setup.ldc, false);
  if (problem.bias) setup.place_bias = {bias_type, 1, problem.n, 1, {problem.n, 1, 0}};
  if (problem.residual) {
    setup.ldr = leading_dimension(line, "--ldr", options.ldr, problem.n);
    setup.place_residual = placed(problem.out, problem.m, problem.n, problem.batch, setup.ldr, false);
  } else if (line.given("--ldr")) {
    bad_input("--ldr is the leading dimension of a residual: give one with --residual");
  }
  // One matrix serves the whole batch.
  if (file_a && !file_a->batched) setup.place_a.strides.batch = 0;
  if (file_b && !file_b->batched) setup.place_b.strides.batch = 0;
  return setup;
}

void refuse_target(GemmSetup const& setup, GemmChapter const& chapter) {
  std::vector<std::string> const& names = setup.types.targets;
  std::string const here(target().name);
  if (names.empty() || std::find(names.begin(), names.end(), here) != names.end()) return;
  not_here(fmt::format("{} has no {} kernel for {}: it runs on {}", chapter.name, types_text(setup.problem), here,
                       fmt::join(names, ", ")));
}

void print_support(CommandLine const& line, GemmChapter const& chapter) {
  fmt::print(line.out(), "{:<9} {:<6} {:<4} {:<5} {}\n", "target", "dtype", "acc", "out", "layouts");
  for (TargetInfo const& each : targets) {
    for (GemmTypes const& row : chapter.types) {
      bool const listed =
          std::find(row.targets.begin(), row.targets.end(), std::string(each.name)) != row.targets.end();
      if (!row.targets.empty() && !listed) continue;
      fmt::print(line.out(), "{:<9} {:<6} {:<4} {:<5} {}\n", each.name, to_string(row.dtype), to_string(row.acc),
                 to_string(row.out), fmt::join(row.layouts.empty() ? chapter.layouts : row.layouts, " "));
    }
  }
  if (chapter.kernels.size() > 1) fmt::print(line.out(), "kernels: {}\n", fmt::join(chapter.kernels, ", "));
}

std::string types_text(GemmProblem const& problem) {
  if (problem.dtype == problem.acc && problem.acc == problem.out) return to_string(problem.dtype);
  if (problem.acc == problem.out) return fmt::format("{} -> {}", to_string(problem.dtype), to_string(problem.out));
  return fmt::format("{} -> {} -> {}", to_string(problem.dtype), to_string(problem.acc), to_string(problem.out));
}

}  // namespace tilestep
