// Chapter 06's program: every target, type and layout over legal sizes, what it refuses and in which words, schedules,
// and its mutants.

#include "../gemm_program.hpp"  // run, expect, counter

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

char const* const tilestep::test::chapter = "06_shared_memory_tiling";

using namespace tilestep::test;

namespace {

/// Legal on every target: whole tiles of 256 x 128.
std::vector<std::string> const legal_sizes{"--m 256 --n 128",
                                           "--m 256 --n 384 --alpha -2 --beta 1",
                                           "--m 512 --n 256 --beta 3",
                                           "--m 256 --n 256 --lda 544 --ldb 552 --ldc 553 --beta -1",
                                           "--m 256 --n 128 --batch 3 --alpha 2 --beta -1",
                                           "--m 0 --n 128",
                                           "--m 256 --n 0",
                                           "--m 256 --n 128 --batch 0"};

}  // namespace

TEST_CASE("f16 is right in every layout on every target", "[chapter][06]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (std::string const& layout : layouts)
      batch.expect(0, "--target " + target + " --layout " + layout + " --m 256 --n 256 --k 32");
  }
}

TEST_CASE("every legal size, leading dimension and batch is right in every layout on instructions of all families",
          "[chapter][06]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80", "--target gfx942", "--target gfx1100", "--target gfx1201"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : legal_sizes) batch.expect(0, pair + " --k 32 --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("f32 is right in layout nt on every target, and refused in others", "[chapter][06]") {
  Batch batch;
  for (std::string const& target : targets) {
    std::string const options = "--target " + target + " --dtype f32 --k 8";
    batch.expect(0, options + " --layout nt --m 256 --n 256 --beta 2");
    batch.expect(2, options + " --layout nn --m 256 --n 256", "07_k_loop");
    batch.expect(2, options + " --layout tt --m 256 --n 256", "07_k_loop");
  }
}

TEST_CASE("f32 by hand is right on every target, as is every legal size", "[chapter][06]") {
  Batch batch;
  for (std::string const& target : targets) {
    std::string const options = "--kernel by_hand --dtype f32 --layout nt --k 8 --target " + target;
    batch.expect(0, options + " --m 256 --n 128 --beta 2");
  }
  for (std::string const size : {"--m 384 --n 256 --lda 9 --ldb 11 --ldc 257 --alpha -2 --beta 1", "--m 0 --n 128",
                                 "--m 128 --n 0", "--m 128 --n 256 --batch 3 --beta -1"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:5"})
      batch.expect(0, "--kernel by_hand --dtype f32 --layout nt --k 8 --schedule " + schedule + " " + size);
  }
}

TEST_CASE("the option --kernel by_hand refuses what it cannot take", "[chapter][06]") {
  Batch batch;
  batch.expect(2, "--kernel by_hand", "--kernel by_hand is for f32: add --dtype f32 --layout nt --k 8");
  std::string const by_hand = "--kernel by_hand --dtype f32 ";
  batch.expect(2, by_hand + "--layout nt --m 127 --n 128 --k 8", "M a multiple of 128");
  batch.expect(2, by_hand + "--layout nt --m 128 --n 128 --k 16", "K = 8");
  batch.expect(2, by_hand + "--layout nn --m 128 --n 128 --k 8");
}

TEST_CASE("a TiledCopy of 16 bytes a thread takes a quarter of the requests that a loop over elements takes",
          "[chapter][06]") {
  std::string const problem = "--dtype f32 --layout nt --m 256 --n 128 --k 8 --kernel ";
  Ran const by_hand = run(problem + "by_hand"), tiled = run(problem + "tiled");
  INFO(by_hand.output << tiled.output);
  for (std::string const counted : {"global load requests", "shared store requests"})
    CHECK(counter(by_hand.output, counted) == 4 * counter(tiled.output, counted));
  for (std::string const counted : {"global load bytes", "global load sectors", "shared store bytes", "barriers"})
    CHECK(counter(by_hand.output, counted) == counter(tiled.output, counted));
}

TEST_CASE("what is no whole number of tiles is refused, with the chapter that has no such limit", "[chapter][06]") {
  Batch batch;
  for (std::string const size :
       {"--m 255", "--m 257", "--n 127", "--m 1 --n 1 --k 1", "--k 0", "--k 31", "--k 33", "--k 64"}) {
    batch.expect(2, size,
                 "these types on sm80 want M a multiple of 128, N of 128, and K = 32; 07_k_loop has no such limit");
  }
  batch.expect(2, "--target gfx942 --m 128", "M a multiple of 256");
  batch.expect(0, "--target gfx1100 --m 128");
}

TEST_CASE("rows that do not begin at multiples of 16 bytes are refused", "[chapter][06]") {
  Batch batch;
  batch.expect(2, "--lda 36", "must begin at a multiple of 16 bytes");
  batch.expect(2, "--ldb 129", "must begin at a multiple of 16 bytes");
  batch.expect(2, "--layout nt --dtype f32 --k 8 --lda 9", "07_k_loop");
  batch.expect(0, "--lda 40 --ldb 136 --ldc 129");
}

TEST_CASE("fragments along K are read in pairs, along M and N one by one", "[chapter][06]") {
  auto const shared_loads = [](std::string const& layout) {
    return counter(run("--m 128 --n 128 --k 32 --target sm80 --layout " + layout).output, "shared load requests");
  };
  // 4 warps, 64 x 32 of each operand, 32 lanes with 4 bytes
  long const of_each = 4 * 64 * 32 * 2 / (32 * 4);
  CHECK(shared_loads("nt") == 2 * of_each);
  CHECK(shared_loads("nn") == 3 * of_each);
  CHECK(shared_loads("tn") == 4 * of_each);
}

TEST_CASE("every schedule gives the right result", "[chapter][06]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
      batch.expect(0, "--m 256 --n 256 --beta 1 --target " + target + " --schedule " + schedule);
    }
  }
}

TEST_CASE("a barrier that is missing after the copies is reported as a race", "[chapter][06][mutant]") {
  for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
    Ran const ran = run_mutant("06_barrier_removed", "--m 128 --n 128 --k 32 --schedule " + schedule);
    INFO(ran.output);
    CHECK(ran.exit_code == 4);
    CHECK((ran.output.find("race") != std::string::npos || ran.output.find("uninitialised read") != std::string::npos));
  }
}

TEST_CASE("B with its modes exchanged is a wrong result", "[chapter][06][mutant]") {
  CHECK(run_mutant("06_b_transposed", "--m 128 --n 128 --k 32 --layout nt").exit_code == 1);
}

TEST_CASE("the tile of B at the row of C's tile is a wrong result", "[chapter][06][mutant]") {
  CHECK(run_mutant("06_wrong_tile_of_b", "--m 256 --n 256 --k 32").exit_code == 1);
}

TEST_CASE("a thread that does not copy its part of B is reported as an uninitialised read", "[chapter][06][mutant]") {
  expect_hazard("uninitialised read", "06_part_of_b_not_copied", "--m 128 --n 128 --k 32");
  expect_hazard("uninitialised read", "06_by_hand_stops_early", "--dtype f32 --layout nt --m 128 --n 128 --k 8");
}

TEST_CASE("by hand a missing barrier is a race, and other rows of A are a wrong result", "[chapter][06][mutant]") {
  std::string const problem = "--dtype f32 --layout nt --m 128 --n 128 --k 8";
  for (std::string const schedule : {"in-order", "reverse", "random:3"})
    CHECK(run_mutant("06_by_hand_barrier_removed", problem + " --schedule " + schedule).exit_code == 4);
  CHECK(run_mutant("06_by_hand_wrong_rows", problem).exit_code == 1);
}

TEST_CASE("threads that stand across the rows copy the same bytes in more sectors", "[chapter][06][mutant]") {
  std::string const problem = "--m 128 --n 128 --k 32 --layout nt";
  Ran const across = run_mutant("06_threads_across_rows", problem), along = run_mutant("06_bugs", problem);
  INFO(across.output << along.output);
  CHECK(across.exit_code == 0);
  CHECK(counter(across.output, "global load bytes") == counter(along.output, "global load bytes"));
  CHECK(counter(across.output, "global load sectors") > counter(along.output, "global load sectors"));
}
