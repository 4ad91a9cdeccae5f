// --bench from end to end, on the virtual GPU: operands in rotation, turns, ceilings, record and table. The times mean
// nothing here.

#include <tilestep/backend/runtime.hpp>  // set_run_options
#include <tilestep/harness/ceiling.hpp>
#include <tilestep/harness/problem_list.hpp>

#include "measured_gemm.hpp"

#include <catch2/catch_approx.hpp>

#include <set>  // addresses

using namespace tilestep;
using Catch::Approx;
using harness_test::Json;
using harness_test::measure;
using harness_test::Measured;

TEST_CASE("a measurement leaves a record of what ran, where, how often and how long", "[harness][bench]") {
  Measured const measured = measure({"--m", "8", "--n", "12", "--k", "5", "--layout", "nt"});
  Json const& record = measured.record;
  CHECK(measured.exit == Exit::right);
  CHECK(record["kind"] == "bench");
  CHECK(record["chapter"] == "42_small");
  CHECK(record["problem"] == "m 8 n 12 k 5, f32, nt");
  CHECK(record["parameters"]["ldb"] == 5);
  CHECK(record["command"].get<std::string>().starts_with("bin/42_small --m 8 --n 12"));
  CHECK(record["notes"] == Json({"a note"}));
  CHECK(record["check"]["verdict"] == "right");
  CHECK(record["kernels"] == Json({"SmallGemm"}));
  CHECK(record["operations"] == 2 * 8 * 12 * 5);
  CHECK(record["turns"] == 11);
  CHECK(record["seconds"]["kernel"].size() == 11);
  CHECK_FALSE(record.contains("ratio"));
  CHECK(record["vendor"] == Json({{"missing", "the virtual GPU has no library of a vendor"}}));
  CHECK(record["exit_code"] == 0);
  for (char const* key :
       {"backend", "target", "device", "driver", "toolkit", "commit", "seed", "units", "before", "after"}) {
    CHECK(record.contains(key));
  }
  for (char const* key : {"clock_mhz", "memory_clock_mhz", "power_watts", "celsius"})
    CHECK(record["before"][key].is_null());
  REQUIRE(record["ceilings"].size() == 2);
  CHECK(record["ceilings"][0]["name"] == "fma");
  CHECK(record["ceilings"][1]["name"] == "copy");
  CHECK(record["ceilings"][1]["unit"] == "bytes");
  for (Json const& each : record["ceilings"]) CHECK(each["seconds"].size() == 11);
}

TEST_CASE("small operands rotate through more memory than L2 has, in the same places every time around",
          "[harness][bench]") {
  Measured const measured =
      measure({"--m", "16", "--n", "16", "--k", "16"}, true, {.turns = 60, .slot = 1e-9, .warm_up = 0});
  std::int64_t const sets = measured.record["operand_sets"];
  CHECK(sets * 3 * 1024 >= 2 * device_facts().l2_bytes);
  auto const timed = std::vector(measured.calls.begin() + 1, measured.calls.end());  // the first one was checked
  REQUIRE(timed.size() >= std::size_t(sets));
  std::set<void const*> addresses;
  for (std::size_t i = 0; i < std::size_t(sets); ++i) addresses.insert({timed[i].a, timed[i].b, timed[i].c});
  CHECK(addresses.size() == std::size_t(3 * sets));
  for (std::size_t i = std::size_t(sets); i < timed.size(); ++i) CHECK(timed[i].c == timed[i - std::size_t(sets)].c);
}

TEST_CASE("a wrong kernel is not timed and leaves no record", "[harness][bench]") {
  Measured const measured = measure({"--m", "8", "--n", "8", "--k", "8"}, false);
  CHECK(measured.exit == Exit::wrong);
  CHECK(measured.calls.size() == 1);
  CHECK(measured.record.is_null());
}

TEST_CASE("a problem without work is refused", "[harness][bench]") {
  for (char const* empty : {"--m", "--n", "--k", "--batch"}) CHECK_THROWS_AS(measure({empty, "0"}), Error);
}

TEST_CASE("a list of problems is measured in one process, and what cannot be measured is left out",
          "[harness][bench]") {
  harness_test::Folder const folder;
  std::string const json = folder / "records.json";
  std::string const csv = harness_test::write_bytes(
      folder / "list.csv",
      "# sizes\nlayout,m,n,k,dtype\nnt,8,12,5,\nnn,0,4,4,\nnn,4,4,4,f16\nnn,13,4,4,\ntn,6,4,4,f32\n");
  GemmChapter chapter;
  chapter.name = "42_small";
  chapter.types = {{DType::f32, DType::f32, DType::f32}, {DType::f16, DType::f32, DType::f32, {"gfx942"}}};
  chapter.run = [](GemmCall const& call) {
    if (call.m != 13) harness_test::launch_small(call);  // a wrong result
  };
  char const* arguments[] = {"42_small", "--json", json.c_str()};
  CommandLine line(chapter.name, "nothing");
  REQUIRE(line.parse(3, arguments));
  begin_run(line);
  Exit const exit = bench_list(line, chapter, problem_list("--problems", csv, line, chapter),
                               {"bin/42_small", "--tile", "large", "--bench", "--problems", csv, "--json", json},
                               {{"options", std::string("--tile large")}}, harness_test::quick);
  CHECK(exit == Exit::bad_input);  // of the second
  Json const runs = Json::parse(harness_test::bytes_of_file(json))["runs"];
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["problem"] == "m 8 n 12 k 5, f32, nt");
  CHECK(runs[0]["command"] == "bin/42_small --tile large --layout nt --m 8 --n 12 --k 5 --bench");
  CHECK(runs[0]["parameters"]["options"] == "--tile large");
  CHECK(runs[1]["problem"] == "m 6 n 4 k 4, f32, tn");
  CHECK_THROWS_AS(problem_list("--problems", folder / "none.csv", line, chapter), Error);
}

TEST_CASE("a line for a person says time, rate, ratio and ceiling", "[harness][bench]") {
  BenchRecord record;
  record.chapter = "42_small";
  record.described.problem = "m 1 n 1 k 1, f16";
  record.operations = 4e9;
  record.kernel = {"kernel", 1, {2e-3, 1e-3, 4e-3}};
  record.ceilings = {{"operations", 1e9, {"slow", 1, {1e-3}}},
                     {"operations", 4e9, {"fast", 1, {1e-3}}},
                     {"bytes", 3e9, {"copy", 1, {1e-3}}}};
  record.vendor_missing = "no BLAS here";
  CHECK(
      bench_table(record) ==
      "chapter   problem           time (min to max)    TFLOP/s  the vendor's library  of the ceiling     device copy\n"
      "42_small  m 1 n 1 k 1, f16  2 ms (1 ms to 4 ms)  2        no BLAS here          0.500 of 4 (fast)  3 TB/s\n");
  record.vendor_name = "BLAS 1.2", record.vendor_missing = "";
  record.vendor = VendorTimes{"pedantic",
                              {{"default", 2e-3}, {"pedantic", 1e-3}},
                              {{"odd", "not supported"}},
                              {},
                              {"pedantic", 2, {1e-3, 1e-3, 1e-3}}};
  std::string const line = bench_table(record);
  CHECK(line.find("BLAS 1.2 pedantic  its time / ours (min to max)") != std::string::npos);
  CHECK(line.find("  4                  0.500 (0.250 to 1.000)") != std::string::npos);
  Json const json = Json::parse(bench_json(record));
  CHECK(json["ratio"] == Json({{"median", 0.5}, {"min", 0.25}, {"max", 1.0}}));
  CHECK(json["vendor"]["modes"] == Json({{"default", 2e-3}, {"pedantic", 1e-3}, {"odd", "not supported"}}));
  CHECK(json["repeats"] == Json({{"kernel", 1}, {"vendor", 2}}));
  CHECK_FALSE(json.contains("repacked"));
  record.repacked = VendorTimes{"Lt 1", {{"Lt 1", 3e-3}}, {}, {}, {"Lt 1", 4, {3e-3, 3e-3, 3e-3}}};
  CHECK(bench_table(record).find("on repacked operands, Lt 1  its time / ours (min to max)") != std::string::npos);
  Json const both = Json::parse(bench_json(record));
  CHECK(both["ratio_repacked"] == Json({{"median", 1.5}, {"min", 0.75}, {"max", 3.0}}));
  CHECK(both["repeats"]["repacked"] == 4);
  CHECK(both["repacked"]["mode"] == "Lt 1");
  CHECK(json["ceilings"][1]["per_second"].get<double>() == Approx(4e12));
}

TEST_CASE("each ceiling does as many operations as it says, with its instruction alone", "[harness][bench]") {
  std::vector<std::uint32_t> const operands(ceiling_words, 0);
  DeviceBuffer<std::uint32_t> words("operands", ceiling_words);
  words.upload(operands.data(), ceiling_words);
  DeviceBuffer<float> sink("sink", 1);
  struct Row {
    char const* target;
    DType operand, sum;
    std::vector<std::string> instructions;
  };
  Row const rows[] = {
      {"sm90",
       DType::f16,
       DType::f32,
       {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"}},
      {"sm80",
       DType::i8,
       DType::i32,
       {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32"}},
      {"sm80", DType::f32, DType::f32, {"fma"}},
      {"gfx942", DType::f32, DType::f32, {"v_mfma_f32_32x32x2_f32", "v_mfma_f32_16x16x4_f32", "fma"}},
      {"gfx1100", DType::bf16, DType::f32, {"v_wmma_f32_16x16x16_bf16"}},
      {"sm80", DType::f64, DType::f64, {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "fma"}},
      {"gfx90a", DType::f64, DType::f64, {"v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64", "fma"}},
      {"gfx1201", DType::f64, DType::f64, {"fma"}},
  };
  for (Row const& row : rows) {
    set_run_options({.target = row.target, .schedule = {}, .check = true, .workers = 0});
    std::vector<CeilingLoop> const loops = ceiling_loops(row.operand, row.sum, row.target, 2, 3);
    std::vector<std::string> names;
    for (CeilingLoop const& loop : loops) {
      names.push_back(loop.instruction);
      (void)take_reports();
      loop.launch(loop, words.data(), sink.data());
      std::vector<KernelReport> const reports = take_reports();
      REQUIRE(reports.size() == 1);
      CHECK(reports[0].hazards.empty());
      std::int64_t operations = 2 * reports[0].counters.fma;
      for (auto const& [name, count] : reports[0].counters.matrix_instructions) {
        CHECK(name == loop.instruction);
        for_each_matrix_instruction([&](auto op) {
          if (name == op.name && has_instruction<decltype(op)>(row.target))
            operations += 2 * count * op.blocks * op.M * op.N * op.K;
        });
      }
      CHECK(operations == loop.operations);
      CHECK(reports[0].counters.global_store_requests == 0);
    }
    CHECK(names == row.instructions);
  }
  set_run_options({});
}
