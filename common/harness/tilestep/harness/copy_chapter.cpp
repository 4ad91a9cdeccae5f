#include <tilestep/harness/copy_chapter.hpp>

#include <tilestep/backend/runtime.hpp>       // target, take_reports, synchronize
#include <tilestep/harness/command_line.hpp>  // CommandLine
#include <tilestep/harness/npy.hpp>           // files
#include <tilestep/harness/program.hpp>       // run_main
#include <tilestep/harness/record.hpp>        // Record

#include "device_array.hpp"
#include "parallel.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>  // std::find
#include <cmath>      // std::isnan
#include <mutex>      // rows merge their verdicts
#include <optional>   // a tile that was typed

namespace tilestep {

namespace {

struct CopyOptions {
  std::int64_t rows = 0, cols = 0, row0 = 0, col0 = 0;
  Extent2 tile, window;
  bool in_bounds = false, transpose = false;
  double pad_value = 0;
  std::string in, out, kernel;
};

// "32x32, 8x128", "f32, i8"
template <class T>
std::string names_of(std::vector<T> const& all) {
  std::string result;
  for (T const& each : all) result += (result.empty() ? "" : ", ") + to_string(each);
  return result;
}

void declare(CommandLine& line, CopyOptions& options, CopyChapter const& chapter) {
  line.add("--rows", options.rows, "rows of the source").add("--cols", options.cols, "columns of the source");
  if (!chapter.tiles.empty()) {
    line.add("--tile", options.tile, "tile of one block: " + names_of(chapter.tiles));
  }
  if (chapter.windows) {
    line.add("--row0", options.row0, "first row that is read; may lie outside the source");
    line.add("--col0", options.col0, "first column that is read; may lie outside the source");
    line.add("--window", options.window, "extents of the result; all of the source when left out");
    line.add("--in-bounds", options.in_bounds, "promise that the window lies inside the source: no predicates");
    line.add("--pad-value", options.pad_value, "what is read outside the source");
  }
  line.add("--transpose", options.transpose, "read rows as columns");
  line.add("--in", options.in, ".npy file to read instead of a generated matrix");
  line.add("--out", options.out, ".npy file to write the result to");
  if (chapter.kernels.size() > 1)
    line.add("--kernel", options.kernel, chapter.kernels, "which of the chapter's kernels runs");
  if (chapter.figures) line.add_svg();
}

void take_file(CommandLine const& line, CopyOptions& options, CopyChapter const& chapter, DType& dtype) {
  NpyHeader const header = read_npy_header(options.in);
  std::string const text = fmt::format("{} ({})", options.in, fmt::join(header.shape, ", "));
  if (header.shape.size() != 2)
    bad_input(fmt::format("{} has {} dimensions: one matrix has 2", text, header.shape.size()));
  for (auto const& [option, typed, found] :
       {std::tuple{"--rows", &options.rows, header.shape[0]}, std::tuple{"--cols", &options.cols, header.shape[1]}}) {
    if (line.given(option) && *typed != found)
      bad_input(fmt::format("{} {}, but {} makes it {}", option, *typed, text, found));
    *typed = found;
  }
  dtype = header.dtype;
  if (std::find(chapter.types.begin(), chapter.types.end(), dtype) == chapter.types.end()) {
    bad_input(
        fmt::format("{} holds {}: {} copies {}", options.in, to_string(dtype), chapter.name, names_of(chapter.types)));
  }
}

CopyCall set_up(CommandLine const& line, CopyOptions& options, CopyChapter const& chapter) {
  CopyCall call;
  call.kernel = options.kernel;
  call.dtype = chapter.types.front();
  require_not_negative("--rows", options.rows);
  require_not_negative("--cols", options.cols);
  if (!options.out.empty() && same_file(options.out, line.common().json))
    bad_input("--out and --json name the same file");
  if (!options.in.empty()) take_file(line, options, chapter, call.dtype);
  if (!chapter.tiles.empty() &&
      std::find(chapter.tiles.begin(), chapter.tiles.end(), options.tile) == chapter.tiles.end()) {
    bad_input(fmt::format("--tile {}: tiles are compiled in, choose one of {}", to_string(options.tile),
                          names_of(chapter.tiles)));
  }
  if (rounded(call.dtype, options.pad_value) != options.pad_value && is_integer(call.dtype)) {
    bad_input(fmt::format("--pad-value {}: is not a number of type {}", options.pad_value, to_string(call.dtype)));
  }
  call.rows = options.rows, call.cols = options.cols;
  Extent2 const all = options.transpose ? Extent2{call.cols, call.rows} : Extent2{call.rows, call.cols};
  Extent2 const window = line.given("--window") ? options.window : all;
  call.out_rows = window.rows, call.out_cols = window.cols;
  call.row0 = options.row0, call.col0 = options.col0;
  // Offsets are added to coordinates: a quarter of the 64-bit range leaves room for every sum.
  constexpr std::int64_t far = std::int64_t{1} << 61;
  if (call.row0 > far || call.row0 < -far || call.col0 > far || call.col0 < -far)
    bad_input("--row0 and --col0 must lie between -2^61 and 2^61");
  call.stride_in = {call.cols, 1, 0}, call.stride_out = {call.out_cols, 1, 0};
  call.transpose = options.transpose, call.in_bounds = options.in_bounds;
  call.pad_value = rounded(call.dtype, options.pad_value);
  call.tile = options.tile;
  return call;
}

/// What the result must be, said as plainly as possible.
double reference(CopyCall const& call, HostMatrix const& source, std::int64_t i, std::int64_t j) {
  std::int64_t const row = call.row0 + (call.transpose ? j : i);
  std::int64_t const col = call.col0 + (call.transpose ? i : j);
  bool const inside = row >= 0 && row < call.rows && col >= 0 && col < call.cols;
  return inside ? source.get(row, col, 0) : call.pad_value;
}

// Equal as numbers, or both NaN; a copy does not change the sign of zero either.
bool same(double got, double want) {
  return (got == want && std::signbit(got) == std::signbit(want)) || (std::isnan(got) && std::isnan(want));
}

Check compare(CopyCall const& call, HostMatrix const& source, HostMatrix const& result, std::string const& name) {
  Check check{.name = name, .method = "every element, exact"};
  std::int64_t first = -1;
  std::mutex guard;
  parallel_for(call.out_rows, [&](std::int64_t i) {
    std::int64_t wrong = 0, first_here = -1;
    for (std::int64_t j = 0; j < call.out_cols; ++j) {
      if (same(result.get(i, j, 0), reference(call, source, i, j))) continue;
      if (wrong++ == 0) first_here = i * call.out_cols + j;
    }
    std::lock_guard const lock(guard);
    check.wrong += wrong;
    if (first_here >= 0 && (first < 0 || first_here < first)) first = first_here;
  });
  check.compared = call.out_rows * call.out_cols;
  check.right = check.wrong == 0;
  if (first >= 0) {
    std::int64_t const i = first / call.out_cols, j = first % call.out_cols;
    double const got = result.get(i, j, 0), want = reference(call, source, i, j);
    check.max_error = std::abs(got - want);
    check.first_failure = fmt::format("(row,col) = ({},{}): got {:.9g}, want {:.9g}", i, j, got, want);
  }
  return check;
}

void describe(CopyCall const& call, CopyChapter const& chapter, Record& record) {
  record.problem = fmt::format("{} x {} {}", call.rows, call.cols, to_string(call.dtype));
  if (chapter.windows) {
    record.problem += fmt::format(", {} x {} at ({},{})", call.out_rows, call.out_cols, call.row0, call.col0);
    if (call.in_bounds) record.problem += ", in bounds";
    if (call.pad_value != 0) record.problem += fmt::format(", padded with {}", call.pad_value);
  }
  if (call.transpose) record.problem += ", transposed";
  auto& parameters = record.parameters;
  if (!call.kernel.empty()) parameters.emplace_back("kernel", call.kernel);
  parameters.insert(
      parameters.end(),
      {{"rows", call.rows}, {"cols", call.cols}, {"dtype", to_string(call.dtype)}, {"transpose", call.transpose}});
  if (!chapter.tiles.empty()) parameters.emplace_back("tile", to_string(call.tile));
  if (chapter.windows) {
    parameters.insert(parameters.end(), {{"window", to_string(Extent2{call.out_rows, call.out_cols})},
                                         {"row0", call.row0},
                                         {"col0", call.col0},
                                         {"in_bounds", call.in_bounds},
                                         {"pad_value", call.pad_value}});
  }
}

void print_support(CommandLine const& line, CopyChapter const& chapter) {
  fmt::print(line.out(), "{:<9} {}\n", "target", "dtype");
  for (TargetInfo const& each : targets) {
    for (DType type : chapter.types) fmt::print(line.out(), "{:<9} {}\n", each.name, to_string(type));
  }
  if (chapter.kernels.size() > 1) fmt::print(line.out(), "kernels: {}\n", fmt::join(chapter.kernels, ", "));
}

// Does the window leave the source?
bool leaves_source(CopyCall const& call) {
  std::int64_t const rows = call.transpose ? call.out_cols : call.out_rows;
  std::int64_t const cols = call.transpose ? call.out_rows : call.out_cols;
  return rows > 0 && cols > 0 &&
         (call.row0 < 0 || call.col0 < 0 || call.row0 > call.rows - rows || call.col0 > call.cols - cols);
}

Exit run_chapter(int argc, char** argv, CopyChapter const& chapter) {
  CommandLine line(chapter.name, chapter.adds);
  CopyOptions options;
  options.rows = chapter.rows, options.cols = chapter.cols;
  if (!chapter.tiles.empty()) options.tile = chapter.tiles.front();
  if (!chapter.kernels.empty()) options.kernel = chapter.kernels.back();
  declare(line, options, chapter);
  if (!line.parse(argc, argv)) return Exit::right;
  if (line.common().list) {
    print_support(line, chapter);
    return Exit::right;
  }
  CopyCall call = set_up(line, options, chapter);
  MatrixPlace const place_in{call.dtype, call.rows, call.cols, 1, call.stride_in};
  MatrixPlace const place_out{call.dtype, call.out_rows, call.out_cols, 1, call.stride_out};
  std::int64_t const bytes = place_in.span_bytes() + place_out.span_bytes();
  if (!options.out.empty()) require_writable(options.out);
  begin_run(line);
  if (call.in_bounds && leaves_source(call) && !(on_virtual_gpu() && line.common().check)) {
    bad_input("--in-bounds was promised, but the window leaves the source: leave --in-bounds out");
  }
  call.target = std::string(target().name);
  if (chapter.refuses) {
    std::string const sentence = chapter.refuses(call);
    if (!sentence.empty()) bad_input(sentence);
  }
  require_memory(bytes + place_out.span_bytes(), bytes);

  std::int64_t const guard = guard_bytes(line.common().check);
  HostMatrix source(place_in, guard), before(place_out, guard);
  if (!options.in.empty())
    source.set_packed(read_npy(options.in).data, false);
  else
    source.fill_normals(line.common().seed, 1);
  HostMatrix result = before;
  {
    DeviceArray const in("in", source);
    DeviceArray out("out", before);
    out.forget();
    call.in = in.elements(), call.out = out.elements();
    chapter.run(call);
    synchronize();
    out.download(result);
  }
  Record record;
  describe(call, chapter, record);
  Check check = compare(call, source, result, options.in.empty() ? "random" : "file");
  std::string const outside = result.changed_outside(before);
  if (!outside.empty()) {
    check.right = false;
    check.first_failure += (check.first_failure.empty() ? "" : "; ") + ("the result: " + outside);
  }
  record.checks.push_back(check);
  record.target = std::string(target().name);
  record.device = device_name();
  record.kernels = take_reports();
  if (!options.out.empty()) write_npy(options.out, {call.dtype, {call.out_rows, call.out_cols}, result.packed()});
  if (chapter.figures && !line.common().svg.empty()) write_figures(line, chapter.figures());
  return finish_run(line, record);
}

}  // namespace

int copy_main(int argc, char** argv, CopyChapter const& chapter) {
  return run_main(argc, argv, [&](int count, char** values) { return run_chapter(count, values, chapter); });
}

}  // namespace tilestep
