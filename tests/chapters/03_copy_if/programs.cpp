// Chapter 03's program over its size table, its files against a plain reference, and its mutants, which must be caught.

#include "../../support/run_program.hpp"  // run_program

#include <tilestep/harness/npy.hpp>  // read_npy, write_npy

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <unistd.h>  // getpid

#include <cstring>     // std::memcpy
#include <filesystem>  // a folder for files
#include <string>      // options
#include <vector>      // the table

using namespace tilestep;
using namespace tilestep::test;

namespace {

std::string extents(int rows, int cols) {
  return "--rows " + std::to_string(rows) + " --cols " + std::to_string(cols) + " ";
}

/// Windows of a source: inside, across every edge, around it, beside it, and empty ones.
std::vector<std::string> windows() {
  return {
      "",
      "--row0 3 --col0 5 --window 4x6",
      "--row0 -2 --col0 -3 --window 9x11 --pad-value -7",
      "--row0 20 --col0 25 --window 33x34 --pad-value 0.5",
      "--row0 -40 --col0 -50 --window 100x110",
      "--row0 1000 --col0 -1000 --window 5x6 --pad-value 3",
      "--row0 -1000 --window 5x6",
      "--row0 2305843009213693952 --col0 -2305843009213693952 --window 5x6 --pad-value 2",
      "--window 0x6",
      "--window 5x0",
      "--window 1x1 --pad-value 9",
      "--window 65x1 --row0 -1",
      "--window 1x65 --col0 -1 --pad-value -1",
  };
}

void right(std::string const& options) {
  Ran const ran = run_program("03_copy_if", options);
  INFO(options << "\n" << ran.output);
  CHECK(ran.exit_code == 0);
}

/// The mutant must not pass: a wrong result (1) or a hazard (4).
Ran mutant(std::string const& name, std::string const& options) {
  CHECK(run_program("03_copy_if", options).exit_code == 0);
  return run_program("tests/mutants/" + name, options);
}

}  // namespace

TEST_CASE("the copy is right for every size: exact tile, one less, one more, one element, none, primes",
          "[chapter][03]") {
  for (std::string const transpose : {"", " --transpose"}) {
    for (auto const& [rows, cols] : std::vector<std::pair<int, int>>{
             {32, 32}, {31, 31}, {33, 33}, {1, 1}, {0, 7}, {7, 0}, {0, 0}, {37, 101}, {101, 37}, {1, 130}, {130, 1}}) {
      right(extents(rows, cols) + transpose);
    }
  }
}

TEST_CASE("every window of every source is right, transposed or not", "[chapter][03]") {
  for (std::string const transpose : {"", " --transpose"}) {
    for (auto const& [rows, cols] : std::vector<std::pair<int, int>>{{13, 21}, {32, 32}, {1, 1}, {0, 5}, {5, 0}}) {
      for (std::string const& each : windows()) right(extents(rows, cols) + each + transpose);
    }
  }
}

TEST_CASE("a window inside the source is right with the promise, whatever its size", "[chapter][03]") {
  for (std::string const transpose : {"", " --transpose"}) {
    right(extents(42, 32) + "--row0 1 --col0 3 --window 16x16 --in-bounds" + transpose);
    right(extents(37, 53) + "--window 31x33 --row0 2 --col0 4 --in-bounds" + transpose);
    right(extents(37, 53) + "--in-bounds" + transpose);
    right(extents(0, 5) + "--in-bounds" + transpose);
  }
}

TEST_CASE("the copy is right on every target and under every schedule", "[chapter][03]") {
  for (std::string const target : {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
      right(extents(37, 53) + "--row0 -3 --col0 30 --window 41x40 --pad-value 4 --target " + target + " --schedule " +
            schedule);
    }
  }
}

TEST_CASE("a file is copied as NumPy would slice it, in every element type", "[chapter][03]") {
  auto const folder = std::filesystem::temp_directory_path() / ("tilestep-03-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::string const in = (folder / "in.npy").string(), out = (folder / "out.npy").string();
  std::int64_t const rows = 11, cols = 17, row0 = 6, col0 = -3, M = 9, N = 8;
  for (DType const type : {DType::f32, DType::i32, DType::f16, DType::i8}) {
    std::size_t const width = std::size_t(bytes_of(type));
    NpyArray source{type, {rows, cols}, std::vector<unsigned char>(std::size_t(rows * cols) * width)};
    // no NaN in any type
    for (std::size_t i = 0; i < source.data.size(); ++i) source.data[i] = static_cast<unsigned char>(i * 37 % 101);
    write_npy(in, source);
    for (bool const transpose : {false, true}) {
      Ran const ran = run_program(
          "03_copy_if",
          "--in '" + in + "' --out '" + out + "' --row0 6 --col0 -3 --window 9x8" + (transpose ? " --transpose" : ""));
      INFO(to_string(type) << (transpose ? " transposed\n" : "\n") << ran.output);
      REQUIRE(ran.exit_code == 0);
      NpyArray const result = read_npy(out);
      CHECK(result.dtype == type);
      REQUIRE(result.shape == std::vector<std::int64_t>{M, N});
      std::vector<unsigned char> want(std::size_t(M * N) * width, 0);
      for (std::int64_t m = 0; m < M; ++m) {
        for (std::int64_t n = 0; n < N; ++n) {
          std::int64_t const r = row0 + (transpose ? n : m), c = col0 + (transpose ? m : n);
          if (r >= 0 && r < rows && c >= 0 && c < cols) {
            std::memcpy(&want[std::size_t(m * N + n) * width], &source.data[std::size_t(r * cols + c) * width], width);
          }
        }
      }
      CHECK(result.data == want);
    }
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a broken promise is an out-of-bounds hazard that names the element", "[chapter][03]") {
  Ran const ran = run_program("03_copy_if", extents(5, 7) + "--row0 2 --window 5x7 --in-bounds");
  INFO(ran.output);
  CHECK(ran.exit_code == 4);
  CHECK(ran.output.find("out of bounds") != std::string::npos);
  CHECK(ran.output.find("in(5,0)") != std::string::npos);
}

TEST_CASE("a broken promise inside the memory reads the next row: a wrong result without a hazard", "[chapter][03]") {
  Ran const ran = run_program("03_copy_if", extents(5, 7) + "--col0 3 --window 4x7 --in-bounds");
  INFO(ran.output);
  CHECK(ran.exit_code == 1);
}

TEST_CASE("a predicate that is off by one reads or writes what does not exist", "[chapter][03][mutant]") {
  Ran const hazard = mutant("03_predicate_off_by_one", extents(33, 33));
  INFO(hazard.output);
  CHECK(hazard.exit_code == 4);
  CHECK(hazard.output.find("out of bounds") != std::string::npos);
  // the next row's first element
  CHECK(mutant("03_predicate_off_by_one", extents(40, 8) + "--window 32x32 --pad-value -1").exit_code == 1);
}

TEST_CASE("a predicate that forgets negative coordinates reads in front of the source", "[chapter][03][mutant]") {
  CHECK(mutant("03_negative_coordinates_exist", extents(8, 8) + "--row0 -1").exit_code == 4);
  CHECK(mutant("03_negative_coordinates_exist", extents(8, 8) + "--col0 -1 --row0 1 --window 4x4").exit_code == 1);
}

TEST_CASE("a write without its predicate is an out-of-bounds hazard", "[chapter][03][mutant]") {
  CHECK(mutant("03_write_without_predicate", extents(31, 32)).exit_code == 4);
}

TEST_CASE("a padding value that is forgotten is a wrong result", "[chapter][03][mutant]") {
  CHECK(mutant("03_padding_is_zero", extents(8, 8) + "--window 9x9 --pad-value 2").exit_code == 1);
}

TEST_CASE("coordinates that do not move with their memory give wrong predicates", "[chapter][03][mutant]") {
  CHECK(mutant("03_coordinates_stay_behind", extents(40, 40) + "--row0 20 --window 40x40").exit_code == 4);
}

TEST_CASE("an offset that is not transposed with its source reads another window", "[chapter][03][mutant]") {
  CHECK(mutant("03_offset_not_transposed", extents(20, 20) + "--row0 3 --col0 5 --window 4x6 --transpose").exit_code ==
        1);
}
