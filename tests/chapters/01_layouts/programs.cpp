// Chapter 01's program over its size table, what it refuses, and its mutants, which must be caught.

#include "../../support/run_program.hpp"  // run_program

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <filesystem>  // a folder for pictures
#include <string>      // options
#include <unistd.h>    // getpid
#include <vector>      // the table

using namespace tilestep::test;

TEST_CASE("the program's layouts are right for every size and tile", "[chapter][01]") {
  for (std::string const tile : {"1x1", "2x4", "4x4", "3x5", "16x1"}) {
    for (std::string const size : {"--rows 4 --cols 8", "--rows 3 --cols 7", "--rows 5 --cols 9", "--rows 1 --cols 1",
                                   "--rows 0 --cols 8", "--rows 6 --cols 0", "--rows 0 --cols 0", "--rows 13 --cols 29",
                                   "--rows 101 --cols 3", "--rows 1 --cols 40003"}) {
      Ran const ran = run_program("01_layouts", size + " --tile " + tile);
      INFO(size << " " << tile << "\n" << ran.output);
      CHECK(ran.exit_code == 0);
    }
  }
  CHECK(run_program("01_layouts", "--rows 1 --cols 4194304 --tile 2x4").exit_code == 0);
}

TEST_CASE("the program's swizzles are permutations that undo themselves", "[chapter][01]") {
  for (std::string const swizzle : {"0,0,0", "1,0,1", "3,0,3", "2,3,4", "3,3,3", "20,0,20"}) {
    Ran const ran = run_program("01_layouts", "--rows 17 --cols 64 --swizzle " + swizzle);
    INFO(swizzle << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
  }
}

TEST_CASE("the program refuses what has no layout, in one sentence", "[chapter][01]") {
  for (std::string const options :
       {"--rows -1", "--cols 1.5", "--rows 9223372036854775808", "--tile 0x4", "--tile 4", "--tile 9999999x9999999",
        "--swizzle 3,0,2", "--swizzle 31,31,31", "--rows 100000 --cols 100000", "--rows 0 --cols 9000000000000000000",
        "--m 4", "--transpose", "--nonsense", "--target sm70"}) {
    Ran const ran = run_program("01_layouts", options);
    INFO(options << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(ran.output.starts_with("01_layouts: "));
    CHECK(ran.output.find('\n') == ran.output.size() - 1);
  }
}

TEST_CASE("the program draws one picture for each layout", "[chapter][01]") {
  std::filesystem::path const folder = std::filesystem::temp_directory_path() /
                                       ("tilestep-test-01-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  Ran const ran = run_program("01_layouts", "--rows 5 --cols 3 --svg '" + folder.string() + "'");
  INFO(ran.output);
  REQUIRE(ran.exit_code == 0);
  for (std::string const name : {"row_major", "column_major", "transposed", "stored_by_tiles", "divided", "swizzled",
                                 "composition", "complement", "product"}) {
    CHECK(std::filesystem::file_size(folder / (name + ".svg")) > 0);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a transpose that exchanges nothing is caught", "[chapter][01][mutant]") {
  CHECK(run_program("tests/mutants/01_transpose_does_nothing", "--rows 3 --cols 5").exit_code == 1);
}

TEST_CASE("columns that overlap are caught", "[chapter][01][mutant]") {
  CHECK(run_program("tests/mutants/01_columns_too_close", "--rows 3 --cols 5").exit_code == 1);
}

TEST_CASE("tiles counted along the wrong extent are caught where the extents differ", "[chapter][01][mutant]") {
  CHECK(run_program("tests/mutants/01_rows_of_tiles_counted_wrongly", "--rows 4 --cols 4 --tile 2x2").exit_code == 0);
  Ran const ran = run_program("tests/mutants/01_rows_of_tiles_counted_wrongly", "--rows 4 --cols 6 --tile 2x2");
  INFO(ran.output);
  CHECK(ran.exit_code == 1);
  CHECK(ran.output.find("every element, exact, 12 of 24 differ: wrong\n") != std::string::npos);
}

TEST_CASE("a tile with its extents swapped is caught", "[chapter][01][mutant]") {
  CHECK(run_program("tests/mutants/01_tile_extents_swapped", "--rows 4 --cols 8 --tile 2x4").exit_code == 1);
}
