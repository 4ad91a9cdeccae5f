// Chapter 10's program: every target and type, the size table in every layout with both ways to read fragments, how
// many requests and wavefronts each takes, and its mutants.

#include "../gemm_program.hpp"  // run, expect, counter
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options

char const* const tilestep::test::chapter = "10_matrix_loads";

using namespace tilestep::test;

namespace {

std::vector<std::string> const kernels{"plain", "matrix"};

/// Loads from shared memory.
struct Loads {
  long requests, bytes, wavefronts, fewest;
  bool operator==(Loads const&) const = default;
};
Loads shared_loads(std::string const& options) {
  Ran const ran = run(options);
  INFO(options << "\n" << ran.output);
  REQUIRE(ran.exit_code == 0);
  return {counter(ran.output, "shared load requests"), counter(ran.output, "shared load bytes"),
          counter(ran.output, "shared load wavefronts"), counter(ran.output, "shared load wavefronts ideal")};
}

}  // namespace

TEST_CASE("every target and type is right as stored and repacked", "[chapter][10]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : way_types) {
      int const code = types.code_on(target);
      std::string const pair = "--target " + target + " " + types.options;
      batch.expect(code, pair + " --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1");
      batch.expect(code, pair + " --m 131 --n 67 --k 80 --layout nt --alpha 2 --beta -1 --kernel plain");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][10]") {
  Batch batch;
  for (std::string const pair : {"--target sm80", "--target sm90 --kernel plain", "--target gfx942",
                                 "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("16-bit operands are read as they are stored in every layout, with tails along M, N and K", "[chapter][10]") {
  for (std::string const pair : {"--target sm80", "--target sm80 --kernel plain", "--target gfx950"}) {
    for (std::string const& layout : layouts) {
      for (std::string const size : {"--m 128 --n 128 --k 32", "--m 8 --n 8 --k 8", "--m 264 --n 136 --k 72 --beta 2",
                                     "--m 40 --n 48 --k 24 --batch 3 --alpha -1 --lda 272 --ldb 280"}) {
        Ran const ran = run(pair + " --layout " + layout + " " + size);
        INFO(pair << " " << layout << " " << size << "\n" << ran.output);
        CHECK(ran.exit_code == 0);
        CHECK(ran.output.find("Repack") == std::string::npos);
      }
    }
  }
}

TEST_CASE("every schedule gives the right result", "[chapter][10]") {
  Batch batch;
  for (std::string const& kernel : kernels) {
    for (std::string const layout : {"nt", "tn"}) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        batch.expect(0, "--m 136 --n 72 --k 72 --beta 1 --target sm80 --kernel " + kernel + " --layout " + layout +
                      " --schedule " + schedule);
      }
    }
  }
}

TEST_CASE("ldmatrix takes 16 requests for each tile and warp in every layout, and the fewest wavefronts",
          "[chapter][10]") {
  // 64 x 32 of A and of B by each warp, 512 bytes at a time; 4 blocks of 4 warps, 2 tiles along K
  constexpr long requests = (64 + 64) * 32 * 2 / 512 * 4 * 4 * 2, bytes = requests * 512, wavefronts = bytes / 128;
  for (std::string const target : {"sm80", "sm90"}) {
    for (std::string const& layout : layouts) {
      INFO(target << " " << layout);
      CHECK(shared_loads("--m 256 --n 256 --k 64 --target " + target + " --layout " + layout) ==
            Loads{requests, bytes, wavefronts, wavefronts});
    }
  }
}

TEST_CASE("a lane alone takes four times the requests along K, and eight times along M or N", "[chapter][10]") {
  for (std::string const& layout : layouts) {
    std::string const problem = "--m 256 --n 256 --k 64 --target sm80 --layout " + layout;
    Loads const plain = shared_loads(problem + " --kernel plain"), matrix = shared_loads(problem);
    long const of_each = matrix.requests / 2;  // of A, and of B
    CHECK(plain.requests == of_each * (layout[0] == 'n' ? 4 : 8) + of_each * (layout[1] == 't' ? 4 : 8));
    CHECK(plain.bytes == matrix.bytes);
    CHECK(plain.wavefronts == plain.fewest);
  }
}

TEST_CASE("where there is no ldmatrix both kernels are one, and the program says so", "[chapter][10]") {
  for (std::string const options : {"--target gfx942 --layout tn", "--target gfx1201 --layout nt", "--dtype f32"}) {
    std::string const problem = "--m 128 --n 128 --k 64 " + options;
    Ran const plain = run(problem + " --kernel plain"), matrix = run(problem + " --kernel matrix");
    INFO(plain.output << matrix.output);
    CHECK(plain.exit_code == 0);
    CHECK(matrix.output.find("--kernel matrix and plain are the same") != std::string::npos);
    CHECK(counter(plain.output, "shared load requests") == counter(matrix.output, "shared load requests"));
  }
  CHECK(run("--m 128 --n 128 --k 64").output.find("are the same") == std::string::npos);
}

TEST_CASE("types that no kernel has, and kernels that do not exist, are bad input", "[chapter][10]") {
  Batch batch;
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--dtype f16 --acc f16");
  batch.expect(2, "--layout nx");
  batch.expect(2, "--kernel ldmatrix");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("matrices in the wrong order, or not transposed, are a wrong result", "[chapter][10][mutant]") {
  for (std::string const layout : {"nt", "tn"})
    CHECK(run_mutant("10_matrices_exchanged", "--m 128 --n 128 --k 32 --layout " + layout).exit_code == 1);
  CHECK(run_mutant("10_not_transposed", "--m 128 --n 128 --k 32 --layout tn").exit_code == 1);
  CHECK(run_mutant("10_not_transposed", "--m 128 --n 128 --k 32 --layout nt").exit_code == 0);
}

TEST_CASE("a dropped tile is a wrong result", "[chapter][10][mutant]") {
  for (std::string const layout : {"nt", "tn"})
    CHECK(run_mutant("10_last_tile_dropped", "--m 128 --n 128 --k 96 --layout " + layout).exit_code == 1);
}

TEST_CASE("without a swizzle the rows of a matrix meet in the same banks, which is counted", "[chapter][10][mutant]") {
  for (std::string const layout : {"nt", "tn"}) {
    Ran const ran = run_mutant("10_swizzle_forgotten", "--m 128 --n 128 --k 64 --layout " + layout);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(counter(ran.output, "shared load wavefronts") > counter(ran.output, "shared load wavefronts ideal"));
  }
}

TEST_CASE("a barrier that is missing on either side of the reads is reported as a race", "[chapter][10][mutant]") {
  for (std::string const mutant : {"10_barrier_before_reads_removed", "10_barrier_after_reads_removed"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
      Ran const ran = run_mutant(mutant, "--layout nt --m 128 --n 128 --k 64 --schedule " + schedule);
      INFO(mutant << " " << schedule << "\n" << ran.output);
      CHECK(ran.exit_code == 4);
      CHECK(
          (ran.output.find("race") != std::string::npos || ran.output.find("uninitialised read") != std::string::npos));
    }
  }
}
