// Chapter 08's program: every target, type and way to copy, the size table in every layout, what is chosen and what is refused, and its
// mutants.

#include "../../support/run_program.hpp"  // run_program
#include "../gemm_sizes.hpp"              // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep::test;

namespace {

struct Types {
  std::string options;
  bool nvidia_only;
};

std::vector<std::string> const targets{"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
std::vector<Types> const every_type{{"--dtype f16", false},
                                    {"--dtype f16 --out-dtype f16", false},
                                    {"--dtype f16 --acc f16", true},
                                    {"--dtype bf16", false},
                                    {"--dtype bf16 --out-dtype bf16", false},
                                    {"--dtype tf32", true},
                                    {"--dtype i8", false},
                                    {"--dtype f32", false}};

Ran run(std::string const& options) { return run_program("08_padding", options); }

void expect(int exit_code, std::string const& options) {
  Ran const ran = run(options);
  INFO(options << "\n" << ran.output);
  CHECK(ran.exit_code == exit_code);
}

/// The program is right and says these words.
void expect_words(std::string const& words, std::string const& options) {
  Ran const ran = run(options);
  INFO(options << "\n" << ran.output);
  CHECK(ran.exit_code == 0);
  CHECK(ran.output.find(words) != std::string::npos);
}

bool is_nvidia(std::string const& target) { return target.substr(0, 2) == "sm"; }

/// Exits with one of the codes that a found bug may have: 1 wrong, 4 hazard.
bool is_caught(std::string const& mutant, std::string const& options) {
  Ran const ran = run_program("tests/mutants/" + mutant, options);
  UNSCOPED_INFO(ran.output);
  return ran.exit_code == 1 || ran.exit_code == 4;
}

}  // namespace

TEST_CASE("every target and type is right in scalars, in vectors and repacked, or refused where the instruction does not exist", "[chapter][08]") {
  for (std::string const& target : targets) {
    for (Types const& types : every_type) {
      int const code = types.nvidia_only && !is_nvidia(target) ? 3 : 0;
      std::string const pair = "--target " + target + " " + types.options;
      expect(code, pair + " --kernel scalars --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1");
      expect(code, pair + " --kernel repacked --m 131 --n 67 --k 43 --layout nn --alpha 2 --beta -1");
      expect(code, pair + " --kernel vectors --m 131 --n 67 --k 80 --layout nt --alpha 2 --beta -1");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right, as chosen and repacked", "[chapter][08]") {
  for (std::string const pair : {"--target sm80", "--target gfx942 --dtype bf16", "--target gfx1100 --dtype i8", "--target sm90 --dtype f32"}) {
    for (std::string const layout : {"nn", "nt", "tn", "tt"}) {
      for (std::string const& size : gemm_sizes(128)) {
        expect(0, pair + " --layout " + layout + " " + size);
        expect(0, pair + " --kernel repacked --layout " + layout + " " + size);
      }
    }
  }
}

TEST_CASE("vectors are right with tails along M, N and K, leading dimensions and batches", "[chapter][08]") {
  for (std::string const pair : {"--target sm80", "--target gfx90a --dtype bf16", "--target gfx942", "--target gfx1100", "--target gfx1201 --dtype bf16"}) {
    for (std::string const size : {"--m 128 --n 128 --k 32", "--m 1 --n 1 --k 8", "--m 127 --n 129 --k 24", "--m 257 --n 131 --k 72 --beta 2",
                                   "--m 3 --n 5 --k 40 --lda 48 --ldb 56 --ldc 7 --alpha -1", "--m 37 --n 41 --k 16 --batch 3 --beta -1", "--m 5 --n 7 --k 0"}) {
      expect(0, pair + " --kernel vectors --layout nt " + size);
    }
    for (std::string const size : {"--m 127 --n 136 --k 40", "--m 1 --n 8 --k 8", "--m 257 --n 264 --k 72 --lda 80 --ldb 272 --beta 1", "--m 9 --n 16 --k 24 --batch 2"}) {
      expect(0, pair + " --kernel vectors --layout nn " + size);
    }
  }
}

TEST_CASE("every schedule gives the right result", "[chapter][08]") {
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const kernel : {"scalars", "repacked"}) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        expect(0, "--m 129 --n 65 --k 67 --beta 1 --target " + target + " --kernel " + kernel + " --schedule " + schedule);
      }
    }
  }
}

TEST_CASE("what is aligned is copied in vectors, what is read often is repacked, the rest is copied in scalars", "[chapter][08]") {
  expect_words("chosen: vectors", "--layout nt --m 33 --n 35 --k 40");
  expect_words("chosen: vectors", "--layout nn --m 33 --n 40 --k 48");
  expect_words("chosen: vectors", "--layout nt --m 33 --n 35 --k 40 --lda 48");
  expect_words("chosen: scalars", "--layout nt --m 33 --n 35 --k 41 --lda 48");
  expect_words("chosen: scalars", "--layout nt --m 33 --n 35 --k 40 --lda 41");
  expect_words("chosen: scalars", "--m 33 --n 35 --k 41");
  expect_words("chosen: repacked", "--m 513 --n 511 --k 509");
  expect_words("chosen: repacked", "--layout tt --m 512 --n 512 --k 512");
  expect_words("chosen: scalars", "--layout nt --m 15 --n 4097 --k 1001");  // one tile along M: B is read once
  expect_words("chosen: scalars", "--m 513 --n 511 --k 0");
}

TEST_CASE("a tile that spans 2^31 bytes is copied in scalars, and right", "[chapter][08]") {
  std::string const far = "--layout nt --m 2 --n 3 --k 8 --lda 16777216";  // 128 rows of 32 MiB
  expect_words("chosen: scalars", far);
  expect(0, far + " --kernel repacked");
  expect(0, far + " --target gfx942");
  CHECK(run(far + " --kernel vectors").exit_code == 2);
}

TEST_CASE("The option --kernel vectors refuses operands whose rows are no multiples of 16 bytes, and names --kernel repacked", "[chapter][08]") {
  for (std::string const options : {"--layout nt --m 8 --n 8 --k 9", "--layout nt --m 8 --n 8 --k 8 --lda 9", "--layout nt --m 8 --n 8 --k 8 --ldb 12",
                                    "--layout nn --m 8 --n 9 --k 8", "--layout tt --m 8 --n 8 --k 8", "--dtype i8 --layout nt --m 8 --n 8 --k 8",
                                    "--out-dtype f16 --layout nn --m 8 --n 8 --k 8"}) {
    Ran const ran = run("--kernel vectors " + options);
    INFO(options << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(ran.output.find("take --kernel repacked, which makes them so") != std::string::npos);
  }
}

TEST_CASE("types that no kernel has, and kernels that do not exist, are bad input", "[chapter][08]") {
  expect(2, "--dtype bf16 --acc f16");
  expect(2, "--dtype i8 --out-dtype f32");
  expect(2, "--layout nx");
  expect(2, "--kernel padded");
  expect(2, "--target gfx1");
}

TEST_CASE("a row of A past its end that is read is reported as out of bounds", "[chapter][08][mutant]") {
  Ran const ran = run_program("tests/mutants/08_predicate_off_by_one", "--layout nt --kernel vectors --m 33 --n 40 --k 64");
  INFO(ran.output);
  CHECK(ran.exit_code == 4);
  CHECK(ran.output.find("out of bounds") != std::string::npos);
}

TEST_CASE("a ragged tile that is forgotten is a wrong result", "[chapter][08][mutant]") {
  CHECK(run_program("tests/mutants/08_ragged_tile_forgotten", "--layout nt --m 33 --n 40 --k 72").exit_code == 1);
}

TEST_CASE("a ragged tile that asks for m alone is caught", "[chapter][08][mutant]") {
  CHECK(is_caught("08_ragged_tile_not_asked", "--layout nt --kernel vectors --m 33 --n 40 --k 72"));
}

TEST_CASE("a ragged tile without zeros outside of the matrix is reported as an uninitialised read", "[chapter][08][mutant]") {
  Ran const ran = run_program("tests/mutants/08_zero_fill_dropped", "--layout nt --kernel vectors --m 33 --n 40 --k 72");
  INFO(ran.output);
  CHECK(ran.exit_code == 4);
  CHECK(ran.output.find("uninitialised read") != std::string::npos);
}

TEST_CASE("a repacked matrix whose tiles lie transposed is caught", "[chapter][08][mutant]") {
  CHECK(is_caught("08_repack_transposed", "--layout nn --kernel repacked --m 129 --n 40 --k 200"));
}
