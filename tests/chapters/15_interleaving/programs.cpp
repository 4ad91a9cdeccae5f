// Chapter 15's program: every target and type, the size table in every layout, every number of tiles along K around the
// pipeline's length, K in slices, equal bits under every schedule, what is refused, and its mutants.

#include "../gemm_program.hpp"  // run, expect
#include "../gemm_sizes.hpp"  // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options

char const* const tilestep::test::chapter = "15_interleaving";

using namespace tilestep::test;

TEST_CASE("every target and type is right as stored and repacked", "[chapter][15]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : way_types) {
      int const code = types.code_on(target);
      std::string const pair = "--target " + target + " " + types.options;
      batch.expect(code, pair + " --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1");
      batch.expect(code, pair + " --m 131 --n 67 --k 272 --layout nt --alpha 2 --beta -1");
      batch.expect(code, pair + " --m 9 --n 136 --k 272 --layout nn --beta 2");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][15]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80", "--target gfx942", "--target gfx1100", "--target gfx1201", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("every number of tiles along K is right: fewer than the ring has stages, as many, and more",
          "[chapter][15]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (std::string const k : {"8", "32", "40", "64", "96", "104", "128", "136", "160", "288"})
      batch.expect(0, "--target " + target + " --layout nt --m 136 --n 264 --k " + k);
  }
}

TEST_CASE("K in slices is right, more of them than some sizes have tiles", "[chapter][15]") {
  Batch batch;
  for (std::string const pair : {"--target sm80", "--target gfx942", "--target gfx1201 --dtype f32"}) {
    for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout nt --split-k 3 " + size);
  }
}

TEST_CASE("every schedule gives the same bits", "[chapter][15]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"})
    batch.expect_same_bytes("--target " + target + " --layout nt --m 136 --n 264 --k 200",
                            {"--schedule reverse", "--schedule random:5", "--order rows", "--group 1"});
}

TEST_CASE("options that do not fit the problem are bad input", "[chapter][15]") {
  Batch batch;
  batch.expect(2, "--split-k -1", "--split-k");
  batch.expect(2, "--split-k 5000", "1 to 4096");
  batch.expect(2, "--group -1", "--group");
  batch.expect(2, "--bias on", "chapter 16_epilogues adds it");
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("a copy between products that does not ask for its row is caught", "[chapter][15][mutant]") {
  CHECK(is_caught("15_copy_unguarded", "--target sm80 --layout nt --m 40 --n 128 --k 128"));
  CHECK(is_caught("15_copy_unguarded", "--target gfx942 --layout nt --m 40 --n 128 --k 128"));
}

TEST_CASE("a group of copies that is closed before its last copy was sent is waited for too briefly",
          "[chapter][15][mutant]") {
  CHECK(is_caught("15_group_of_copies_closed_early", "--target sm80 --layout nt --m 64 --n 128 --k 256"));
}

TEST_CASE("a tile that lands where others still read is a race, and one that is sent there, too",
          "[chapter][15][mutant]") {
  expect_hazard("race", "15_landed_while_read", "--target gfx942 --layout nt --m 128 --n 128 --k 128");
  expect_hazard("race", "15_sent_while_read", "--target gfx942 --layout nt --m 128 --n 128 --k 128");
  CHECK(is_caught("15_sent_while_read", "--target sm80 --layout nt --m 64 --n 128 --k 128"));
}

TEST_CASE("copies between products are right for every number of tiles, and one that is forgotten is caught",
          "[chapter][15][mutant]") {
  for (std::string const k : {"8", "32", "40", "64", "96", "256"}) {
    Ran const ran = run_mutant("15_woven_copies", "--target sm80 --layout nt --m 40 --n 128 --k " + k);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
  }
  CHECK(is_caught("15_woven_copy_forgotten", "--target sm80 --layout nt --m 64 --n 128 --k 256"));
}
