// Plans: which of a chapter's kernels computes a problem, in how many slices of K, which way round, and what is
// launched for it.

#include <tilestep/backend/device_target.hpp>   // target_of_capability, target_of_processor
#include <tilestep/backend/instruction.hpp>     // has_instruction
#include <tilestep/backend/launch.hpp>          // launch
#include <tilestep/backend/machine.hpp>         // machine_named, machine_of_device
#include <tilestep/backend/runtime.hpp>         // DeviceBuffer, take_reports, set_run_options
#include <tilestep/backend/wgmma_instruction.hpp>  // SM90_64xNx16_SS
#include <tilestep/harness/command_line.hpp>    // CommandLine
#include <tilestep/harness/gemm_launch.hpp>     // detail::matrix_layout
#include <tilestep/harness/gemm_plan.hpp>       // GemmPlanner
#include <tilestep/harness/repack.hpp>          // repack
#include <tilestep/harness/split_k.hpp>         // add_slices
#include <tilestep/harness/workspace.hpp>       // into_workspace

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <algorithm>  // std::any_of
#include <set>        // different names
#include <string>     // options
#include <utility>    // std::pair
#include <vector>     // matrices

using namespace tilestep;

namespace {

constexpr TileOfBlock large{128, 256, 32, 1}, small{16, 64, 64, 2};

std::vector<GemmJob> launched;
void remember(GemmJob const& job) { launched.push_back(job); }

/// Three kernels, two of them under one name.
GemmChoices choices(GemmCall const& call) {
  if (call.dtype == DType::i8) return {};
  return {{"large", large, 120 * 1024, remember},
          {"small two", small, 20 * 1024, remember},
          {"large", small, 20 * 1024, remember}};
}

GemmCall problem(std::int64_t m, std::int64_t n, std::int64_t k, DType dtype = DType::f16,
                 std::string const& layout = "nt") {
  GemmCall call;
  call.dtype = dtype;
  call.m = m, call.n = n, call.k = k;
  call.stride_a = layout[0] == 'n' ? Strides{k, 1, m * k} : Strides{1, m, m * k};
  call.stride_b = layout[1] == 't' ? Strides{k, 1, n * k} : Strides{1, n, n * k};
  call.stride_c = {n, 1, m * n};
  call.epilogue.stride_residual = call.stride_c;
  call.target = "sm90";
  return call;
}

double fewest_tiles(GemmCall const&, GemmChoice const&, TileSchedule const& s) { return s.tiles_m * s.tiles_n; }

/// A planner without a table, with one of these rows, or one that exchanges M and N.
GemmPlanning by_rule() { return {.choices = choices, .cost = fewest_tiles}; }
GemmPlanning by_table(std::span<TableRow const> rows) {
  GemmPlanning planning = by_rule();
  planning.table = [rows](std::string_view target) { return target == "sm90" ? rows : std::span<TableRow const>(); };
  return planning;
}
GemmPlanning exchanging(GemmPlanning planning) {
  planning.ways = [](GemmCall const& call) { return std::vector<bool>{call.n < call.m}; };
  return planning;
}

template <class F>
std::string refusal(Exit code, F&& f) {
  try {
    f();
  } catch (Error const& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("copies of f64 operands and sums of f64 slices keep every bit", "[harness][plan][f64]") {
  std::int64_t const m = 5, n = 3, k = 7;
  GemmCall call = problem(m, n, k, DType::f64, "tn");  // A along M, B along N: both are copied
  call.target = "sm80";
  call.acc = call.out = DType::f64;
  std::vector<double> a(m * k), b(n * k), c(m * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1 + double(i) * 0x1p-52;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = -2 - double(i) * 0x1p-51;
  DeviceBuffer<double> da("A", m * k), db("B", n * k), dc("C", m * n);
  da.upload(a.data(), m * k);
  db.upload(b.data(), n * k);
  call.a = da.data(), call.b = db.data(), call.c = dc.data();
  GemmCall const copied = repack(call, true, true);
  auto const element = [](void const* data, std::int64_t at) {
    double value = 0;
    copy_to_host(&value, static_cast<double const*>(data) + at, 8);
    return value;
  };
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t mm = 0; mm < m; ++mm)
      CHECK(element(copied.a, mm * copied.stride_a.row + i) == a[std::size_t(mm + m * i)]);
    for (std::int64_t nn = 0; nn < n; ++nn)
      CHECK(element(copied.b, nn * copied.stride_b.row + i) == b[std::size_t(nn + n * i)]);
  }
  // 1 + 2^-52 - 1 in three slices; in f32 nothing would be left
  GemmCall const sums = into_workspace(call, 3);
  double const slices[] = {1, 0x1p-52, -1};
  for (std::int64_t at = 0; at < 3 * sums.stride_c.batch; ++at)
    copy_to_device(static_cast<double*>(sums.c) + at, &slices[at / sums.stride_c.batch], 8);
  add_slices(call, sums, 3);
  synchronize();
  dc.download(c.data(), m * n);
  CHECK(c == std::vector<double>(m * n, 0x1p-52));
  (void)take_reports();
}

TEST_CASE("a row of the table serves its own problem and layout alone, and bf16 the rows of f16", "[harness][plan]") {
  TableRow const rows[] = {{DType::f32, "nt", 640, 1024, 1024, "f32", 1, 0},
                           {DType::f16, "nt", 640, 1024, 1024, "many", 1, 0},
                           {DType::f16, "nn", 640, 1024, 1024, "many nn", 1, 0},
                           {DType::f16, "nt", 640, 1024, 65536, "long", 1, 0}};
  auto const found = [&](GemmCall const& call) {
    TableRow const* const row = row_of(rows, call);
    return row ? std::string(row->tile) : "none";
  };
  CHECK(found(problem(640, 1024, 1024)) == "many");
  CHECK(found(problem(640, 1024, 1024, DType::f16, "nn")) == "many nn");
  CHECK(found(problem(640, 1024, 1024, DType::f16, "tn")) == "none");
  CHECK(found(problem(640, 1024, 65536)) == "long");
  CHECK(found(problem(640, 1024, 1024, DType::bf16)) == "many");
  CHECK(found(problem(640, 1024, 1024, DType::f32)) == "f32");
  CHECK(found(problem(640, 1024, 1024, DType::i8)) == "none");
  CHECK(found(problem(641, 1024, 1024)) == "none");
  CHECK(found(problem(640, 1023, 1024)) == "none");
  CHECK(found(problem(640, 1024, 1025)) == "none");
  CHECK(row_of({}, problem(640, 1024, 1024)) == nullptr);
}

TEST_CASE("a plan takes the tile that is asked for, else that of the problem's row, else the cheapest",
          "[harness][plan]") {
  TableRow const rows[] = {{DType::f16, "nt", 1024, 1024, 1024, "small two", 3, 4},
                           {DType::f16, "nt", 8192, 8192, 8192, "huge", 1, 0}};
  GemmPlanner const rule(by_rule()), table(by_table(rows));
  GemmCall const call = problem(1024, 1024, 1024);
  CHECK(rule.plan_for(call).choice.name == "large");
  CHECK(rule.plan_for(call).choice.tile.m == 128);  // the first of its name
  CHECK(describe(table.plan_for(call)) == "64 x 16 tiles of small two, K in 3 slices, in groups of 4 rows");
  CHECK(describe(table.plan_for(call, {.tile = "auto", .schedule = {.group = 2, .split_k = 5}})) ==
        "64 x 16 tiles of small two, K in 4 slices, in groups of 2 rows");
  CHECK(describe(table.plan_for(call, {.tile = "large", .schedule = {.group = 2}})) ==
        "8 x 4 tiles of large, in groups of 2 rows");
  CHECK(table.plan_for(problem(8192, 8192, 8192)).choice.name == "large");  // a row of a tile that is gone
  CHECK(table.plan_for(problem(0, 0, 0)).job.schedule.tiles() == 0);
  CHECK(refusal(Exit::bad_input, [&] { (void)table.plan_for(call, {.tile = "huge"}); }) ==
        "--tile huge: for these types, sm90 has large, small two");
  CHECK(refusal(Exit::not_here, [&] { (void)table.plan_for(problem(8, 8, 8, DType::i8)); }) ==
        "no kernel for these types on sm90");
}

TEST_CASE("every slice of a plan has a tile of K, whoever asks for how many", "[harness][plan]") {
  for (int tiles = 0; tiles <= 70; ++tiles) {
    for (int asked = 1; asked <= 70; ++asked) {
      int const taken = slices_with_tiles(tiles, asked), each = (tiles + taken - 1) / taken;
      INFO(tiles << " tiles in " << asked << " slices");
      REQUIRE((taken >= 1 && taken <= asked));
      REQUIRE((tiles == 0 ? taken == 1 : (taken - 1) * each < tiles));
      REQUIRE(each == (tiles + asked - 1) / asked);  // as long as those that were asked for
    }
  }
  TableRow const rows[] = {{DType::f16, "nt", 128, 256, 65536, "large", 64, 0},
                           {DType::f16, "nt", 128, 256, 5 * 32 - 31, "large", 64, 0}};
  GemmPlanner const planner(by_table(rows));
  auto const slices = [&](std::int64_t k, std::int64_t asked) {
    return planner.plan_for(problem(128, 256, k), {.tile = "auto", .schedule = {.split_k = asked}}).job.schedule;
  };
  CHECK(slices(5 * 32, 4096).slices == 5);
  CHECK((slices(5 * 32, 4).slices == 3 && slices(5 * 32, 4).slice_k_tiles == 2));
  CHECK(slices(5 * 32 - 31, 0).slices == 5);  // the row's 64
  CHECK(slices(65536, 0).slices == 64);
  CHECK((slices(0, 7).slices == 1 && slices(0, 0).slices == 1));
  CHECK(slices(5 * 32, 4).tiles() == 3);
  CHECK(slices(5 * 32, 4).blocks == 3);

  GemmCall narrow = problem(128, 256, 65536);
  narrow.acc = narrow.out = DType::f16;
  CHECK(planner.plan_for(narrow).job.schedule.slices == 1);
  narrow.k = 8;
  CHECK(refusal(Exit::bad_input, [&] {
          (void)planner.plan_for(narrow, {.tile = "auto", .schedule = {.split_k = 2}});
        }).find("take --acc f32") != std::string::npos);
}

TEST_CASE("an exchanged problem is planned as C^T = B A^T, by the row of the problem as given",
          "[harness][plan]") {
  TableRow const rows[] = {{DType::f16, "nn", 512, 16, 64, "large", 1, 0},
                           {DType::f16, "nn", 16, 512, 64, "small two", 1, 0}};
  GemmPlanner const planner(exchanging(by_table(rows)));
  GemmCall call = problem(512, 16, 64, DType::f16, "nn");
  call.epilogue.stride_residual = {5, 7, 9};
  char a = 0, b = 0;
  call.a = &a, call.b = &b;
  GemmPlan const plan = planner.plan_for(call);
  CHECK(describe(plan) == "C^T: 1 x 2 tiles of large, row by row");
  GemmCall const& turned = plan.job.call;
  CHECK((plan.job.transposed && turned.m == 16 && turned.n == 512 && turned.a == &b && turned.b == &a));
  CHECK((turned.stride_a.row == 1 && turned.stride_a.col == 16 && turned.stride_b.row == 64 &&
         turned.stride_c.row == 1 && turned.stride_c.col == 16));
  CHECK((turned.epilogue.stride_residual.row == 7 && turned.epilogue.stride_residual.col == 5 &&
         turned.epilogue.stride_residual.batch == 9));
  CHECK_FALSE(planner.plan_for(problem(16, 16, 64)).job.transposed);
}

namespace {

struct SlicedParams {
  float const* a;
  float const* b;
  float* sums;
  MatrixLayout layout_a, layout_b, layout_sums;  // (M,K,L), (N,K,L), (M,N,(L,slices))
  std::int64_t slice_k;
};

/// A slice of K of one element in each thread.
struct Sliced {
  using Params = SlicedParams;
  using Shared = NoShared;
  static constexpr char const* name = "Sliced";
  static constexpr int threads = 32;
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    std::int64_t const element = block_index() * threads + thread_index();
    if (element >= size(p.layout_sums)) return;
    auto const [m, n, slice_and_l] = idx2crd(element, p.layout_sums.shape());
    std::int64_t const batches = get<2>(p.layout_a.shape()), l = slice_and_l % batches,
                       first = slice_and_l / batches * p.slice_k;
    auto const a = global(p.a), b = global(p.b);
    float sum = 0;
    for (std::int64_t k = first; k < first + p.slice_k && k < get<1>(p.layout_a.shape()); ++k)
      sum += float(a[p.layout_a(m, k, l)]) * float(b[p.layout_b(n, k, l)]);
    global(p.sums)[p.layout_sums(m, n, slice_and_l)] = sum;
  }
};

void launch_sliced(GemmJob const& job) {
  GemmCall const& call = job.call;
  launched.push_back(job);
  SlicedParams const params{static_cast<float const*>(call.a),
                            static_cast<float const*>(call.b),
                            static_cast<float*>(call.c),
                            detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
                            detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
                            detail::matrix_layout(call.m, call.n, call.batch * job.schedule.slices, call.stride_c),
                            job.schedule.slice_k_tiles * 4};
  launch(Sliced{}, ceil_div(size(params.layout_sums), std::int64_t(Sliced::threads)), params);
}

GemmChoices sliced_on_copy_of_a(GemmCall const&) { return {{"4", {4, 4, 4, 1}, 0, launch_sliced, true, false}}; }

int a_at(std::int64_t m, std::int64_t k) { return int((m * 5 + k * 3) % 7) - 3; }
int b_at(std::int64_t n, std::int64_t k) { return int((n * 2 + k * 5) % 5) - 2; }

}  // namespace

TEST_CASE(
    "what runs is copies of operands, the kernel on slices, and a second pass with the epilogue, the right way round",
    "[harness][plan]") {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  constexpr int m = 9, n = 6, k = 19, batch = 2;
  std::vector<float> a(m * k * batch), b(n * k * batch), c(m * n * batch), bias(n), residual(m * n * batch);
  for (int l = 0; l < batch; ++l) {
    for (int i = 0; i < m * k; ++i) a[l * m * k + i] = float(a_at(i / k + l, i % k));
    for (int i = 0; i < n * k; ++i) b[l * n * k + i] = float(b_at(i / k, i % k + l));
    for (int i = 0; i < m * n; ++i) residual[l * m * n + i] = float(i % 11), c[l * m * n + i] = float(i % 3);
  }
  for (int i = 0; i < n; ++i) bias[i] = float(10 * i);
  auto const on_device = [](std::string const& name, std::vector<float> const& values) {
    DeviceBuffer<float> buffer(name, std::int64_t(values.size()));
    buffer.upload(values.data(), buffer.size());
    return buffer;
  };
  for (bool const exchange : {false, true}) {
    for (int const slices : {1, 4}) {
      auto device_a = on_device("A", a), device_b = on_device("B", b), device_c = on_device("C", c),
           device_bias = on_device("bias", bias), device_residual = on_device("residual", residual);
      GemmCall call = problem(m, n, k, DType::f32);
      call.batch = batch;
      call.a = device_a.data(), call.b = device_b.data(), call.c = device_c.data();
      call.target = "sm80";
      if (slices > 1) {
        call.alpha = 2, call.beta = -1;
        call.epilogue = {.activation = Activation::relu,
                         .has_bias = true,
                         .has_residual = true,
                         .bias = device_bias.data(),
                         .residual = device_residual.data(),
                         .stride_residual = call.stride_c};
      }
      GemmPlanning planning{
          .choices = sliced_on_copy_of_a,
          .cost = fewest_tiles};
      launched.clear();
      (void)take_reports();
      GemmPlanner const planner(exchange ? exchanging(planning) : planning);
      run(planner.plan_for(call, {.tile = "4", .schedule = {.split_k = slices}}));
      auto const reports = take_reports();
      REQUIRE(reports.size() == (slices == 1 ? 2u : 3u));
      for (KernelReport const& report : reports) CHECK(report.hazards.empty());
      REQUIRE(launched.size() == 1);
      GemmCall const& seen = launched[0].call;
      CHECK(seen.a != (exchange ? call.b : call.a));  // a copy
      CHECK(seen.b == (exchange ? call.a : call.b));
      CHECK((seen.alpha == 1 && seen.beta == 0 && !seen.epilogue.any()));
      CHECK((seen.c == call.c) == (slices == 1));
      CHECK(launched[0].schedule.slices == (slices == 1 ? 1 : 3));  // of 5 tiles, two each

      std::vector<float> result(c.size());
      device_c.download(result.data(), device_c.size());
      int wrong = 0;
      for (int l = 0; l < batch; ++l) {
        for (int row = 0; row < m; ++row) {
          for (int col = 0; col < n; ++col) {
            int const at = (l * m + row) * n + col;
            float expected = 0;
            for (int i = 0; i < k; ++i) expected += float(a_at(row + l, i) * b_at(col, i + l));
            if (slices > 1) expected = std::max(2 * expected - c[at] + bias[col], 0.0f) + residual[at];
            if (result[at] != expected) ++wrong;
          }
        }
      }
      INFO((exchange ? "exchanged, " : "") << slices << " slices");
      CHECK(wrong == 0);
    }
  }
}

namespace {

/// Rounds of four blocks at once, each as long as its tiles along K.
double rounds_of_four(GemmCall const&, GemmChoice const&, TileSchedule const& s) {
  return (s.tiles() + 3) / 4 * s.slice_k_tiles;
}

}  // namespace

TEST_CASE("rows or columns of C that fill no round are computed behind the others, in slices of their own",
          "[harness][plan]") {
  GemmPlanning planning = by_rule();
  planning.choices = [](GemmCall const&) { return GemmChoices{{"4", {4, 4, 4, 1}, 0, remember}}; };
  planning.cost = rounds_of_four;
  planning.weighs_slices = [](GemmCall const&) { return true; };
  planning.most_rounds = 10, planning.shortest_slice = 4, planning.most_slices = 2;
  GemmCall call = problem(20, 8, 32);  // 5 x 2 tiles: two rounds, and two tiles
  call.units = 4;
  auto const said = [&](GemmWishes const& wishes = {}) {
    return describe(GemmPlanner(planning).plan_for(call, wishes));
  };
  CHECK(said() == "5 x 2 tiles of 4, K in 2 slices, in groups of 5 rows");  // 5 rounds of 4 steps, not 3 of 8
  planning.further_launch = -1;
  // 2 rounds of 8 steps and one of 4
  CHECK(said() == "4 x 2 tiles of 4, in groups of 4 rows, and 1 x 2 tiles of 4, K in 2 slices, row by row");
  CHECK(said({.tile = "4"}).find(", and ") == std::string::npos);
  CHECK(said({.schedule = {.split_k = 1}}) == "5 x 2 tiles of 4, in groups of 5 rows");
  CHECK(said({.schedule = {.group = 2}}).find(", and ") == std::string::npos);
  planning.further_launch = 0;
  CHECK(said().find(", and ") == std::string::npos);  // costs no less
  planning.further_launch = -0.5;
  CHECK(said().find(", and ") == std::string::npos);  // 2.5 % less
  planning.further_launch = -1;
  GemmPlan const plan = GemmPlanner(planning).plan_for(call, {});
  REQUIRE(plan.rest);
  CHECK((plan.rest->along_m && plan.rest->from == 16 && plan.cost == 19));
  call = problem(8, 20, 32);
  call.units = 4;
  CHECK(said() == "2 x 4 tiles of 4, in groups of 2 rows, and 2 x 1 tiles of 4, K in 2 slices, in groups of 2 rows");
  call = problem(16, 8, 32);  // two full rounds
  call.units = 4;
  CHECK(said().find(", and ") == std::string::npos);
  call = problem(4, 12, 32);  // less than one
  call.units = 4;
  CHECK(said().find(", and ") == std::string::npos);
  call = problem(0, 8, 32);
  call.units = 4;
  CHECK(said().find(", and ") == std::string::npos);
}

TEST_CASE("the rest of C has a kernel of its own, if that takes the operands as the first does", "[harness][plan]") {
  static std::vector<std::string> order;
  for (bool const copies : {false, true}) {
    GemmPlanning planning = by_rule();
    planning.choices = [copies](GemmCall const&) {
      return GemmChoices{{"4", {4, 4, 4, 1}, 0, [](GemmJob const&) { order.emplace_back("4"); }},
                         {"low", {2, 4, 4, 1}, 0, [](GemmJob const&) { order.emplace_back("low"); }, copies}};
    };
    // four rows cost least on the low tile, all others on the other one
    planning.cost = [](GemmCall const& call, GemmChoice const& choice, TileSchedule const& s) {
      return (choice.name == "low") == (call.m <= 4) ? rounds_of_four(call, choice, s) : 1000.0;
    };
    planning.further_launch = -100;
    GemmCall call = problem(20, 8, 8);
    call.units = 4;
    order.clear();
    GemmPlan const plan = GemmPlanner(planning).plan_for(call, {});
    INFO(describe(plan));
    REQUIRE(plan.rest);
    run(plan);
    CHECK(order == std::vector<std::string>{"4", copies ? "4" : "low"});
  }
}

TEST_CASE("rows or columns of C behind the last whole tile are computed on a tile of their own, either way round",
          "[harness][plan]") {
  GemmPlanning planning = by_rule();
  planning.choices = [](GemmCall const&) {
    return GemmChoices{{"4", {4, 4, 4, 1}, 0, remember}, {"low", {1, 4, 4, 1}, 0, remember}};
  };
  planning.cost = [](GemmCall const&, GemmChoice const& choice, TileSchedule const& s) {  // a low tile takes a third
    return s.tiles() * (choice.name == "low" ? 1.0 : 3.0) * s.slice_k_tiles;
  };
  auto const said = [&](std::int64_t m, std::int64_t n, GemmWishes const& wishes = {}) {
    return describe(GemmPlanner(planning).plan_for(problem(m, n, 8), wishes));
  };
  CHECK(said(9, 4) == "3 x 1 tiles of 4, in groups of 3 rows");
  planning.further_launch = 0.5;
  CHECK(said(9, 4) == "2 x 1 tiles of 4, in groups of 2 rows, and 1 x 1 tiles of low, row by row");
  CHECK(said(8, 4) == "2 x 1 tiles of 4, in groups of 2 rows");
  CHECK(said(4, 9) == "1 x 3 tiles of 4, row by row");
  planning.ways = [](GemmCall const& call) { return std::vector<bool>{call.n == 1}; };
  CHECK(said(4, 9) == "1 x 2 tiles of 4, row by row, and C^T: 1 x 1 tiles of low, row by row");
  CHECK(said(4, 9, {.exchange = "no"}) == "1 x 3 tiles of 4, row by row");
  planning.ways = [](GemmCall const& call) { return std::vector<bool>{call.m == 9 || call.n == 1}; };
  CHECK(said(9, 4) == "C^T: 1 x 2 tiles of 4, row by row, and C: 1 x 1 tiles of low, row by row");
}

TEST_CASE("each part of C has its operands, its bias and its residual, on the same copies, the right way round",
          "[harness][plan]") {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  constexpr int k = 19, batch = 2;
  enum Exchanged { none, all, rest };
  for (Exchanged const exchanged : {none, all, rest}) {
    for (auto const& [m, n] : {std::pair{9, 6}, {6, 9}}) {
      std::vector<float> a(m * k * batch), b(n * k * batch), bias(n), residual(m * n * batch), c(m * n * batch);
      for (int l = 0; l < batch; ++l) {
        for (int i = 0; i < m * k; ++i) a[l * m * k + i] = float(a_at(i / k + l, i % k));
        for (int i = 0; i < n * k; ++i) b[l * n * k + i] = float(b_at(i / k, i % k + l));
        for (int i = 0; i < m * n; ++i) residual[l * m * n + i] = float(i % 11);
      }
      for (int i = 0; i < n; ++i) bias[i] = float(10 * i);
      DeviceBuffer<float> da("A", m * k * batch), db("B", n * k * batch), dc("C", m * n * batch), dbias("bias", n),
          dresidual("residual", m * n * batch);
      da.upload(a.data(), da.size());
      db.upload(b.data(), db.size());
      dbias.upload(bias.data(), n);
      dresidual.upload(residual.data(), dresidual.size());
      GemmCall call = problem(m, n, k, DType::f32);
      call.batch = batch, call.units = 5, call.target = "sm80";
      call.a = da.data(), call.b = db.data(), call.c = dc.data();
      call.epilogue = {.has_bias = true,
                       .has_residual = true,
                       .bias = dbias.data(),
                       .residual = dresidual.data(),
                       .stride_residual = call.stride_c};
      GemmPlanning planning{
          .choices =
              [&](GemmCall const& each) {
                GemmChoices choices = sliced_on_copy_of_a(each);
                float const* const first = static_cast<float const*>(each.a);
                if (exchanged == rest && !(first >= da.data() && first < da.data() + da.size()))  // it is B
                  std::swap(choices[0].copies_a, choices[0].copies_b);
                return choices;
              },
          .cost = [](GemmCall const&, GemmChoice const&, TileSchedule const& s) { return s.slice_k_tiles; },
          .weighs_slices = [](GemmCall const&) { return true; },
          .most_rounds = 10,
          .shortest_slice = 4,
          .most_slices = 2,
          .further_launch = -100};  // in two parts, whatever that gains
      if (exchanged == all) planning = exchanging(planning);
      if (exchanged == rest)
        planning.ways = [](GemmCall const& each) { return std::vector<bool>{each.m <= 3 || each.n <= 3}; };
      GemmPlanner const planner(planning);
      GemmPlan const plan = planner.plan_for(call, {});
      REQUIRE(plan.rest);
      CHECK(plan.job.transposed == (exchanged == all && m > n));
      CHECK(plan.rest->exchanged == (exchanged == rest));
      INFO(describe(plan));
      launched.clear();
      (void)take_reports();
      run(plan);
      auto const reports = take_reports();
      for (KernelReport const& report : reports) CHECK(report.hazards.empty());
      REQUIRE((plan.job.schedule.slices == 2 && plan.rest->schedule.slices == 2));
      CHECK(reports.size() == 5);  // a copy, two kernels, two second passes
      REQUIRE(launched.size() == 2);
      CHECK(launched[0].call.a != (plan.job.transposed ? call.b : call.a));  // a copy
      CHECK(launched[0].copied_a);
      CHECK((exchanged == rest ? launched[1].copied_b : launched[1].copied_a));
      std::vector<float> result(c.size());
      dc.download(result.data(), dc.size());
      int wrong = 0;
      for (int l = 0; l < batch; ++l) {
        for (int row = 0; row < m; ++row) {
          for (int col = 0; col < n; ++col) {
            int const at = (l * m + row) * n + col;
            float expected = bias[col] + residual[at];
            for (int i = 0; i < k; ++i) expected += float(a_at(row + l, i) * b_at(col, i + l));
            if (result[at] != expected) ++wrong;
          }
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE(
    "tuning tries each choice in groups and in numbers of slices that differ, and a candidate runs what its name says",
    "[harness][plan]") {
  GemmPlanner planner(exchanging(by_rule()));
  auto const candidates = [&](GemmCall const& call) { return planner.own_options().candidates(call); };
  auto const names = [&](GemmCall const& call) {
    std::vector<std::string> all;
    for (GemmCandidate const& candidate : candidates(call)) all.push_back(candidate.name);
    CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
    return all;
  };
  using Names = std::vector<std::string>;
  CHECK(names(problem(8192, 8192, 8192)) ==
        Names{"large", "large group=4", "large group=16", "small two", "small two group=4", "small two group=16"});
  CHECK(names(problem(128, 128, 512)) == Names{"large", "large split_k=2", "small two", "small two split_k=2"});
  CHECK(names(problem(16, 64, 33 * 64)) ==
        Names{"large", "large split_k=2", "large split_k=3", "large split_k=4", "large split_k=6", "large split_k=8",
              "small two", "small two split_k=2",
              // 8 slices of 33 tiles leave one without
              "small two split_k=3", "small two split_k=4", "small two split_k=6", "small two split_k=7"});
  CHECK(names(problem(16384, 16, 128)) == Names{"large", "small two"});  // 1 x 256 tiles, not 1024 x 1
  GemmCall narrow = problem(16, 64, 65536);
  narrow.acc = DType::f16;
  CHECK(names(narrow) == Names{"large", "small two"});
  CHECK(refusal(Exit::not_here, [&] { (void)candidates(problem(8, 8, 8, DType::i8)); }).find("no kernel") !=
        std::string::npos);

  launched.clear();
  GemmCall const without_rows = problem(64, 0, 1024);  // no sums to add
  for (GemmCandidate const& candidate : candidates(without_rows)) candidate.launch(without_rows);
  std::vector<int> slices;
  for (GemmJob const& job : launched) {
    CHECK((job.call.m == 0 && job.call.n == 64 && job.schedule.tiles_n == 1));
    slices.push_back(job.schedule.slices);
  }
  CHECK(slices == std::vector<int>{1, 2, 3, 4, 1, 2, 3, 4});
  launched.clear();
  for (GemmCandidate const& candidate : candidates(problem(8192, 8192, 8192)))
    candidate.launch(problem(8192, 8192, 8192));
  REQUIRE(launched.size() == 6);
  CHECK((launched[0].schedule.group == 8 && launched[1].schedule.group == 4 && launched[5].schedule.group == 16 &&
         launched[5].schedule.tiles_m == 512));

  GemmPlanning planning = by_rule();
  planning.slices = {1, 7, 8}, planning.groups = {0, 2};
  GemmPlanner other(planning);
  auto const tried = [&](GemmCall const& call) {
    Names all;
    for (GemmCandidate const& candidate : other.own_options().candidates(call)) all.push_back(candidate.name);
    return all;
  };
  CHECK(tried(problem(8192, 8192, 8192)) == Names{"large", "large group=2", "small two", "small two group=2"});
  // once
  CHECK(tried(problem(16, 64, 33 * 64)) ==
        Names{"large", "large split_k=7", "large split_k=8", "small two", "small two split_k=7"});
}

TEST_CASE("slices of K are compared as long as their tiles are no more than the rounds that a chapter allows",
          "[harness][plan]") {
  GemmPlanning planning = by_rule();
  planning.weighs_slices = [](GemmCall const&) { return true; };
  planning.cost = [](GemmCall const&, GemmChoice const&, TileSchedule const& s) { return 1.0 / s.slices; };
  for (auto const& [rounds, slices] : {std::pair{1, 4}, {3, 8}, {6, 16}}) {  // of 32 tiles on 132 units
    INFO(rounds << " rounds");
    planning.most_rounds = rounds;
    GemmPlanner const planner(planning);
    CHECK(planner.plan_for(problem(1024, 1024, 65536), {}).job.schedule.slices == slices);
    auto const candidates = GemmPlanner(planning).own_options().candidates(problem(1024, 1024, 65536));
    CHECK(std::any_of(candidates.begin(), candidates.end(), [&](GemmCandidate const& each) {
      return each.name == "large split_k=" + std::to_string(slices);
    }));
    CHECK(std::none_of(candidates.begin(), candidates.end(), [&](GemmCandidate const& each) {
      return each.name == "large split_k=" + std::to_string(2 * slices);
    }));
  }
}

TEST_CASE("the cost decides how many rows of tiles are walked together, where a chapter leaves that to it",
          "[harness][plan]") {
  GemmPlanning planning = by_rule();
  planning.weighed_groups = [](GemmCall const& call) { return call.n % 8 == 0 ? std::vector{0} : std::vector{0, 2}; };
  planning.cost = [](GemmCall const&, GemmChoice const& choice, TileSchedule const& schedule) {
    return double(schedule.group) + (choice.name == "large" ? 0 : 1);
  };
  GemmPlanner planner(planning);
  CHECK(planner.plan_for(problem(8192, 8192, 8192), {}).job.schedule.group == 8);
  CHECK(planner.plan_for(problem(8192, 8191, 8192), {}).job.schedule.group == 2);
  CHECK(planner.plan_for(problem(8192, 8191, 8192), {.schedule = {.group = 5}}).job.schedule.group == 5);
}

TEST_CASE("the options of a command line are wishes, and the record shows those that were given", "[harness][plan]") {
  auto const with = [](std::vector<char const*> arguments, auto&& see) {
    GemmPlanner planner(by_rule());
    GemmOwnOptions const own = planner.own_options();
    CommandLine line("42_plans", "nothing");
    own.declare(line);
    arguments.insert(arguments.begin(), {"42_plans", "--json", "-"});
    REQUIRE(line.parse(int(arguments.size()), arguments.data()));
    see(planner, own, line);
  };
  GemmCall const call = problem(1024, 1024, 1024);
  with({}, [&](GemmPlanner const& planner, GemmOwnOptions const& own, CommandLine const& line) {
    CHECK(own.parameters().empty());
    CHECK_FALSE(own.instead(line, call));
    CHECK(planner.plan_for(call).choice.name == "large");
  });
  with({"--tile", "small two", "--group", "2", "--split-k", "3", "--plan"},
       [&](GemmPlanner const& planner, GemmOwnOptions const& own, CommandLine const& line) {
         REQUIRE(own.parameters().size() == 1);
         CHECK(own.parameters()[0].first == "options");
         CHECK(std::get<std::string>(own.parameters()[0].second) == "--tile 'small two' --group 2 --split-k 3");
         CHECK(own.instead(line, call));
         CHECK(describe(planner.plan_for(call)) == "64 x 16 tiles of small two, K in 3 slices, in groups of 2 rows");
       });
  for (std::vector<char const*> const& arguments :
       {std::vector<char const*>{"--group", "-1"}, {"--split-k", "-2"}, {"--split-k", "4097"}, {"--tile", "none"}}) {
    with(arguments, [&](GemmPlanner const&, GemmOwnOptions const& own, CommandLine const& line) {
      CHECK(refusal(Exit::bad_input, [&] {
              (void)own.instead(line, call);
            }).find(std::string(arguments[0]) + " " + arguments[1] + ": ") == 0);
    });
  }
}

TEST_CASE("the last plan serves the same problem on other operands, and no other problem", "[harness][plan]") {
  int asked = 0;
  GemmPlanning planning = exchanging(by_rule());
  planning.choices = [&](GemmCall const& call) {
    ++asked;
    return choices(call);
  };
  GemmPlanner const planner(planning);
  alignas(16) char memory[64];
  GemmCall call = problem(64, 32, 96);
  call.a = memory, call.b = memory + 16;
  GemmPlan const first = planner.plan_for(call);
  CHECK(asked == 1);

  call.a = memory + 32, call.c = memory + 48, call.alpha = 3;
  GemmPlan const second = planner.plan_for(call);
  CHECK(asked == 1);
  CHECK(describe(second) == describe(first));
  CHECK((second.job.transposed && second.job.call.b == memory + 32 && second.job.call.a == memory + 16 &&
         second.job.call.c == memory + 48 && second.job.call.alpha == 3));

  // What a plan depends on: where vectors may start, extents, strides, types, the kernel's name.
  auto const is_planned_anew = [&](auto const& change) {
    GemmCall other = call;
    change(other);
    int const before = asked;
    GemmPlan const plan = planner.plan_for(other);
    bool const anew = asked == before + 1;
    planner.plan_for(call);
    return anew && plan.job.call.k == other.k;
  };
  CHECK(is_planned_anew([&](GemmCall& c) { c.a = memory + 8; }));
  CHECK(is_planned_anew([&](GemmCall& c) { c.b = memory + 8; }));
  CHECK(is_planned_anew([](GemmCall& c) { c.k = 97; }));
  CHECK(is_planned_anew([](GemmCall& c) { c.stride_a.row += 8; }));
  CHECK(is_planned_anew([](GemmCall& c) { c.stride_c.batch += 8; }));
  CHECK(is_planned_anew([](GemmCall& c) { c.out = DType::f16; }));
  CHECK(is_planned_anew([](GemmCall& c) { c.kernel = "another"; }));
  CHECK(is_planned_anew([](GemmCall& c) { c.target = "sm80"; }));
}

TEST_CASE("a plan fits the machine that the virtual GPU plays, or is refused in one sentence", "[harness][plan]") {
  auto const on = [](std::string const& name, auto&& see) {
    RunOptions options;
    options.machine = name;
    set_run_options(options);
    GemmCall call = problem(4096, 4096, 4096);
    call.target = std::string(target().name);
    see(call);
    set_run_options({});
  };
  GemmPlanner const planner(by_rule());
  on("A100", [&](GemmCall const& call) { CHECK(planner.plan_for(call, {}).choice.name == "large"); });
  on("rtx-4090", [&](GemmCall const& call) {
    CHECK(planner.plan_for(call, {}).choice.name == "small two");
    CHECK(
        refusal(Exit::bad_input, [&] { (void)planner.plan_for(call, {.tile = "large"}); }) ==
        "--tile large needs 122880 bytes of shared memory for a block, and RTX 4090 has 101376: choose a smaller tile");
    CHECK(machine_for(call).compute_units == 128);
    GemmCall few = call;
    few.units = 3;
    CHECK(machine_for(few).compute_units == 3);
    GemmCall other = call;
    other.target = "gfx942";
    CHECK(machine_for(other).name == "MI300X");  // not the machine that runs
    GemmPlanning planning = by_rule();
    planning.choices = [](GemmCall const&) { return GemmChoices{{"large", large, 120 * 1024, remember}}; };
    GemmPlanner const without(planning);
    CHECK(refusal(Exit::not_here, [&] { (void)without.plan_for(call, {}); }) ==
          "no kernel for these types fits RTX 4090, which gives a block 101376 bytes of shared memory");
  });
  on("mi300a", [&](GemmCall const& call) {
    CHECK(call.target == "gfx942");
    CHECK(schedule_for(call, small, {}).dies == 6);
  });
  on("H20", [&](GemmCall const& call) { CHECK(schedule_for(call, large, {.persistent = true}).blocks == 78); });
  CHECK(refusal(Exit::bad_input, [&] {
          on("Voodoo 2", [](GemmCall const&) {});
        }).find("choose one of A100, RTX 3090") != std::string::npos);
  RunOptions contradiction;
  contradiction.target = "sm90", contradiction.machine = "A100";
  CHECK(refusal(Exit::bad_input, [&] {
          set_run_options(contradiction);
        }).find("runs the kernels of sm80, and sm90 was asked for") != std::string::npos);
}

TEST_CASE("a kernel that takes all the shared memory of a block fits, and one with a byte more does not",
          "[harness][plan]") {
  RunOptions options;
  options.machine = "RTX 4090";
  set_run_options(options);
  auto const of = [](std::int64_t bytes) {
    return GemmChoice{.name = std::to_string(bytes), .tile = {}, .shared_bytes = bytes, .launch = nullptr};
  };
  std::int64_t const all = machine().shared_bytes;
  GemmChoices const fit = fitting({of(all + 1), of(all)}, machine());
  REQUIRE(fit.size() == 1);
  CHECK(fit[0].shared_bytes == all);
  CHECK_THROWS_AS(fitting({of(all + 1)}, machine()), Error);
  set_run_options({});
}

TEST_CASE("a unit has no more blocks at once than its shared memory has room for", "[harness][plan]") {
  auto const resident = [](std::string const& name, std::int64_t bytes, int wanted) {
    Machine const machine = machine_named(name);
    TileOfBlock const tile{.m = 1, .n = 1, .k = 1, .resident = wanted};
    GemmChoice const choice{.name = "", .tile = tile, .shared_bytes = bytes, .launch = nullptr};
    return fitting({choice}, machine)[0].tile.resident;
  };
  // of each block NVIDIA keeps 1 KB: 24 + 1 KB four times, in 100 KB
  CHECK(resident("RTX 4090", 24 * 1024, 8) == 4);
  CHECK(resident("RTX 4090", 24 * 1024 + 1, 8) == 3);
  CHECK(resident("RTX 4090", 99 * 1024, 2) == 1);
  CHECK(resident("H200", 24 * 1024, 8) == 8);
  CHECK(resident("H200", 227 * 1024, 2) == 1);
  CHECK(resident("H200:shared=101376", 24 * 1024, 8) == 4);
  CHECK(resident("MI300X", 32 * 1024, 3) == 2);
  CHECK(resident("MI355X", 32 * 1024, 8) == 5);
  CHECK(resident("H200", 0, 2) == 2);
}

TEST_CASE("plans for GeForce fit the 99 KB that compute capabilities 8.6, 8.9 and 12.0 give a block",
          "[harness][plan]") {
  GemmPlanner const planner(by_rule());
  for (std::string const name : {"RTX 3090", "RTX 4090", "RTX 5090"}) {
    RunOptions options;
    options.machine = name;
    set_run_options(options);
    CAPTURE(name, machine().shared_bytes);
    CHECK(target().name == "sm80");
    CHECK(machine().shared_bytes == 99 * 1024);
    for (std::int64_t const m : {1, 64, 129, 4096}) {
      for (std::int64_t const n : {1, 4096}) {
        for (std::int64_t const k : {0, 64, 4096}) {
          GemmCall call = problem(m, n, k);
          call.target = "sm80";
          CAPTURE(m, n, k);
          CHECK(planner.plan_for(call, {}).choice.shared_bytes <= 99 * 1024);
        }
      }
    }
    set_run_options({});
  }
}

TEST_CASE("a device is the machine that its name names, or the one that stands for its target", "[harness][plan]") {
  CHECK(machine_like("NVIDIA H200", "sm90").name == "H200");  // not H20
  CHECK(machine_like("NVIDIA H20", "sm90").name == "H20");
  CHECK(machine_like("NVIDIA H100 PCIe", "sm90").name == "H100 PCIe");
  CHECK(machine_like("NVIDIA GeForce RTX 4090", "sm80").name == "RTX 4090");
  CHECK(machine_like("NVIDIA RTX A6000", "sm80").name == "A100");
  CHECK(machine_like("AMD Instinct MI300A", "gfx942").name == "MI300A");
  CHECK(machine_like("A100", "gfx1201").name == "RX 9070 XT");
}

TEST_CASE("every target has a machine that stands for it, and every machine a target", "[harness][plan]") {
  for (TargetInfo const& each : targets) CHECK(machine_of(each.name).target == each.name);
  for (Machine const& each : machines) {
    INFO(each.name);
    CHECK(target_info(each.target).name == each.target);
    MultiplyRates const& by_matrix = each.unit.multiply;
    CHECK((each.compute_units > 0 && each.dies > 0 && each.shared_bytes >= 64 * 1024 && by_matrix.f16.is_known() &&
           by_matrix.bf16.is_known() && by_matrix.i8.is_known() && each.unit.fma.is_known()));
    CHECK(blocks_with_shared(each, each.shared_bytes) == 1);
    CHECK(by_matrix.tf32.is_known() == has_instruction<SM80_16x8x8_F32TF32TF32F32_TN>(each.target));
    CHECK(by_matrix.f32.is_known() == has_instruction<CDNA_32x32x2_F32F32F32F32>(each.target));
    CHECK(by_matrix.wgmma.is_known() == (each.target == SM90_64xNx16_SS<64, DType::f16>::targets));
    CHECK((each.cluster_blocks > 1) == target_info(each.target).clusters);
    for (Rate const& rate :
         {by_matrix.f16, by_matrix.bf16, by_matrix.tf32, by_matrix.i8, by_matrix.f32, by_matrix.wgmma, each.unit.fma,
          each.unit.shared, each.unit.l1, each.unit.issue, each.clock, each.l2, each.dram}) {
      CHECK(rate.is_known() == (rate.evidence != Evidence::unknown));
      CHECK_FALSE(rate.source.empty());
    }
  }
}

TEST_CASE("a machine with other numbers is one line, and a wrong number is one sentence", "[harness][plan]") {
  CHECK(machine_named("sm90").name == "H200");
  Machine const made = machine_named("mi300a:units=38,dies=1,shared=32768,l2=1048576");
  CHECK((made.name == "mi300a:units=38,dies=1,shared=32768,l2=1048576" && made.target == "gfx942"));
  CHECK((made.compute_units == 38 && made.dies == 1 && made.shared_bytes == 32768 && made.l2_bytes == 1048576));
  CHECK(made.unit_shared_bytes == 32768);
  CHECK(made.unit.multiply.f16.value == machine_of("gfx942").unit.multiply.f16.value);
  CHECK(machine_named("H200:cluster=1").cluster_blocks == 1);
  auto const says = [](std::string const& text) {
    return refusal(Exit::bad_input, [&] { (void)machine_named(text); });
  };
  CHECK(says("sm90:units=0") == "--machine sm90:units=0: units needs a whole number from 1 to 4096");
  CHECK(says("sm90:units=78x") == "--machine sm90:units=78x: units needs a whole number from 1 to 4096");
  CHECK(says("sm90:units") == "--machine sm90:units: units needs a whole number from 1 to 4096");
  CHECK(says("sm90:cores=3") ==
        "--machine sm90:cores=3: there is no number 'cores': choose of units, shared, dies, l2 and cluster");
  CHECK(says("sm80:cluster=2") == "--machine sm80:cluster=2: sm80 has no clusters: leave it out");
}

TEST_CASE("what a device says of itself comes before the table", "[harness][plan]") {
  Machine const small_h100 = machine_of_device(
      "NVIDIA H100 NVL", "sm90",
      {.compute_units = 114, .shared_bytes = 200000, .unit_shared_bytes = 201024, .l2_bytes = 52428800,
       .clock = 1.785e9, .clusters = true});
  CHECK(small_h100.unit_shared_bytes == 201024);
  CHECK((small_h100.shared_bytes == 200000 && small_h100.compute_units == 114 && small_h100.l2_bytes == 52428800));
  CHECK((small_h100.clock.value == 1.785e9 && small_h100.cluster_blocks == 8));
  Machine const silent =
      machine_of_device("AMD Instinct MI300A", "gfx942", {.compute_units = 228, .shared_bytes = 65536});
  CHECK((silent.l2_bytes == 4 << 20 && silent.clock.value == 2.1e9 && silent.dies == 6 && silent.cluster_blocks == 1));
  CHECK(silent.unit_shared_bytes == 64 * 1024);
}

TEST_CASE("a device runs the kernels of one target, or is not known", "[harness][plan]") {
  CHECK(target_of_capability(7, 5).empty());
  CHECK(target_of_capability(9, 0) == "sm90");
  for (auto const& [major, minor] : {std::pair{8, 0}, {8, 6}, {8, 9}, {10, 0}, {10, 3}, {11, 0}, {12, 0}, {12, 1}})
    CHECK(target_of_capability(major, minor) == "sm80");
  CHECK(target_of_processor("gfx942:sramecc+:xnack-") == "gfx942");
  CHECK((target_of_processor("gfx90a") == "gfx90a" && target_of_processor("gfx950") == "gfx950"));
  for (char const* rdna3 : {"gfx1100", "gfx1101", "gfx1103", "gfx1151"}) CHECK(target_of_processor(rdna3) == "gfx1100");
  CHECK((target_of_processor("gfx1200") == "gfx1201" && target_of_processor("gfx1201") == "gfx1201"));
  for (char const* other : {"gfx1250", "gfx1170", "gfx1030", "gfx908", "gfx11", ""})
    CHECK(target_of_processor(other).empty());
}

TEST_CASE("a plan for a device that no one has made fits it, or is refused in one sentence", "[harness][plan]") {
  struct Made {
    char const* machine;
    std::int64_t shared;
  };
  GemmPlanner const planner(by_rule());
  for (Made const& made : {Made{"sm90:units=78", 232448},
                           {"sm90:units=114", 232448},
                           {"sm90:shared=101376", 101376},
                           {"sm80:units=148,shared=232448", 232448},
                           {"sm80:units=170,shared=101376", 101376},
                           {"gfx942:units=228,dies=6", 65536},
                           {"gfx1201:units=3,shared=16384", 16384}}) {
    INFO(made.machine);
    RunOptions options;
    options.machine = made.machine;
    set_run_options(options);
    for (std::int64_t const m : {1, 100, 4096}) {
      for (std::int64_t const k : {64, 100000}) {
        GemmCall call = problem(m, 4096, k);
        call.target = std::string(target().name);
        if (made.shared < 20 * 1024) {
          CHECK(refusal(Exit::not_here, [&] { (void)planner.plan_for(call, {}); }) ==
                "no kernel for these types fits " + std::string(made.machine) + ", which gives a block " +
                    std::to_string(made.shared) + " bytes of shared memory");
          continue;
        }
        GemmPlan const plan = planner.plan_for(call, {});
        CHECK(plan.choice.shared_bytes <= made.shared);
        CHECK(plan.job.schedule.dies == machine().dies);
        std::int64_t const tiles = std::int64_t(plan.job.schedule.tiles_m) * plan.job.schedule.tiles_n;
        CHECK((plan.job.schedule.slices == 1 || plan.job.schedule.slices * tiles <= machine().compute_units));
      }
    }
    set_run_options({});
  }
}
