// Chapter 04's program over its size table, and its mutants, which must be caught.

#include "../../support/run_program.hpp"  // run_program
#include "../gemm_sizes.hpp"              // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep::test;

namespace {

void right_for_the_table(std::string const& kernel, int tile) {
  for (std::string const layout : {"nn", "nt", "tn", "tt"}) {
    for (std::string const& options : gemm_sizes(tile)) {
      Ran const ran = run_program("04_fma_gemm", "--kernel " + kernel + " --layout " + layout + " " + options);
      INFO(kernel << " " << layout << " " << options << "\n" << ran.output);
      CHECK(ran.exit_code == 0);
    }
  }
}

}  // namespace

TEST_CASE("the naive kernel is right for every size, layout, leading dimension and batch", "[chapter][04]") {
  right_for_the_table("naive", 16);
}

TEST_CASE("the register-tiled kernel is right for every size, layout, leading dimension and batch", "[chapter][04]") {
  right_for_the_table("register_tiled", 64);
}

TEST_CASE("both kernels multiply IREE's 42 x 32 by 32 x 64 in f32, all three by rows", "[chapter][04][iree]") {
  for (std::string const kernel : {"naive", "register_tiled"}) {
    for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
      Ran const ran = run_program("04_fma_gemm",
                                  "--kernel " + kernel + " --target " + target + " --layout nn --m 42 --n 64 --k 32");
      INFO(ran.output);
      CHECK(ran.exit_code == 0);
      CHECK(ran.output.find("f32") != std::string::npos);
    }
  }
}

TEST_CASE("both kernels are right in f64 for every size and layout, and on every target", "[chapter][04][f64]") {
  for (std::string const kernel : {"naive", "register_tiled"}) {
    for (std::string const layout : {"nn", "nt", "tn", "tt"}) {
      for (std::string const& options : gemm_sizes(kernel == "naive" ? 16 : 64)) {
        Ran const ran = run_program("04_fma_gemm",
                                    "--dtype f64 --kernel " + kernel + " --layout " + layout + " " + options);
        INFO(kernel << " " << layout << " " << options << "\n" << ran.output);
        CHECK(ran.exit_code == 0);
      }
    }
    for (std::string const target : {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
      Ran const ran = run_program("04_fma_gemm", "--dtype f64 --m 65 --n 33 --k 17 --alpha 0.5 --beta 1 --kernel " +
                                                     kernel + " --target " + target);
      INFO(kernel << " " << target << "\n" << ran.output);
      CHECK(ran.exit_code == 0);
    }
  }
}

TEST_CASE("f64 operands are not summed in f32", "[chapter][04][f64][mutant]") {
  std::string const options = "--dtype f64 --m 16 --n 16 --k 16 --kernel naive";
  CHECK(run_program("tests/mutants/04_f64_summed_in_f32", options).exit_code == 1);
}

TEST_CASE("both kernels are right on every target and under every schedule", "[chapter][04]") {
  for (std::string const kernel : {"naive", "register_tiled"}) {
    for (std::string const target : {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        Ran const ran = run_program("04_fma_gemm", "--m 65 --n 33 --k 17 --beta 1 --kernel " + kernel + " --target " +
                                                       target + " --schedule " + schedule);
        INFO(kernel << " " << target << " " << schedule << "\n" << ran.output);
        CHECK(ran.exit_code == 0);
      }
    }
  }
}

TEST_CASE("a row of A past its end that is read is reported as out of bounds", "[chapter][04][mutant]") {
  Ran const ran = run_program("tests/mutants/04_predicate_off_by_one", "--m 65 --n 64 --k 5");
  INFO(ran.output);
  CHECK(ran.exit_code == 4);
  CHECK(ran.output.find("out of bounds") != std::string::npos);
}

TEST_CASE("the wrong tile of B is a wrong result or a hazard", "[chapter][04][mutant]") {
  CHECK(run_program("tests/mutants/04_b_transposed", "--m 128 --n 128 --k 5").exit_code == 1);
}

TEST_CASE("a K loop that drops its last step is a wrong result", "[chapter][04][mutant]") {
  CHECK(run_program("tests/mutants/04_last_k_dropped", "--m 16 --n 16 --k 16").exit_code == 1);
}

TEST_CASE("a last row that is never stored is a wrong result", "[chapter][04][mutant]") {
  CHECK(run_program("tests/mutants/04_last_row_dropped", "--m 16 --n 16 --k 16").exit_code == 1);
}

TEST_CASE("reading C although beta is 0 is an uninitialised read", "[chapter][04][mutant]") {
  Ran const ran = run_program("tests/mutants/04_beta_zero_reads_c", "--m 16 --n 16 --k 16 --kernel naive");
  INFO(ran.output);
  CHECK(ran.exit_code == 4);
}
