// Chapter 14's program: every target and type, the size table in every layout with K whole and split, persistent
// blocks, few rows and few columns, equal bits under every schedule, what is refused, and its mutants.

#include "../gemm_program.hpp"  // run, expect
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>      // options
#include <utility>     // std::pair
#include <vector>      // tables

char const* const tilestep::test::chapter = "14_persistent_blocks";

using namespace tilestep::test;

TEST_CASE("every target and type is right as stored and repacked",
          "[chapter][14]") {
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

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][14]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80", "--target gfx942", "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("every size and layout is right on large tiles, which small problems would not get", "[chapter][14]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80 --tile large", "--target gfx942 --tile large", "--target gfx1100 --tile large",
        "--target sm90 --tile large"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("every size and batch is right with K in three slices, more than some have tiles", "[chapter][14]") {
  Batch batch;
  for (std::string const pair : {"--target sm80", "--target gfx942 --dtype f32", "--target gfx1201 --dtype f32",
                                 "--target sm90"}) {
    for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout nt --split-k 3 " + size);
  }
}

TEST_CASE("few rows and few columns are right in every layout, with tails along all sides", "[chapter][14]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100", "gfx1201"}) {
    for (std::string const types : {"--dtype f16", "--dtype f32"}) {
      for (std::string const& layout : layouts) {
        for (std::string const size :
             {"--m 16 --n 264 --k 520", "--m 1 --n 136 --k 136 --beta 2", "--m 48 --n 200 --k 264 --alpha -1",
              "--m 264 --n 8 --k 520 --beta 1", "--m 136 --n 1 --k 72", "--m 17 --n 129 --k 131 --batch 2"}) {
          batch.expect(0, "--target " + target + " " + types + " --layout " + layout + " " + size);
        }
      }
    }
  }
}

TEST_CASE("Blocks that take several tiles give the same bits as a block for each", "[chapter][14]") {
  Batch runs;
  // More tiles than the machine runs at once; on gfx942 a problem has two.
  for (auto const& [target, batch] : std::vector<std::pair<std::string, std::string>>{
           {"sm80", "128"}, {"gfx942", "320"}, {"gfx1100", "112"}, {"gfx1201", "80"}}) {
    std::string const problem = "--target " + target + " --layout nt --m 1 --n 256 --k 32 --batch " + batch;
    CHECK(run("--plan --persistent " + problem).output.find("for several tiles each") != std::string::npos);
    runs.expect_same_bytes(problem, {"--persistent", "--split-k 1"});
  }
}

TEST_CASE("Blocks with several tiles are right with one, two and three steps along K, and with K in slices",
          "[chapter][14]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    for (std::string const k : {"8", "32", "72", "96 --split-k 2"}) {
      std::string const problem = "--persistent --units 2 --layout nt --m 520 --n 520 --target " + target + " --k " + k;
      CHECK(run("--plan " + problem).output.find(" blocks for several tiles each") != std::string::npos);
      batch.expect(0, problem, "verdict: right");
    }
  }
}

TEST_CASE("devices of any size get plans that fit, and are right", "[chapter][14]") {
  Batch batch;
  // Hopper with 78 and 114 multiprocessors; compute capability 12.0, which runs sm80's kernels; six dies; few units.
  for (std::string const machine : {"sm90:units=78", "sm90:units=114", "sm80:units=170,shared=101376",
                                    "gfx942:units=228,dies=6", "gfx1201:units=3"}) {
    for (std::string const problem :
         {"--layout nt --m 300 --n 300 --k 300", "--layout nt --m 16 --n 520 --k 2104",
          "--layout nn --m 136 --n 72 --k 136 --dtype f32", "--layout nt --persistent --m 600 --n 600 --k 64"}) {
      batch.expect(0, "--machine " + machine + " " + problem, "verdict: right");
    }
  }
  std::string const large = " --layout nt --m 8192 --n 8192 --k 8192";
  expect_plan("on each of 6 dies", "--machine gfx942:units=228,dies=6" + large);
  expect_plan("78 blocks for several tiles each", "--machine sm90:units=78 --persistent" + large);
  expect_plan("114 blocks for several tiles each", "--machine sm90:units=114 --persistent" + large);
}

TEST_CASE("K in slices gives equal bits in every run, under every schedule and in every order", "[chapter][14]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942"})
    batch.expect_same_bytes("--target " + target + " --layout nt --m 136 --n 264 --k 520 --split-k 4",
                            {"", "--schedule reverse", "--schedule random:5", "--order rows", "--group 1"});
}

TEST_CASE("every schedule gives the right result", "[chapter][14]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const options : {"--layout nt --split-k 2", "--layout tn", "--layout nt --persistent --batch 3"}) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        batch.expect(0, "--m 136 --n 72 --k 136 --beta 1 --target " + target + " " + options + " --schedule " +
                     schedule);
      }
    }
  }
}

TEST_CASE(
    "plans give each compute unit a block: medium tiles for small problems, small ones for few rows, slices of a long "
    "K",
    "[chapter][14]") {
  std::string const nt = "--layout nt --target sm90 ";
  expect_plan("64 x 32 tiles of 128 x 256, in groups of 8 rows: 2048 blocks", nt + "--m 8192 --n 8192 --k 8192");
  expect_plan("64 x 32 tiles of 128 x 256, row by row: 2048 blocks", nt + "--m 8192 --n 8192 --k 8192 --order rows");
  expect_plan("132 blocks for several tiles each", nt + "--m 8192 --n 8192 --k 8192 --persistent");
  expect_plan("16 x 8 tiles of 64 x 128, in groups of 8 rows: 128 blocks", nt + "--m 1024 --n 1024 --k 1024");
  expect_plan("8 x 4 tiles of 128 x 256, K in 4 slices", nt + "--m 1024 --n 1024 --k 8192");
  expect_plan("1 x 128 tiles of 16 x 64, row by row: 128 blocks", nt + "--m 16 --n 8192 --k 8192");
  expect_plan("1 x 128 tiles of 16 x 64, row by row: 128 blocks", nt + "--m 8192 --n 16 --k 8192");
  expect_plan("1 x 64 tiles of 64 x 128, K in 2 slices", nt + "--m 64 --n 8192 --k 8192");
  expect_plan("1 x 32 tiles of 128 x 256, K in 4 slices", nt + "--m 128 --n 8192 --k 8192");
  expect_plan("64 tiles of 128 x 256", nt + "--m 64 --n 16384 --k 8192 --tile large");
  expect_plan("on each of 8 dies", "--layout nt --target gfx942 --m 8192 --n 8192 --k 8192");
}

TEST_CASE("tiles of every size are read and written in the fewest wavefronts", "[chapter][14]") {
  for (std::string const target : {"sm80", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    for (std::string const options : {"--tile large", "--tile medium", "--tile small", "--persistent"}) {
      Ran const ran = run("--layout nt --m 256 --n 256 --k 256 --split-k 1 " + options + " --target " + target);
      INFO(target << " " << options << "\n" << ran.output);
      CHECK(ran.exit_code == 0);
      for (std::string const counted : {"shared load wavefronts", "shared store wavefronts"})
        CHECK(counter(ran.output, counted) == counter(ran.output, counted + " ideal"));
    }
  }
}

TEST_CASE("the record shows the tile first, then order, slices and blocks for several tiles", "[chapter][14]") {
  expect(0, "--m 8 --n 8 --k 8 --layout nt --split-k 1 --order rows --tile large --json -",
         "\"options\": \"--tile large --order rows --split-k 1\"");
  expect(0, "--m 8 --n 8 --k 8 --layout nt --persistent --json -", "\"options\": \"--persistent\"");
}

TEST_CASE("options that contradict each other or the problem are bad input", "[chapter][14]") {
  Batch batch;
  batch.expect(2, "--order columns");
  batch.expect(2, "--tile tiny");
  batch.expect(3, "--machine sm80:shared=40000 --m 200 --n 8 --k 8",
               "no kernel for these types fits sm80:shared=40000");
  batch.expect(2, "--order rows --group 2", "rows go one by one");
  batch.expect(2, "--group -1", "--group");
  batch.expect(2, "--split-k -1", "--split-k");
  batch.expect(2, "--units -1", "--units");
  batch.expect(2, "--units 5000", "1 to 4096");
  batch.expect(2, "--split-k 5000", "1 to 4096");
  batch.expect(2, "--persistent --layout nn --m 8 --n 8 --k 8", "--persistent is for");
  batch.expect(2, "--persistent --layout nt --dtype f32 --m 8 --n 8 --k 8", "--persistent is for");
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--dtype f16 --acc f16");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("a missing barrier between the tiles of a block is reported as a race", "[chapter][14][mutant]") {
  expect_hazard("race", "14_barrier_between_tiles_removed", "--layout nt --m 128 --n 128 --k 64 --blocks 1");
}

TEST_CASE("a slice that is added twice is caught", "[chapter][14][mutant]") {
  CHECK(is_caught("14_slice_added_twice", "--layout nt --m 64 --n 64 --k 128 --split-k 3"));
}

TEST_CASE("a slice that goes on beyond K is caught", "[chapter][14][mutant]") {
  CHECK(is_caught("14_last_slice_too_long", "--layout nt --m 64 --n 64 --k 160 --split-k 4"));
}

TEST_CASE("slices that share a place in the workspace are caught", "[chapter][14][mutant]") {
  CHECK(is_caught("14_slices_in_one_place", "--layout nt --m 64 --n 64 --k 128 --split-k 2"));
}
