// Chapter 12's program: every target and step, the size table in every layout, schedules, what a ring may and
// may not change in the counters, what is refused, and its mutants.

#include "../gemm_program.hpp"  // run, expect, counter
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options

char const* const tilestep::test::chapter = "12_async_copies";

using namespace tilestep::test;

namespace {

/// A step on a target that has it.
struct Step {
  std::string target, kernel;
};
std::vector<Step> const steps{{"sm80", "stages2"}, {"sm80", "stages3"}, {"sm80", "ring"},  {"sm90", "ring"},
                              {"gfx90a", "ring"},  {"gfx942", "ring"},  {"gfx950", "ring"}};

}  // namespace

TEST_CASE("every target is right as stored and repacked, or has no such copy", "[chapter][12]") {
  Batch batch;
  for (std::string const& target : targets) {
    int const code = target.starts_with("gfx1") ? 3 : 0;
    batch.expect(code, "--target " + target + " --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1");
    batch.expect(code, "--target " + target + " --m 131 --n 67 --k 400 --layout nt --alpha 2 --beta -1");
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][12]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128))
        batch.expect(0, "--target " + target + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("every number of tiles along K is right, whole and ragged: fewer than are on their way, as many, and more",
          "[chapter][12]") {
  Batch batch;
  for (Step const& step :
       {Step{"sm80", "ring"}, Step{"sm80", "stages3"}, Step{"sm80", "stages2"}, Step{"gfx942", "ring"}}) {
    for (int k = 24; k <= 256; k += k % 32 == 0 ? 24 : 8) {
      batch.expect(0, "--layout nt --m 72 --n 136 --beta 1 --k " + std::to_string(k) + " --target " + step.target +
                    " --kernel " + step.kernel);
    }
  }
}

TEST_CASE("on NVIDIA operands are read as they are stored in every layout, with tails along M, N and K",
          "[chapter][12]") {
  for (std::string const pair : {"--target sm80", "--target sm90"}) {
    for (std::string const& layout : layouts) {
      for (std::string const size : {"--m 128 --n 256 --k 160", "--m 8 --n 8 --k 8", "--m 264 --n 136 --k 72 --beta 2",
                                     "--m 40 --n 48 --k 24 --batch 3 --alpha -1 --lda 272 --ldb 280"}) {
        Ran const ran = run(pair + " --layout " + layout + " " + size);
        INFO(pair << " " << layout << " " << size << "\n" << ran.output);
        CHECK(ran.exit_code == 0);
        CHECK(ran.output.find("Repack") == std::string::npos);
      }
    }
  }
}

TEST_CASE("on CDNA operands along K are read as they are stored, others are repacked", "[chapter][12]") {
  for (std::string const target : {"gfx90a", "gfx950"}) {
    Ran const along_k = run("--m 40 --n 48 --k 72 --layout nt --target " + target),
              along_m = run("--m 40 --n 48 --k 72 --layout tn --target " + target);
    INFO(along_k.output << along_m.output);
    CHECK(along_k.exit_code == 0);
    CHECK(along_m.exit_code == 0);
    CHECK(along_k.output.find("Repack") == std::string::npos);
    CHECK(along_m.output.find("Repack") != std::string::npos);
  }
}

TEST_CASE("every step is right on every target that has it, tails included", "[chapter][12]") {
  Batch batch;
  for (Step const& step : steps) {
    for (std::string const size : {"--m 256 --n 256 --k 256", "--m 131 --n 67 --k 168 --beta 3",
                                   "--m 5 --n 7 --k 0 --beta 2", "--m 9 --n 17 --k 48 --batch 2 --lda 56 --ldc 19"}) {
      batch.expect(0, "--layout nt --kernel " + step.kernel + " --target " + step.target + " " + size);
    }
  }
}

TEST_CASE("every schedule gives the right result", "[chapter][12]") {
  Batch batch;
  for (Step const& step : steps) {
    for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
      batch.expect(0, "--layout nt --m 136 --n 72 --k 232 --beta 1 --target " + step.target + " --kernel " +
                   step.kernel +
                    " --schedule " + schedule);
    }
  }
}

TEST_CASE("more stages move as many bytes, in the fewest wavefronts, with one barrier for each tile", "[chapter][12]") {
  constexpr int tiles = 8, blocks = 2;
  std::string const problem = "--layout nt --m 256 --n 256 --k 256 --target ";
  for (Step const& step : steps) {
    Ran const ran = run(problem + step.target + " --kernel " + step.kernel);
    INFO(step.target << " " << step.kernel << "\n" << ran.output);
    CHECK(counter(ran.output, "global load bytes") == blocks * tiles * 384 * 32 * 2);
    CHECK(counter(ran.output, "shared store bytes") == blocks * tiles * 384 * 32 * 2);
    CHECK(counter(ran.output, "barriers") == blocks * tiles);
    for (std::string const counted : {"shared load wavefronts", "shared store wavefronts"})
      CHECK(counter(ran.output, counted) == counter(ran.output, counted + " ideal"));
  }
}

TEST_CASE("shared memory holds as many tiles as there are stages", "[chapter][12]") {
  std::string const problem = "--layout nt --m 8 --n 8 --k 8 ";
  CHECK(run(problem + "--kernel stages2").output.find("49,152 bytes of shared memory") != std::string::npos);
  CHECK(run(problem + "--kernel stages3").output.find("73,728 bytes of shared memory") != std::string::npos);
  CHECK(run(problem).output.find("98,304 bytes of shared memory") != std::string::npos);
  CHECK(run(problem + "--target gfx942").output.find("49,152 bytes of shared memory") != std::string::npos);
}

TEST_CASE("The options of --kernel refuse what they cannot take, and name --kernel ring", "[chapter][12]") {
  Batch batch;
  for (std::string const kernel : {"stages2", "stages3"}) {
    batch.expect(2, "--kernel " + kernel + " --layout nn --m 8 --n 8 --k 8", "take --kernel ring");
    batch.expect(2, "--kernel " + kernel + " --layout nt --m 8 --n 8 --k 9", "take --kernel ring");
    batch.expect(3, "--kernel " + kernel + " --target gfx942 --layout nt --m 8 --n 8 --k 8", "are for NVIDIA");
  }
  batch.expect(2, "--kernel stages5");
  // where a block has less shared memory than the kernel asks for
  batch.expect(3, "--machine sm80:shared=90000 --layout nt --m 8 --n 8 --k 8",
               "no kernel for these types fits sm80:shared");
  batch.expect(0, "--machine sm80:shared=90000 --layout nt --m 8 --n 8 --k 8 --kernel stages3", "verdict: right");
}

TEST_CASE("a wait that is missing, or leaves one tile too many on its way, is reported as a copy in flight",
          "[chapter][12][mutant]") {
  for (std::string const mutant : {"12_wait_removed", "12_wait_off_by_one", "12_empty_groups_forgotten"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
      expect_hazard("copy in flight", mutant, "--layout nt --m 128 --n 128 --k 256 --schedule " + schedule);
    }
  }
}

TEST_CASE("a stage that is refilled while others may read it is reported", "[chapter][12][mutant]") {
  for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
    expect_hazard("race", "12_refilled_too_early", "--layout nt --m 128 --n 128 --k 256 --schedule " + schedule);
  }
}

TEST_CASE("a barrier that is missing is reported", "[chapter][12][mutant]") {
  for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
    for (std::string const target : {"sm80", "gfx942"})
      expect_hazard("", "12_barrier_removed",
                    "--layout nt --m 128 --n 128 --k 256 --schedule " + schedule + " --target " + target);
  }
}

TEST_CASE("a last tile that is dropped, and a ragged one that is not guarded, are wrong", "[chapter][12][mutant]") {
  for (std::string const target : {"sm80", "gfx942"}) {
    std::string const problem = "--layout nt --m 128 --n 128 --target " + target;
    CHECK(is_caught("12_last_tile_dropped", problem + " --k 256"));
    CHECK(is_caught("12_ragged_tile_unguarded", problem + " --k 264"));
  }
}
