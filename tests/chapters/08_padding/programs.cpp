// Chapter 08's program: every target, type and way to copy, the size table in every layout, what is chosen and what is
// refused, and its mutants.

#include "../gemm_program.hpp"  // run, expect
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

char const* const tilestep::test::chapter = "08_padding";

using namespace tilestep::test;

TEST_CASE(
    "every target and type is right in scalars, in vectors and repacked, or refused where the instruction does not "
    "exist",
    "[chapter][08]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : way_types) {
      int const code = types.code_on(target);
      std::string const pair = "--target " + target + " " + types.options;
      batch.expect(code, pair + " --kernel scalars --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1");
      batch.expect(code, pair + " --kernel repacked --m 131 --n 67 --k 43 --layout nn --alpha 2 --beta -1");
      batch.expect(code, pair + " --kernel vectors --m 131 --n 67 --k 80 --layout nt --alpha 2 --beta -1");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right, as chosen and repacked", "[chapter][08]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80", "--target gfx942", "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) {
        batch.expect(0, pair + " --layout " + layout + " " + size);
        batch.expect(0, pair + " --kernel repacked --layout " + layout + " " + size);
      }
    }
  }
}

TEST_CASE("vectors are right with tails along M, N and K, leading dimensions and batches", "[chapter][08]") {
  Batch batch;
  for (std::string const pair : {"--target sm80", "--target gfx90a", "--target gfx942", "--target gfx1100",
                                 "--target gfx1201"}) {
    for (std::string const size :
         {"--m 128 --n 128 --k 32", "--m 1 --n 1 --k 8", "--m 127 --n 129 --k 24", "--m 257 --n 131 --k 72 --beta 2",
          "--m 3 --n 5 --k 40 --lda 48 --ldb 56 --ldc 7 --alpha -1", "--m 37 --n 41 --k 16 --batch 3 --beta -1",
          "--m 5 --n 7 --k 0"}) {
      batch.expect(0, pair + " --kernel vectors --layout nt " + size);
    }
    for (std::string const size :
         {"--m 127 --n 136 --k 40", "--m 1 --n 8 --k 8", "--m 257 --n 264 --k 72 --lda 80 --ldb 272 --beta 1",
          "--m 9 --n 16 --k 24 --batch 2"}) {
      batch.expect(0, pair + " --kernel vectors --layout nn " + size);
    }
  }
}

TEST_CASE("every schedule gives the right result", "[chapter][08]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const kernel : {"scalars", "repacked"}) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        batch.expect(0,
                     "--m 129 --n 65 --k 67 --beta 1 --target " + target + " --kernel " + kernel + " --schedule " +
                     schedule);
      }
    }
  }
}

TEST_CASE("what is aligned is copied in vectors, what is read often is repacked, the rest is copied in scalars",
          "[chapter][08]") {
  Batch batch;
  batch.expect(0, "--layout nt --m 33 --n 35 --k 40", "chosen: vectors");
  batch.expect(0, "--layout nn --m 33 --n 40 --k 48", "chosen: vectors");
  batch.expect(0, "--layout nt --m 33 --n 35 --k 40 --lda 48", "chosen: vectors");
  batch.expect(0, "--layout nt --m 33 --n 35 --k 41 --lda 48", "chosen: scalars");
  batch.expect(0, "--layout nt --m 33 --n 35 --k 40 --lda 41", "chosen: scalars");
  batch.expect(0, "--m 33 --n 35 --k 41", "chosen: scalars");
  batch.expect(0, "--m 513 --n 511 --k 509", "chosen: repacked");
  batch.expect(0, "--layout tt --m 512 --n 512 --k 512", "chosen: repacked");
  batch.expect(0, "--layout nt --m 15 --n 4097 --k 1001", "chosen: scalars");  // one tile along M: B is read once
  batch.expect(0, "--m 513 --n 511 --k 0", "chosen: scalars");
}

TEST_CASE("a tile that spans 2^31 bytes is copied in scalars, and right", "[chapter][08]") {
  Batch batch;
  std::string const far = "--layout nt --m 2 --n 3 --k 8 --lda 16777216";  // 128 rows of 32 MiB
  batch.expect(0, far, "chosen: scalars");
  batch.expect(0, far + " --kernel repacked");
  batch.expect(0, far + " --target gfx942");
  batch.expect(2, far + " --kernel vectors");
}

TEST_CASE(
    "The option --kernel vectors refuses operands whose rows are no multiples of 16 bytes, and names --kernel repacked",
    "[chapter][08]") {
  Batch batch;
  for (std::string const options :
       {"--layout nt --m 8 --n 8 --k 9", "--layout nt --m 8 --n 8 --k 8 --lda 9",
        "--layout nt --m 8 --n 8 --k 8 --ldb 12", "--layout nn --m 8 --n 9 --k 8", "--layout tt --m 8 --n 8 --k 8",
        "--dtype f32 --layout nt --m 8 --n 8 --k 9", "--dtype f32 --layout nn --m 8 --n 8 --k 8"}) {
    batch.expect(2, "--kernel vectors " + options, "take --kernel repacked, which makes them so");
  }
}

TEST_CASE("types that no kernel has, and kernels that do not exist, are bad input", "[chapter][08]") {
  Batch batch;
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--dtype f16 --acc f16");
  batch.expect(2, "--layout nx");
  batch.expect(2, "--kernel padded");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("a row of A past its end that is read is reported as out of bounds", "[chapter][08][mutant]") {
  expect_hazard("out of bounds", "08_predicate_off_by_one", "--layout nt --kernel vectors --m 33 --n 40 --k 64");
}

TEST_CASE("a ragged tile that is forgotten is a wrong result", "[chapter][08][mutant]") {
  CHECK(run_mutant("08_ragged_tile_forgotten", "--layout nt --m 33 --n 40 --k 72").exit_code == 1);
}

TEST_CASE("a ragged tile that asks for m alone is caught", "[chapter][08][mutant]") {
  CHECK(is_caught("08_ragged_tile_not_asked", "--layout nt --kernel vectors --m 33 --n 40 --k 72"));
}

TEST_CASE("a ragged tile without zeros outside of the matrix is reported as an uninitialised read",
          "[chapter][08][mutant]") {
  expect_hazard("uninitialised read", "08_zero_fill_dropped", "--layout nt --kernel vectors --m 33 --n 40 --k 72");
}

TEST_CASE("a repacked matrix whose tiles lie transposed is caught", "[chapter][08][mutant]") {
  CHECK(is_caught("08_repack_transposed", "--layout nn --kernel repacked --m 129 --n 40 --k 200"));
}
