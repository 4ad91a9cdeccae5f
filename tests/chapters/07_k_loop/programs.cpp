// Chapter 07's program: every target, type, layout and size; CK's problems; schedules; and its mutants.

#include "../gemm_program.hpp"  // run, expect
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

char const* const tilestep::test::chapter = "07_k_loop";

using namespace tilestep::test;

TEST_CASE(
    "every pair of target and types is right in vectors and in scalars, or refused where the instruction does not "
    "exist",
    "[chapter][07]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : way_types) {
      for (std::string const size :
           {"--m 129 --n 65 --k 67 --layout tn", "--m 256 --n 128 --k 128 --layout nt --alpha 2 --beta -1"}) {
        batch.expect(types.code_on(target), "--target " + target + " " + types.options + " " + size);
      }
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right on instructions of all families", "[chapter][07]") {
  Batch batch;
  for (std::string const pair : {"--target sm80", "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
  for (std::string const& layout : layouts) {
    for (std::string const& size : gemm_sizes(256))
      batch.expect(0, "--target gfx942 --layout " + layout + " " + size);
  }
}

TEST_CASE("the problems of CK's tutorial are right on CDNA in f16 and f32", "[chapter][07]") {
  Batch batch;
  for (std::string const target : {"gfx90a", "gfx942"}) {
    for (std::string const types : {"f16", "f32"}) {
      batch.expect(0, "--target " + target + " --dtype " + types + " --layout nt --m 129 --n 129 --k 67");
      batch.expect(0, "--target " + target + " --dtype " + types + " --layout nt --m 384 --n 256 --k 96");
      batch.expect(0, "--target " + target + " --dtype " + types + " --layout nt --m 512 --n 256 --k 192");
    }
  }
}

TEST_CASE("K one less, one more and several tiles is right", "[chapter][07]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const k : {"1", "31", "32", "33", "63", "64", "65", "96", "160"})
      batch.expect(0, "--target " + target + " --layout nt --m 256 --n 128 --k " + k);
  }
}

TEST_CASE("every schedule gives the right result without a hazard", "[chapter][07]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:7", "random:8"}) {
      for (std::string const size : {"--m 65 --n 33 --k 67 --beta 1", "--m 256 --n 128 --k 128 --layout nt"}) {
        batch.expect(0, size + " --target " + target + " --schedule " + schedule);
      }
    }
  }
}

TEST_CASE("whole tiles of operands along K are copied in vectors, everything else in scalars", "[chapter][07]") {
  CHECK(run("--layout nt --m 256 --n 128 --k 64").output.find("KLoopGemm (vectors)") != std::string::npos);
  for (std::string const options :
       {"--layout nt --m 256 --n 128 --k 63", "--layout nn --m 256 --n 128 --k 64",
        "--layout nt --m 255 --n 128 --k 64", "--layout nt --m 256 --n 128 --k 64 --lda 65"}) {
    INFO(options);
    CHECK(run(options).output.find("KLoopGemm (scalars)") != std::string::npos);
  }
}

TEST_CASE("types that no kernel has are bad input", "[chapter][07]") {
  Batch batch;
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--dtype f16 --acc f16");
  batch.expect(2, "--layout nx");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("the loop of CK's tutorial, with one barrier, is reported as a race under every schedule",
          "[chapter][07][mutant]") {
  for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
    for (std::string const layout : {"nt", "nn"}) {
      Ran const ran = run_mutant("07_one_barrier",
                                 "--target gfx942 --m 64 --n 64 --k 64 --layout " + layout + " --schedule " + schedule);
      INFO(ran.output);
      CHECK(ran.exit_code == 4);
      CHECK(ran.output.find("race") != std::string::npos);
    }
  }
  // one tile: nobody overwrites anything
  CHECK(run_mutant("07_one_barrier", "--target gfx942 --m 64 --n 64 --k 32 --layout nt").exit_code == 0);
}

TEST_CASE("a tile that is read before all have written it is a hazard", "[chapter][07][mutant]") {
  CHECK(run_mutant("07_reads_too_early", "--target gfx942 --m 64 --n 64 --k 64 --layout nt").exit_code == 4);
}

TEST_CASE("a last tile along K that is dropped is a wrong result", "[chapter][07][mutant]") {
  CHECK(run_mutant("07_last_tile_dropped", "--target gfx942 --m 64 --n 64 --k 64 --layout nt").exit_code == 1);
  CHECK(run_mutant("07_last_tile_dropped", "--target gfx942 --m 64 --n 64 --k 65").exit_code == 1);
}

TEST_CASE("the tile of B at the row of C's tile is a wrong result", "[chapter][07][mutant]") {
  CHECK(run_mutant("07_wrong_tile_of_b", "--target gfx942 --m 128 --n 128 --k 32 --layout nt").exit_code == 1);
}

TEST_CASE("B read transposed is a wrong result", "[chapter][07][mutant]") {
  CHECK(run_mutant("07_b_transposed", "--target gfx942 --m 33 --n 33 --k 33").exit_code == 1);
}

TEST_CASE("a row of A past its end that is read is reported as out of bounds", "[chapter][07][mutant]") {
  expect_hazard("out of bounds", "07_predicate_off_by_one", "--target gfx942 --m 63 --n 64 --k 5");
}

TEST_CASE("a column of C past its end that is written is a wrong result or a hazard", "[chapter][07][mutant]") {
  int const code = run_mutant("07_epilogue_off_by_one", "--target gfx942 --m 63 --n 63 --k 5").exit_code;
  CHECK((code == 1 || code == 4));
}
