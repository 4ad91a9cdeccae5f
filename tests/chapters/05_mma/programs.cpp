// Chapter 05's program: every pair of target and type, the size table where it says most, refusals, schedules, and its
// mutants.

#include "../gemm_program.hpp"  // run, expect
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

char const* const tilestep::test::chapter = "05_mma";

using namespace tilestep::test;

TEST_CASE("subnormal operands, which gfx90a takes for zero, make no result wrong", "[chapter][05]") {
  Batch batch;
  // Of 4,096 normally distributed numbers some are below 2^-14.
  for (int seed = 1; seed <= 15; ++seed)
    batch.expect(0, "--target gfx90a --dtype f16 --m 256 --n 256 --k 16 --seed " + std::to_string(seed));
}

TEST_CASE("every pair of target and types is right, or refused where the instruction does not exist", "[chapter][05]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : every_type) {
      for (std::string const size : {"--m 45 --n 37 --k 27", "--m 32 --n 64 --k 64 --layout tn --alpha 2 --beta -1"}) {
        batch.expect(types.code_on(target), "--target " + target + " " + types.options + " " + size);
      }
    }
    for (std::string const& types : fp8_types) batch.expect(fp8_code_on(target), "--target " + target + " " + types);
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right on instructions of all families", "[chapter][05]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80", "--target gfx942 --dtype bf16", "--target gfx1100 --dtype i8", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(32)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("the size table is right with sums in f16, in tf32 and on f32 matrix instructions", "[chapter][05]") {
  Batch batch;
  for (std::string const pair : {"--target sm80 --dtype f16 --acc f16", "--target sm80 --dtype tf32",
                                 "--target gfx90a --dtype f32", "--target gfx1201"}) {
    for (std::string const& size : gemm_sizes(32)) batch.expect(0, pair + " --layout nt " + size);
  }
}

TEST_CASE("f64 is right on every target: every size, layout, leading dimension and batch", "[chapter][05][f64]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(32)) {
        bool const all = target == "sm80" || target == "sm90" || target == "gfx942" || target == "gfx1100";
        if (all || layout == "nn") batch.expect(0, "--dtype f64 --target " + target + " --layout " + layout + " " +
                                                size);
      }
    }
  }
}

TEST_CASE("f64 runs on the matrix instruction that a target has, and says where there is none", "[chapter][05][f64]") {
  Batch batch;
  std::string const by_fma = "no such matrix instruction, computed by FMA";
  batch.expect(0, "--dtype f64 --target sm80", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64");
  batch.expect(0, "--dtype f64 --target sm90", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64");
  for (std::string const target : {"gfx90a", "gfx942", "gfx950"})
    batch.expect(0, "--dtype f64 --target " + target, "v_mfma_f64_16x16x4_f64");
  for (std::string const target : {"gfx1100", "gfx1201"})
    batch.expect(0, "--dtype f64 --target " + target, "f64 on " + target + ": " + by_fma);
}

TEST_CASE("FP8 is right: every type, size, layout, leading dimension and batch", "[chapter][05][fp8]") {
  Batch batch;
  for (std::string const target : {"sm90", "gfx1201"}) {
    for (std::string const& types : fp8_types) {
      for (std::string const& layout : layouts) {
        std::string const pair = "--target " + target + " " + types + " --layout " + layout + " ";
        for (std::string const& size : gemm_sizes(32)) batch.expect(0, pair + size);
      }
    }
  }
}

TEST_CASE("FP8 runs on the instruction of its type", "[chapter][05][fp8]") {
  Batch batch;
  batch.expect(0, "--dtype e4m3 --target sm90", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32");
  batch.expect(0, "--dtype e5m2 --target sm90", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32");
  batch.expect(0, "--dtype e4m3 --target gfx1201", "v_wmma_f32_16x16x16_fp8_fp8");
  batch.expect(0, "--dtype e5m2 --target gfx1201", "v_wmma_f32_16x16x16_bf8_bf8");
  batch.expect(3, "--dtype e4m3 --target gfx942", "it runs on sm90, gfx1201");
}

TEST_CASE("every schedule gives the right result", "[chapter][05]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
      batch.expect(0, "--m 65 --n 33 --k 17 --beta 1 --target " + target + " --schedule " + schedule);
    }
  }
}

TEST_CASE("f32 says where it is computed by FMA and where by a matrix instruction", "[chapter][05]") {
  std::string const sentence = "no such matrix instruction, computed by FMA";
  for (std::string const& target : targets) {
    bool const by_fma = is_nvidia(target) || target == "gfx1100" || target == "gfx1201";
    Ran const ran = run("--dtype f32 --target " + target);
    INFO(ran.output);
    CHECK((ran.output.find("f32 on " + target + ": " + sentence) != std::string::npos) == by_fma);
    CHECK((ran.output.find("v_mfma_f32_32x32x2") != std::string::npos) == !by_fma);
  }
  CHECK(run("--target sm80").output.find(sentence) == std::string::npos);
}

TEST_CASE("types that no kernel has are bad input, named with those it has", "[chapter][05]") {
  Batch batch;
  batch.expect(2, "--dtype bf16 --acc f16");
  batch.expect(2, "--dtype i8 --out-dtype f32");
  batch.expect(2, "--dtype f64 --out-dtype f32");
  batch.expect(2, "--dtype e4m3 --acc f16 --target sm90", "05_mma computes e4m3 with f32 accumulation");
  batch.expect(2, "--dtype e5m2 --out-dtype f16 --target sm90", "with results of f32 or bf16");
  batch.expect(2, "--dtype u8", "no chapter multiplies u8");
  batch.expect(2, "--dtype f32 --acc f64");
  batch.expect(2, "--layout nx");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("the list of what runs has a line for each target and types", "[chapter][05]") {
  std::string const listed = run("--list").output;
  for (std::string const line : {"sm80      f16    f16  f16", "gfx942    f16    f32  f16", "sm90      tf32   f32  f32",
                                 "gfx1201   i8     i32  i32", "gfx950    bf16   f32  bf16",
                                 "sm80      f64    f64  f64", "sm90      e4m3   f32  bf16"}) {
    INFO(listed);
    CHECK(listed.find(line) != std::string::npos);
  }
  CHECK(listed.find("gfx942    tf32") == std::string::npos);
}

TEST_CASE("the tile of B at the row of C's tile is a wrong result", "[chapter][05][mutant]") {
  CHECK(run_mutant("05_wrong_tile_of_b", "--m 64 --n 64 --k 48").exit_code == 1);
}

TEST_CASE("a last step along K that is dropped is a wrong result", "[chapter][05][mutant]") {
  CHECK(run_mutant("05_k_step_dropped", "--m 32 --n 32 --k 48").exit_code == 1);
}

TEST_CASE("a column of A past its end that is read is reported as out of bounds", "[chapter][05][mutant]") {
  expect_hazard("out of bounds", "05_predicate_off_by_one", "--m 32 --n 32 --k 17");
}

TEST_CASE("fragments that are not cleared are reported where the instruction reads them", "[chapter][05][mutant]") {
  expect_hazard("register never written", "05_a_not_cleared", "--m 32 --n 32 --k 5");
  expect_hazard("register never written", "05_sums_not_cleared", "--m 32 --n 32 --k 16");
}
