// Chapter 02's program on .npy files: every element arrives bit by bit, in its own type, where NumPy would put it.

#include "../../support/run_program.hpp"  // run_program

#include <tilestep/harness/npy.hpp>  // read_npy, write_npy

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <filesystem>  // a folder of our own
#include <fstream>     // a truncated file
#include <string>      // options
#include <unistd.h>    // getpid

using namespace tilestep;
using namespace tilestep::test;

namespace {

struct Folder {
  // tests run side by side
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("tilestep-test-02-" + std::to_string(getpid()));
  Folder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(std::string const& name) const { return (path / name).string(); }
};

/// Bytes that count up: among them are numbers, zeros of both signs, infinities and NaN.
NpyArray counting(DType dtype, std::int64_t rows, std::int64_t cols) {
  NpyArray array{dtype, {rows, cols}, {}};
  for (std::int64_t i = 0; i < rows * cols * bytes_of(dtype); ++i)
    array.data.push_back(static_cast<unsigned char>(i * 37 % 251));
  return array;
}

void check_file(DType dtype, std::int64_t rows, std::int64_t cols, bool transpose, std::string const& options) {
  Folder const folder;
  NpyArray const in = counting(dtype, rows, cols);
  write_npy(folder / "in.npy", in);
  Ran const ran = run_program("02_tensors_and_tiles", "--in '" + folder / "in.npy" + "' --out '" + folder / "out.npy" +
                                                          "' " + options + (transpose ? " --transpose" : ""));
  INFO(to_string(dtype) << " " << rows << "x" << cols << " " << options << "\n" << ran.output);
  REQUIRE(ran.exit_code == 0);
  NpyArray const out = read_npy(folder / "out.npy");
  CHECK(out.dtype == dtype);
  CHECK(out.shape == (transpose ? std::vector{cols, rows} : std::vector{rows, cols}));
  std::int64_t const bytes = bytes_of(dtype), out_cols = transpose ? rows : cols;
  std::int64_t wrong = 0;
  for (std::int64_t m = 0; m < rows; ++m) {
    for (std::int64_t n = 0; n < cols; ++n) {
      for (std::int64_t b = 0; b < bytes; ++b) {
        std::int64_t const there = transpose ? n * out_cols + m : m * out_cols + n;
        wrong += out.data[std::size_t(there * bytes + b)] != in.data[std::size_t((m * cols + n) * bytes + b)];
      }
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("a file is copied and transposed bit by bit in each type", "[chapter][02]") {
  for (DType const dtype : {DType::f32, DType::i32, DType::f16, DType::i8}) {
    for (bool const transpose : {false, true}) {
      check_file(dtype, 32, 96, transpose, "");
      check_file(dtype, 128, 64, transpose, "--tile 64x64 --kernel packed");
    }
  }
}

TEST_CASE("an empty file is copied to an empty file", "[chapter][02]") {
  check_file(DType::f32, 0, 32, false, "");
  check_file(DType::f32, 64, 0, true, "");
}

TEST_CASE("a file that cannot be copied leaves no output", "[chapter][02]") {
  Folder const folder;
  write_npy(folder / "odd.npy", counting(DType::f32, 33, 32));
  write_npy(folder / "good.npy", counting(DType::f32, 32, 32));
  {
    std::ofstream(folder / "short.npy", std::ios::binary)
        << std::ifstream(folder / "good.npy", std::ios::binary).rdbuf();
    std::filesystem::resize_file(folder / "short.npy", std::filesystem::file_size(folder / "short.npy") - 1);
  }
  for (std::string const in : {"odd.npy", "short.npy", "missing.npy"}) {
    Ran const ran =
        run_program("02_tensors_and_tiles", "--in '" + folder / in + "' --out '" + folder / "out.npy" + "'");
    INFO(in << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK_FALSE(std::filesystem::exists(folder / "out.npy"));
  }
}
