// Chapter 00's program over its size table, its counters, and its mutants, which must be caught.

#include "../gemm_program.hpp"  // run, expect, counter, expect_hazard, targets, layouts
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

namespace tilestep::test {
char const* const chapter = "00_obvious_gemm";
}

using namespace tilestep::test;

TEST_CASE("both orders of threads are right for every size, layout, leading dimension and batch", "[chapter][00]") {
  Batch batch;
  for (std::string const kernel : {"row", "column"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& options : gemm_sizes(16)) {
        batch.expect(0, "--kernel " + kernel + " --layout " + layout + " " + options);
      }
      batch.expect(0, "--m 16 --n 16 --k 3 --kernel " + kernel + " --layout " + layout);    // one block, whole
      batch.expect(0, "--m 1 --n 257 --k 300 --kernel " + kernel + " --layout " + layout);  // one thread more
      batch.expect(0, "--m 255 --n 1 --k 2 --kernel " + kernel + " --layout " + layout);    // one thread less
    }
  }
}

TEST_CASE("both orders of threads are right on every target and under every schedule", "[chapter][00]") {
  Batch batch;
  for (std::string const kernel : {"row", "column"}) {
    for (std::string const& target : targets) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        batch.expect(0,
                     "--m 65 --n 33 --k 17 --beta 1 --kernel " + kernel + " --target " + target + " --schedule " +
                     schedule);
      }
    }
  }
}

TEST_CASE("neighbours along a row share sectors, neighbours along a column do not", "[chapter][00]") {
  // A warp of 32 asks for one element of A and 32 of B in every step, or the reverse; the rows of A are 256 bytes
  // apart.
  Ran const row = run("--m 64 --n 64 --k 64 --kernel row --target sm80");
  Ran const column = run("--m 64 --n 64 --k 64 --kernel column --target sm80");
  INFO(row.output << column.output);
  long const warps = 64 * 64 / 32, steps = 64;
  for (Ran const& each : {row, column}) {
    CHECK(counter(each.output, "global load requests") == 2 * warps * steps);
    CHECK(counter(each.output, "global load bytes") == 2 * 4 * 64 * 64 * 64);
    CHECK(counter(each.output, "fma") == 64 * 64 * 64);
  }
  CHECK(counter(row.output, "global load sectors") == (1 + 4) * warps * steps);
  CHECK(counter(column.output, "global load sectors") == (32 + 1) * warps * steps);
  CHECK(counter(row.output, "global store sectors") == 4 * warps);
  CHECK(counter(column.output, "global store sectors") == 32 * warps);
}

TEST_CASE("a thread past the last element that goes on is out of bounds", "[chapter][00][mutant]") {
  expect_hazard("out of bounds", "00_no_edge", "--m 5 --n 7 --k 3");
}

TEST_CASE("a row of B that begins where a column does is a wrong result or a hazard", "[chapter][00][mutant]") {
  CHECK(is_caught("00_b_transposed", "--m 16 --n 16 --k 16"));
}

TEST_CASE("a loop over k that drops its last step is a wrong result", "[chapter][00][mutant]") {
  CHECK(run_mutant("00_last_k_dropped", "--m 16 --n 16 --k 16").exit_code == 1);
}

TEST_CASE("columns that are as long as rows are found where M and N differ", "[chapter][00][mutant]") {
  CHECK(is_caught("00_column_order_counts_n", "--m 16 --n 24 --k 5 --kernel column"));
}

TEST_CASE("a batch whose products all go to the first is caught", "[chapter][00][mutant]") {
  CHECK(is_caught("00_one_product_for_all", "--m 16 --n 16 --k 5 --batch 3"));
}

TEST_CASE("reading C although beta is 0 is an uninitialised read", "[chapter][00][mutant]") {
  expect_hazard("uninitialised read", "00_beta_zero_reads_c", "--m 16 --n 16 --k 16");
}
