// Chapter 16's program: every target and type, the size table in every layout, each option of the epilogue with rows
// that start at multiples of 16 bytes and rows that do not, K in slices, what is stored, what is refused, and its
// mutants.

#include "../../common/harness/files.hpp"  // Folder
#include "../gemm_program.hpp"  // run, expect
#include "../gemm_sizes.hpp"    // gemm_sizes
#include "../npy_file.hpp"      // file_of

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cmath>    // std::isnan
#include <cstdint>  // bits of f16
#include <limits>   // infinities
#include <string>   // options
#include <utility>  // std::pair
#include <vector>   // tables

char const* const tilestep::test::chapter = "16_epilogues";

using namespace tilestep::test;

namespace {

std::vector<std::string> const types{"--dtype f16", "--dtype f16 --out-dtype f16", "--dtype f32"};

}  // namespace

TEST_CASE("every target and type is right as stored and repacked, with everything and with nothing to do for the sums",
          "[chapter][16]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (std::string const& type : types) {
      std::string const pair = "--target " + target + " " + type;
      batch.expect(0,
                   pair + " --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1"
                   " --bias on --activation relu --residual on");
      batch.expect(0, pair + " --m 136 --n 264 --k 272 --layout nt --beta 2 --bias on --activation gelu --residual on");
      batch.expect(0, pair + " --m 9 --n 136 --k 272 --layout nn");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][16]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80", "--target gfx942 --out-dtype f16", "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE(
    "each option of the epilogue is right around the tile, with rows that start at multiples of 16 bytes and rows that "
    "do not",
    "[chapter][16]") {
  Batch batch;
  for (std::string const target : {"--target sm90", "--target sm80 --out-dtype f16", "--target gfx942",
                                   "--target gfx1100 --out-dtype f16", "--target gfx1201 --dtype f32"}) {
    for (std::string const what : {"--alpha -2", "--beta 2", "--bias on", "--activation relu", "--activation gelu",
                                   "--residual on", "--residual on --ldr 272", "--residual on --ldr 269 --beta -1"}) {
      for (std::string const size : {"--m 128 --n 256 --k 64", "--m 127 --n 255 --k 33", "--m 129 --n 257 --k 40",
                                     "--m 129 --n 264 --k 40 --ldc 280"})
        batch.expect(0, target + " --layout nt " + size + " " + what);
    }
  }
}

TEST_CASE("an epilogue of K = 0 is that of sums which are 0", "[chapter][16]") {
  Batch batch;
  for (std::string const& type : types) {
    for (std::string const what : {"--beta 2 --bias on --residual on", "--bias on --activation relu", "--alpha 2"})
      batch.expect(0, type + " --layout nt --m 130 --n 260 --k 0 " + what);
  }
}

TEST_CASE("with K in slices each part of the epilogue is computed once, in every batch", "[chapter][16]") {
  Batch batch;
  for (std::string const target :
       {"--target sm80", "--target gfx942 --out-dtype f16", "--target gfx1100 --dtype f32"}) {
    for (std::string const what : {"--alpha 2", "--bias on --beta 1", "--activation gelu",
                                   "--bias on --activation relu --residual on --batch 2"}) {
      for (std::string const size : {"--m 72 --n 160 --k 136", "--m 71 --n 157 --k 131 --ldc 159"})
        batch.expect(0, target + " --layout nt " + size + " --split-k 3 " + what);
    }
  }
}

TEST_CASE("every schedule gives the same bits", "[chapter][16]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942"})
    batch.expect_same_bytes(
        "--target " + target + " --layout nt --m 136 --n 264 --k 136 --bias on --activation gelu --split-k 2",
        {"--schedule reverse", "--schedule random:5", "--order rows", "--group 1"});
}

TEST_CASE("a tile leaves by 16 bytes in the fewest sectors, and the sums are read and written without bank conflicts",
          "[chapter][16]") {
  for (auto const& [options, warp] :
       {std::pair<std::string, int>{"--target sm80", 32}, {"--target gfx942", 64},
        {"--target sm80 --out-dtype f16", 32}, {"--target gfx942 --out-dtype f16", 64}}) {
    Ran const ran = run("--layout nt --m 256 --n 256 --k 64 --split-k 1 " + options);
    INFO(options << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(counter(ran.output, "global store bytes") == 16 * warp * counter(ran.output, "global store requests"));
    CHECK(counter(ran.output, "global store sectors") == counter(ran.output, "global store sectors ideal"));
    CHECK(counter(ran.output, "shared store wavefronts") == counter(ran.output, "shared store wavefronts ideal"));
    CHECK(counter(ran.output, "shared load wavefronts") == counter(ran.output, "shared load wavefronts ideal"));
  }
}

TEST_CASE("options that do not fit the problem are bad input", "[chapter][16]") {
  Batch batch;
  batch.expect(2, "--activation tanh");
  batch.expect(2, "--split-k -1", "--split-k");
  batch.expect(2, "--split-k 5000", "1 to 4096");
  batch.expect(2, "--group -1", "--group");
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--dtype f32 --out-dtype f16");
  batch.expect(2, "--tune x.csv", "chapter 17_optimized_gemm adds it");
  batch.expect(2, "--target gfx1");
}

TEST_CASE(
    "sums that take the place of operands which others still read, and a slice of them that is read too early or "
    "replaced too early, are races",
    "[chapter][16][mutant]") {
  std::string const problem = "--layout nt --m 64 --n 128 --k 64";
  for (std::string const mutant :
       {"16_barrier_before_the_sums_removed", "16_slice_read_before_complete", "16_slice_replaced_while_read"})
    expect_hazard("race", mutant, problem);
}

TEST_CASE("a bias of another column, C added after the activation, and a residual with rows of C's length are wrong",
          "[chapter][16][mutant]") {
  std::string const problem = "--layout nt --m 64 --n 128 --k 32 ";
  CHECK(run_mutant("16_bias_of_another_column", problem + "--bias on").exit_code == 1);
  CHECK(run_mutant("16_c_added_after_the_activation", problem + "--beta 1 --activation relu").exit_code == 1);
  CHECK(run_mutant("16_residual_with_rows_of_c", problem + "--residual on --ldr 136").exit_code == 1);
}

TEST_CASE("NaN and infinities arrive in their rows and columns through every activation, and beta 0 reads no NaN of C",
          "[chapter][16]") {
  constexpr int M = 5, N = 7, K = 9;
  constexpr std::uint16_t one = 0x3c00, infinity = 0x7c00, minus_infinity = 0xfc00, nan = 0x7e00;  // f16
  std::vector<std::uint16_t> a(M * K, one), b(K * N, one);
  a[2 * K + 3] = nan;             // row 2 of C is NaN
  a[4 * K + 1] = infinity;        // row 4 is infinite
  b[0 * N + 6] = minus_infinity;  // column 6 is infinite with the other sign: in row 4 both
  harness_test::Folder const folder;
  std::string const files =
      " --a " + file_of(folder / "a.npy", tilestep::DType::f16, {M, K}, a) + " --b " +
      file_of(folder / "b.npy", tilestep::DType::f16, {K, N}, b) + " --c " +
      file_of(folder / "c.npy", tilestep::DType::f32, {M, N}, std::vector<float>(M * N, std::nanf(""))) + " --out " +
      (folder / "out.npy");
  for (std::string const& target : targets) {
    for (std::string const activation : {"none", "relu", "gelu"}) {
      std::string const options = "--target " + target + files + " --activation " + activation;
      expect(0, options);
      std::vector<float> const c = elements_of<float>(folder / "out.npy");
      REQUIRE(c.size() == M * N);
      float const inf = std::numeric_limits<float>::infinity();
      for (int m = 0; m < M; ++m) {
        for (int n = 0; n < N; ++n) {
          float const got = c[static_cast<std::size_t>(m * N + n)];
          INFO(options << ": (m,n) = (" << m << "," << n << "): " << got);
          if (m == 2 || (m == 4 && n == 6)) CHECK(std::isnan(got));
          else if (m == 4) CHECK(got == inf);
          else if (n != 6) CHECK(got == 9);  // GELU(9) is 9 in f32
          else if (activation == "gelu") CHECK(std::isnan(got));  // -inf times 0, as GELU's formula has it
          else CHECK(got == (activation == "relu" ? 0 : -inf));
        }
      }
    }
  }
}

TEST_CASE("a ReLU that makes 0 of NaN is wrong", "[chapter][16][mutant]") {
  constexpr std::uint16_t one = 0x3c00, nan = 0x7e00;  // f16
  std::vector<std::uint16_t> a(8 * 8, one);
  harness_test::Folder const folder;
  std::string const b = file_of(folder / "b.npy", tilestep::DType::f16, {8, 8}, a);
  a[11] = nan;
  std::string const files =
      "--layout nt --a " + file_of(folder / "a.npy", tilestep::DType::f16, {8, 8}, a) + " --b " + b;
  CHECK(run_mutant("16_relu_of_nan_is_zero", files + " --activation none").exit_code == 0);
  CHECK(run_mutant("16_relu_of_nan_is_zero", files + " --activation relu").exit_code == 1);
}
