// --tune from end to end, on the virtual GPU, whose times say which of two does more work and no more.

#include <tilestep/backend/runtime.hpp>  // take_reports
#include <tilestep/harness/gemm_tune.hpp>
#include <tilestep/harness/problem_list.hpp>

#include "measured_gemm.hpp"

using namespace tilestep;
using harness_test::Folder;
using harness_test::Json;

namespace {

RaceOptions const quick{.keep = 3, .turns = 4, .slot = 1e-9, .warm_up = 0};

struct Tuned {
  Exit exit;
  Json record;
  std::vector<GemmCall> asked, ran;
};

/// Tunes a chapter with three candidates: one kernel, the same twenty times, one that never runs.
Tuned tune(std::string const& problems) {
  Folder const folder;
  std::string const json = folder / "record.json", csv = harness_test::write_bytes(folder / "problems.csv", problems);
  Tuned result{};
  GemmChapter chapter;
  chapter.name = "42_small";
  chapter.types = {{DType::f32, DType::f32, DType::f32}, {DType::f16, DType::f32, DType::f32, {"gfx942"}}};
  chapter.refuses = [](GemmCall const& call) { return call.m == 13 ? "13 is refused" : std::string(); };
  chapter.run = [](GemmCall const& call) { harness_test::launch_small(call); };
  chapter.note = [](GemmCall const&) { return std::string("the small one"); };
  GemmOwnOptions own;
  own.candidates = [&](GemmCall const& call) {
    result.asked.push_back(call);
    auto const once = [&](GemmCall const& each) {
      result.ran.push_back(each);
      harness_test::launch_small(each);
    };
    return std::vector<GemmCandidate>{{"slow",
                                       [once](GemmCall const& each) {
                                         for (int i = 0; i < 20; ++i) once(each);
                                       }},
                                      {"fast split_k=2", once},
                                      {"broken", [](GemmCall const&) { not_here("it has no kernel"); }}};
  };
  char const* arguments[] = {"42_small", "--json", json.c_str()};
  CommandLine line(chapter.name, "nothing");
  REQUIRE(line.parse(3, arguments));
  begin_run(line);
  result.exit = tune_gemm(line, chapter, own, problem_list("--tune", csv, line, chapter),
                          {"bin/42_small", "--tune", "problems.csv"}, Against::all, quick);
  (void)take_reports();
  std::string const text = harness_test::bytes_of_file(json);
  if (!text.empty()) result.record = Json::parse(text);
  return result;
}

std::string refusal(std::string const& problems) {
  try {
    (void)tune(problems);
  } catch (Error const& error) {
    CHECK(error.code() == Exit::bad_input);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("tuning leaves a record of every candidate and names the fastest of each problem", "[harness][bench]") {
  Tuned const tuned = tune("# sizes\ndtype,layout,m,n,k\nf32,nt,40,36,33\n\nf32,nn,8,12,5\n");
  CHECK(tuned.exit == Exit::right);
  Json const& record = tuned.record;
  CHECK(record["kind"] == "tune");
  CHECK(record["command"] == "bin/42_small --tune problems.csv");
  for (char const* key : {"chapter", "backend", "target", "device", "driver", "toolkit", "commit", "seed", "units",
                          "before", "after", "keep"})
    CHECK(record.contains(key));
  REQUIRE(record["problems"].size() == 2);
  Json const& first = record["problems"][0];
  CHECK(first["problem"] == "m 40 n 36 k 33, f32, nt");
  CHECK(first["parameters"]["ldb"] == 33);
  CHECK(first["operations"] == 2 * 40 * 36 * 33);
  CHECK(first["best"] == "fast split_k=2");
  REQUIRE(first["candidates"].size() == 3);
  CHECK(first["candidates"][0]["seconds"].size() == 1);  // out of the race
  CHECK(first["candidates"][1]["seconds"].size() == 5);
  CHECK(first["candidates"][2] == Json({{"name", "broken"}, {"refused", "it has no kernel"}}));
  CHECK(first["planned"]["plan"] == "the small one");
  CHECK(first["planned"]["seconds"].size() == 5);
  CHECK_FALSE(first.contains("library"));  // none for the virtual GPU
  // Candidates are asked for before there are operands, and run on operands of which there are several.
  REQUIRE(tuned.asked.size() == 2);
  CHECK((tuned.asked[0].a == nullptr && tuned.asked[0].stride_b.row == 33 && tuned.asked[1].stride_b.col == 12));
  CHECK(tuned.ran.front().c != nullptr);
  CHECK(tuned.ran.front().m == 40);
}

TEST_CASE("a problem that cannot be tuned is named and the others are tuned", "[harness][bench]") {
  Tuned const tuned = tune("dtype,layout,m,n,k\nf32,nn,13,4,4\nf16,nn,4,4,4\nf32,nn,0,4,4\nf32,nn,4,4,4\n");
  CHECK(tuned.exit == Exit::right);
  CHECK(tuned.record["problems"][0]["refused"] == "13 is refused");
  CHECK(tuned.record["problems"][1]["refused"].get<std::string>().find("it runs on gfx942") != std::string::npos);
  CHECK(tuned.record["problems"][2]["refused"] == "there is no work to measure");
  CHECK(tuned.record["problems"][3]["best"] == "fast split_k=2");
  CHECK(tune("dtype,m\nf16,4\n").exit == Exit::not_here);
}

TEST_CASE("a file of problems that is none is refused before anything is measured", "[harness][bench]") {
  CHECK(refusal("").find("has no problem") != std::string::npos);
  CHECK(refusal("m,n,k\n").find("has no problem") != std::string::npos);
  CHECK(refusal("m,n,k\n1,2\n").find("'1,2' has 2 columns, its heading 3") != std::string::npos);
  CHECK(refusal("m,n,k\n4,4,4\n1,2,x\n").find("--k x: needs a whole number") != std::string::npos);
  CHECK(refusal("rows\n4\n").find("--rows belongs to chapter 01_layouts") != std::string::npos);
  CHECK(refusal("dtype,m\ntf32,4\n").find("tf32") != std::string::npos);
  CHECK_THROWS_AS(refuse_tuning(), Error);
}
