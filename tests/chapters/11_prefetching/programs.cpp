// Chapter 11's program: every target, type and step, the size table in every layout, schedules, what loading ahead may
// and may not change in the counters, what is refused, and its mutants.

#include "../gemm_program.hpp"  // run, expect, counter
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options

char const* const tilestep::test::chapter = "11_prefetching";

using namespace tilestep::test;

namespace {

/// A step on a target that has it.
struct Step {
  std::string target, kernel;
};
std::vector<Step> const steps{
    {"sm80", "waiting"},     {"sm80", "tiles"},          {"sm90", "prefetching"},   {"gfx90a", "waiting"},
    {"gfx90a", "tiles"},     {"gfx942", "tiles"},        {"gfx950", "waiting"},     {"gfx950", "tiles"},
    {"gfx1100", "waiting"},  {"gfx1100", "prefetching"}, {"gfx1201", "waiting"},    {"gfx1201", "tiles"},
    {"sm80", "prefetching"}, {"gfx942", "prefetching"},  {"gfx950", "prefetching"}, {"gfx1201", "prefetching"}};

}  // namespace

TEST_CASE("every target and type is right as stored and repacked", "[chapter][11]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : way_types) {
      int const code = types.code_on(target);
      std::string const pair = "--target " + target + " " + types.options;
      batch.expect(code, pair + " --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1");
      batch.expect(code, pair + " --m 131 --n 67 --k 400 --layout nt --alpha 2 --beta -1");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][11]") {
  Batch batch;
  for (std::string const pair : {"--target sm80", "--target gfx942", "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("every number of tiles along K is right, whole and ragged", "[chapter][11]") {
  Batch batch;
  for (Step const& step : {Step{"sm80", "prefetching"}, Step{"gfx942", "prefetching"}, Step{"gfx1100", "prefetching"},
                           Step{"sm80", "tiles"}, Step{"gfx942", "waiting"}}) {
    for (int k = 24; k <= 160; k += k % 32 == 0 ? 24 : 8) {
      batch.expect(0, "--layout nt --m 72 --n 136 --beta 1 --k " + std::to_string(k) + " --target " + step.target +
                    " --kernel " + step.kernel);
    }
  }
}

TEST_CASE("on NVIDIA 16-bit operands are read as they are stored in every layout, with tails along M, N and K",
          "[chapter][11]") {
  for (std::string const& layout : layouts) {
    for (std::string const size : {"--m 128 --n 128 --k 160", "--m 8 --n 8 --k 8", "--m 264 --n 136 --k 72 --beta 2",
                                   "--m 40 --n 48 --k 24 --batch 3 --alpha -1 --lda 272 --ldb 280"}) {
      Ran const ran = run("--target sm80 --layout " + layout + " " + size);
      INFO(layout << " " << size << "\n" << ran.output);
      CHECK(ran.exit_code == 0);
      CHECK(ran.output.find("Repack") == std::string::npos);
    }
  }
}

TEST_CASE("on AMD operands along K are read as they are stored, others are repacked", "[chapter][11]") {
  for (std::string const target : {"gfx90a", "gfx950", "gfx1100", "gfx1201"}) {
    Ran const along_k = run("--m 40 --n 48 --k 72 --layout nt --target " + target),
              along_m = run("--m 40 --n 48 --k 72 --layout tn --target " + target);
    INFO(along_k.output << along_m.output);
    CHECK(along_k.exit_code == 0);
    CHECK(along_m.exit_code == 0);
    CHECK(along_k.output.find("Repack") == std::string::npos);
    CHECK(along_m.output.find("Repack") != std::string::npos);
  }
}

TEST_CASE("every step is right on every target, tails included", "[chapter][11]") {
  Batch batch;
  for (Step const& step : steps) {
    for (std::string const size : {"--m 256 --n 256 --k 256", "--m 131 --n 67 --k 168 --beta 3",
                                   "--m 5 --n 7 --k 0 --beta 2", "--m 9 --n 17 --k 48 --batch 2 --lda 56 --ldc 19"}) {
      batch.expect(0, "--layout nt --kernel " + step.kernel + " --target " + step.target + " " + size);
    }
  }
}

TEST_CASE("every schedule gives the right result", "[chapter][11]") {
  Batch batch;
  for (Step const& step : {Step{"sm80", "prefetching"}, Step{"gfx942", "prefetching"}, Step{"gfx1100", "prefetching"},
                           Step{"sm80", "tiles"}, Step{"sm80", "waiting"}}) {
    for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
      batch.expect(0, "--layout nt --m 136 --n 72 --k 232 --beta 1 --target " + step.target + " --kernel " +
                   step.kernel +
                    " --schedule " + schedule);
    }
  }
}

TEST_CASE("loading ahead changes when a byte moves, not how many do, nor how many barriers there are",
          "[chapter][11]") {
  std::string const problem = "--layout nt --m 256 --n 256 --k 256 ";
  for (std::string const target : {"sm80", "gfx942", "gfx950", "gfx1100"}) {
    Ran const waiting = run(problem + "--kernel waiting --target " + target);
    for (std::string const kernel : {"tiles", "prefetching"}) {
      Ran const ahead = run(problem + "--kernel " + kernel + " --target " + target);
      INFO(target << "\n" << waiting.output << ahead.output);
      for (std::string const name :
           {"global load requests", "global load bytes", "shared load bytes", "shared load wavefronts",
            "shared store bytes", "shared store wavefronts", "barriers"}) {
        CHECK(counter(waiting.output, name) == counter(ahead.output, name));
      }
    }
  }
}

TEST_CASE("every step reads and writes shared memory in the fewest wavefronts, with two barriers between tiles",
          "[chapter][11]") {
  constexpr int tiles = 8, blocks_of_nvidia = 4, blocks_of_amd = 2;
  for (Step const& step : steps) {
    Ran const ran = run("--layout nt --m 256 --n 256 --k 256 --kernel " + step.kernel + " --target " + step.target);
    INFO(step.target << " " << step.kernel << "\n" << ran.output);
    for (std::string const counted : {"shared load wavefronts", "shared store wavefronts"})
      CHECK(counter(ran.output, counted) == counter(ran.output, counted + " ideal"));
    int const blocks = step.target.starts_with("gfx9") ? blocks_of_amd : blocks_of_nvidia;
    CHECK(counter(ran.output, "barriers") == blocks * (2 * tiles - 1));
  }
}

TEST_CASE("the steps refuse what they cannot take, and name --kernel prefetching", "[chapter][11]") {
  Batch batch;
  for (std::string const kernel : {"waiting", "tiles"}) {
    for (std::string const options : {"--layout nn --m 8 --n 8 --k 8", "--layout nt --m 8 --n 8 --k 9",
                                      "--layout nt --dtype f32 --m 8 --n 8 --k 8"}) {
      batch.expect(2, "--kernel " + kernel + " " + options, "take --kernel prefetching");
    }
  }
  batch.expect(2, "--kernel fragments");
}

TEST_CASE("a barrier that is missing is reported as a race", "[chapter][11][mutant]") {
  for (std::string const mutant : {"11_barrier_before_store_removed", "11_barrier_after_store_removed"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
      for (std::string const target : {"sm80", "gfx942"}) {
        expect_hazard("race", mutant,
                      "--layout nt --m 128 --n 128 --k 256 --schedule " + schedule + " --target " + target);
      }
    }
  }
}

TEST_CASE("a tile loaded over one that is not stored, a last tile dropped, a ragged one not guarded: all are wrong",
          "[chapter][11][mutant]") {
  for (std::string const target : {"sm80", "gfx942"}) {
    std::string const problem = " --layout nt --m 128 --n 128 --target " + target;
    CHECK(run_mutant("11_loaded_too_early", problem + " --k 256").exit_code == 1);
    CHECK(run_mutant("11_last_tile_dropped", problem + " --k 256").exit_code == 1);
    CHECK(is_caught("11_ragged_tile_unguarded", problem + " --k 264"));
  }
}
