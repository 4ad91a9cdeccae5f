// Chapter 13's program: every target and type, the size table in every layout, equal bits in every order, plans, what
// is refused, and its mutants.

#include "../gemm_program.hpp"  // run, expect
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options

char const* const tilestep::test::chapter = "13_tile_order";

using namespace tilestep::test;

TEST_CASE("every target and type is right as stored and repacked", "[chapter][13]") {
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

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][13]") {
  Batch batch;
  for (std::string const pair : {"--target sm80", "--target gfx942", "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("every order of tiles gives the same bits, ragged groups included", "[chapter][13]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"})
    batch.expect_same_bytes("--target " + target + " --layout nt --m 1100 --n 520 --k 40 --batch 2",
                            {"--order rows", "--order grouped --group 2", "--order grouped --group 3",
                             "--order grouped --group 100", "--order xcd", "--order xcd --group 3", "--order auto"});
}

TEST_CASE("every schedule gives the right result", "[chapter][13]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const options : {"--layout nt --order xcd", "--layout tn --group 1"}) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        batch.expect(0, "--m 136 --n 72 --k 136 --beta 1 --target " + target + " " + options + " --schedule " +
                     schedule);
      }
    }
  }
}

TEST_CASE("plans name the order, the waves and what a wave reads", "[chapter][13]") {
  std::string const large = "--layout nt --m 8192 --n 8192 --k 8192 ";
  expect_plan("64 x 32 tiles of 128 x 256, in groups of 8 rows: 2048 blocks", large + "--target sm90");
  expect_plan("64 x 32 tiles of 128 x 256, row by row: 2048 blocks", large + "--target sm90 --order rows");
  expect_plan("H200 runs 132 at once: 16 waves, busy for 97 % of their time", large + "--target sm90");
  expect_plan("  row by row              2311\n", large + "--target sm90");
  expect_plan("  groups of 16            1225  <- planned", large + "--target sm90 --group 16");
  expect_plan("in groups of 8 rows on each of 8 dies", large + "--target gfx942");
  expect_plan("  groups of 8             3926      1644  <- planned", large + "--target gfx942");
  expect_plan("0 x 1 tiles of 128 x 256", "--layout nt --m 0 --n 8 --k 8 --target sm90");
}

TEST_CASE("K is whole and tiles are large, whatever the problem", "[chapter][13]") {
  expect_plan("1 x 32 tiles of 128 x 256, row by row: 32 blocks", "--target sm90 --layout nt --m 16 --n 8192 --k 8192");
  expect_plan("1 x 1 tiles of 128 x 256, row by row: 1 blocks", "--target sm90 --layout nt --m 64 --n 64 --k 262144");
}

TEST_CASE("tiles are read and written in the fewest wavefronts", "[chapter][13]") {
  for (std::string const target : {"sm80", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    Ran const ran = run("--layout nt --m 256 --n 256 --k 256 --target " + target);
    INFO(target << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
    for (std::string const counted : {"shared load wavefronts", "shared store wavefronts"})
      CHECK(counter(ran.output, counted) == counter(ran.output, counted + " ideal"));
  }
}

TEST_CASE("the record shows the options that were given, as the command line has them", "[chapter][13]") {
  expect(0, "--m 8 --n 8 --k 8 --order xcd --group 3 --json -", "\"options\": \"--order xcd --group 3\"");
  CHECK(run("--m 8 --n 8 --k 8 --json -").output.find("\"options\"") == std::string::npos);
}

TEST_CASE("orders and groups that do not exist are bad input", "[chapter][13]") {
  Batch batch;
  batch.expect(2, "--order columns");
  batch.expect(2, "--order rows --group 2", "rows go one by one");
  batch.expect(2, "--group -1", "--group");
  batch.expect(2, "--split-k 2");
  batch.expect(2, "--persistent");
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--target gfx1");
  batch.expect(3, "--machine sm80:shared=90000 --m 8 --n 8 --k 8", "no kernel for these types fits sm80:shared=90000");
}

TEST_CASE("a last group that is walked as if it were whole loses tiles, and is caught", "[chapter][13][mutant]") {
  CHECK(is_caught("13_ragged_group_as_whole_one", "--layout nt --m 192 --n 128 --k 64 --group 2"));
}

TEST_CASE("a remap that gives two blocks one tile is caught", "[chapter][13][mutant]") {
  CHECK(is_caught("13_remap_not_bijective", "--layout nt --m 192 --n 192 --k 64 --dies 4"));
}
