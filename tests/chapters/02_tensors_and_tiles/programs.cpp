// Chapter 02's program over its size table, on every target, what it refuses, what it counts, and its mutants, which
// must be caught.

#include "../../support/run_program.hpp"  // run_program

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options
#include <vector>  // tables

using namespace tilestep::test;

namespace {

void right(std::string const& options) {
  Ran const ran = run_program("02_tensors_and_tiles", options);
  INFO(options << "\n" << ran.output);
  CHECK(ran.exit_code == 0);
}

/// The value of a counter in what the program printed.
std::string counter(Ran const& ran, std::string const& name) {
  std::size_t const at = ran.output.find("  " + name + "  ");
  if (at == std::string::npos) return "0";
  std::size_t const first = ran.output.find_first_of("0123456789", at + name.size());
  return ran.output.substr(first, ran.output.find('\n', first) - first);
}

}  // namespace

TEST_CASE("whole tiles are copied and transposed by both kernels", "[chapter][02]") {
  for (std::string const kernel : {"packed", "strided"}) {
    for (std::string const transpose : {"", " --transpose"}) {
      for (std::string const size :
           {"--rows 32 --cols 32", "--rows 64 --cols 96", "--rows 0 --cols 32", "--rows 32 --cols 0",
            "--rows 0 --cols 0", "--rows 416 --cols 32", "--rows 32 --cols 416", "--rows 128 --cols 128 --tile 8x128",
            "--rows 384 --cols 256 --tile 8x128", "--rows 64 --cols 64 --tile 64x64",
            "--rows 192 --cols 320 --tile 64x64"}) {
        right(size + " --kernel " + kernel + transpose);
      }
    }
  }
}

TEST_CASE("the copy is right on every target and under every schedule", "[chapter][02]") {
  for (std::string const target : {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:5"}) {
      right("--rows 96 --cols 64 --transpose --target " + target + " --schedule " + schedule);
    }
  }
}

TEST_CASE("a size that is not a whole number of tiles is refused and chapter 03 named", "[chapter][02]") {
  for (std::string const options :
       {"--rows 1 --cols 1", "--rows 31 --cols 32", "--rows 33 --cols 32", "--rows 32 --cols 31",
        "--rows 37 --cols 101", "--rows 32 --cols 32 --tile 64x64", "--rows 32 --cols 128 --tile 8x128 --transpose"}) {
    Ran const ran = run_program("02_tensors_and_tiles", options);
    INFO(options << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(ran.output.find("03_copy_if") != std::string::npos);
    CHECK(ran.output.find('\n') == ran.output.size() - 1);
  }
}

TEST_CASE("what the chapter does not know is refused in one sentence", "[chapter][02]") {
  for (std::string const options :
       {"--rows -32", "--tile 16x16", "--kernel fast", "--window 4x4", "--pad-value 1", "--m 32", "--target gfx900",
        "--rows 9223372036854775807 --cols 32", "--rows 4611686018427387904 --cols 4611686018427387904"}) {
    Ran const ran = run_program("02_tensors_and_tiles", options);
    INFO(options << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(ran.output.find('\n') == ran.output.size() - 1);
  }
}

TEST_CASE("counted sectors follow from the partition and the stride", "[chapter][02]") {
  // 256 x 128 floats are 131072 bytes, 4096 sectors. A warp reads 32 floats at a time: 4 sectors if they are
  // neighbours, one for each lane if they are a row apart, one for every 2 lanes if they are 4 floats apart.
  struct Case {
    std::string options, loaded, stored;
  };
  for (Case const& each : {Case{"", "4,096", "4,096"},
                           {"--kernel packed", "16,384", "16,384"},
                           {"--transpose", "32,768", "4,096"},
                           {"--transpose --kernel packed", "32,768", "16,384"}}) {
    Ran const ran = run_program(
        "02_tensors_and_tiles",
        (each.options.find("transpose") == std::string::npos ? "--rows 256 --cols 128" : "--rows 128 --cols 256") +
            std::string(" --tile 8x128 ") + each.options);
    INFO(each.options << "\n" << ran.output);
    CHECK(counter(ran, "global load bytes") == "131,072");
    CHECK(counter(ran, "global load sectors") == each.loaded);
    CHECK(counter(ran, "global store sectors") == each.stored);
  }
}

TEST_CASE("a tile read at the swapped coordinate is a wrong result or out of bounds", "[chapter][02][mutant]") {
  CHECK(run_program("tests/mutants/02_tile_coordinate_swapped", "--rows 64 --cols 64").exit_code == 1);
  CHECK(run_program("tests/mutants/02_tile_coordinate_swapped", "--rows 32 --cols 96").exit_code == 4);
}

TEST_CASE("a last row of tiles that is never copied is a wrong result", "[chapter][02][mutant]") {
  CHECK(run_program("tests/mutants/02_last_tiles_dropped", "--rows 64 --cols 32").exit_code == 1);
}

TEST_CASE("reading by one partition and writing by the other is a wrong result", "[chapter][02][mutant]") {
  CHECK(run_program("tests/mutants/02_partitions_differ", "--rows 64 --cols 64").exit_code == 1);
}

TEST_CASE("a transpose that reads the source as it lies is caught", "[chapter][02][mutant]") {
  CHECK(run_program("tests/mutants/02_source_not_transposed", "--rows 64 --cols 64 --transpose").exit_code == 1);
  CHECK(run_program("tests/mutants/02_source_not_transposed", "--rows 64 --cols 32 --transpose").exit_code != 0);
}
