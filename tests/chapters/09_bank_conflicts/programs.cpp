// Chapter 09's program: every target, type and arrangement, the size table in every layout, what the banks of each
// target serve in how many wavefronts, what is refused, and its mutants.

#include "../gemm_program.hpp"  // run, expect, counter
#include "../gemm_sizes.hpp"    // gemm_sizes

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options

char const* const tilestep::test::chapter = "09_bank_conflicts";

using namespace tilestep::test;

namespace {

/// Wavefronts of shared memory.
struct Wavefronts {
  long loads, fewest_loads, stores, fewest_stores;
  bool operator==(Wavefronts const&) const = default;
};
Wavefronts wavefronts(Ran const& ran) {
  return {counter(ran.output, "shared load wavefronts"), counter(ran.output, "shared load wavefronts ideal"),
          counter(ran.output, "shared store wavefronts"), counter(ran.output, "shared store wavefronts ideal")};
}

/// Rows of whole vectors: nothing is repacked.
void expect_fewest(std::string const& options) {
  Ran const ran = run(options);
  INFO(options << "\n" << ran.output);
  REQUIRE(ran.exit_code == 0);
  Wavefronts const got = wavefronts(ran);
  CHECK(got.loads == got.fewest_loads);
  CHECK(got.stores == got.fewest_stores);
}
void expect_wavefronts(Wavefronts const& want, std::string const& options) {
  Ran const ran = run(options);
  INFO(options << "\n" << ran.output);
  REQUIRE(ran.exit_code == 0);
  CHECK(wavefronts(ran) == want);
}

}  // namespace

TEST_CASE("every target and type is right as stored and repacked",
          "[chapter][09]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : way_types) {
      int const code = types.code_on(target);
      std::string const pair = "--target " + target + " " + types.options;
      batch.expect(code, pair + " --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1");
      batch.expect(code, pair + " --m 131 --n 67 --k 80 --layout nt --alpha 2 --beta -1");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][09]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80", "--target gfx942", "--target gfx1100", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("16-bit operands are read as they are stored in every layout, with tails along M, N and K", "[chapter][09]") {
  for (std::string const pair :
       {"--target sm80", "--target sm90", "--target gfx90a", "--target gfx942",
        "--target gfx950", "--target gfx1100", "--target gfx1201"}) {
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

TEST_CASE("packed, padded and (K0,M,K1) tiles give the same product, tails included", "[chapter][09]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (std::string const kernel : {"packed", "padded", "k0_m_k1"}) {
      for (std::string const size : {"--m 256 --n 256 --k 64", "--m 131 --n 67 --k 40 --beta 3",
                                     "--m 5 --n 7 --k 0 --beta 2", "--m 9 --n 17 --k 48 --batch 2 --lda 56 --ldc 19"}) {
        batch.expect(0, "--layout nt --kernel " + kernel + " --target " + target + " " + size);
      }
    }
  }
}

TEST_CASE("every schedule gives the right result", "[chapter][09]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942", "gfx1100"}) {
    for (std::string const layout : {"nt", "tn"}) {
      for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
        batch.expect(0,
                     "--m 136 --n 72 --k 72 --beta 1 --target " + target + " --layout " + layout + " --schedule " +
                     schedule);
      }
    }
  }
}

TEST_CASE("swizzled tiles of 16-bit elements are written and read in the fewest wavefronts in every layout",
          "[chapter][09]") {
  for (std::string const target : {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100"}) {
    for (std::string const& layout : layouts)
      expect_fewest("--m 256 --n 256 --k 64 --target " + target + " --layout " + layout);
  }
}

TEST_CASE("swizzled tiles of every type that lie along K are written and read in the fewest wavefronts",
          "[chapter][09]") {
  for (std::string const target : {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100"}) {
    for (Types const& types : way_types) {
      // tiles for FMAs are arranged for 32 banks
      if (target == "gfx950" && types.options == "--dtype f32") continue;
      expect_fewest("--m 256 --n 256 --k 128 --layout nt --target " + target + " " + types.options);
    }
  }
}

TEST_CASE(
    "packed tiles are read in four times the wavefronts, padded and (K0,M,K1) tiles are written in twice as many",
    "[chapter][09]") {
  std::string const problem = "--m 256 --n 256 --k 64 --layout nt";
  for (std::string const target : {"sm80", "sm90"}) {
    expect_wavefronts({8192, 2048, 1024, 1024}, problem + " --kernel packed --target " + target);
    expect_wavefronts({2048, 2048, 2048, 1024}, problem + " --kernel padded --target " + target);
    expect_wavefronts({2048, 2048, 2048, 1024}, problem + " --kernel k0_m_k1 --target " + target);
    expect_wavefronts({2048, 2048, 1024, 1024}, problem + " --kernel swizzled --target " + target);
  }
  for (std::string const target : {"gfx90a", "gfx942"}) {
    expect_wavefronts({6144, 1536, 768, 768}, problem + " --kernel packed --target " + target);
    expect_wavefronts({1536, 1536, 1536, 768}, problem + " --kernel padded --target " + target);
    expect_wavefronts({1536, 1536, 1536, 768}, problem + " --kernel k0_m_k1 --target " + target);
    expect_wavefronts({1536, 1536, 768, 768}, problem + " --kernel swizzled --target " + target);
  }
}

TEST_CASE(
    "on 64 banks a packed tile is read in four times the wavefronts, a padded and a (K0,M,K1) one written in twice as "
    "many, a swizzled one in the fewest",
    "[chapter][09]") {
  std::string const problem = "--m 256 --n 256 --k 64 --layout nt --target gfx950";
  expect_wavefronts({3072, 768, 768, 768}, problem + " --kernel packed");
  expect_wavefronts({768, 768, 1536, 768}, problem + " --kernel padded");
  expect_wavefronts({768, 768, 1536, 768}, problem + " --kernel k0_m_k1");
  expect_wavefronts({768, 768, 768, 768}, problem + " --kernel swizzled");
}

TEST_CASE("(K0,M,K1) tiles are copied and read in 16 bytes by a lane, in 48 bytes more than packed ones",
          "[chapter][09]") {
  std::string const problem = "--m 256 --n 256 --k 64 --layout nt --target gfx942 --kernel ";
  Ran const packed = run(problem + "packed"), padded = run(problem + "padded"), got = run(problem + "k0_m_k1");
  INFO(got.output);
  REQUIRE(got.exit_code == 0);
  // 64 lanes of 16 bytes
  CHECK(counter(got.output, "shared load bytes") == 1024 * counter(got.output, "shared load requests"));
  CHECK(counter(got.output, "shared store bytes") == 1024 * counter(got.output, "shared store requests"));
  // three gaps of 16 bytes in the tile of A, three in the one of B, and what aligns both
  CHECK(packed.output.find(" 24,576 bytes of shared memory") != std::string::npos);
  CHECK(got.output.find(" 24,832 bytes of shared memory") != std::string::npos);
  CHECK(padded.output.find(" 30,720 bytes of shared memory") != std::string::npos);
}

TEST_CASE("The kernels of tiles that are not swizzled refuse what they cannot take, and name --kernel swizzled",
          "[chapter][09]") {
  Batch batch;
  for (std::string const kernel : {"packed", "padded", "k0_m_k1"}) {
    for (std::string const options :
         {"--layout nn --m 8 --n 8 --k 8", "--layout nt --m 8 --n 8 --k 9", "--layout nt --m 8 --n 8 --k 8 --lda 9",
          "--layout tn --m 8 --n 8 --k 8", "--layout nt --dtype f32 --m 8 --n 8 --k 8"}) {
      batch.expect(2, "--kernel " + kernel + " " + options, "take --kernel swizzled");
    }
  }
}

TEST_CASE("types that no kernel has, and kernels that do not exist, are bad input", "[chapter][09]") {
  Batch batch;
  batch.expect(2, "--dtype bf16");
  batch.expect(2, "--dtype f16 --acc f16");
  batch.expect(2, "--layout nx");
  batch.expect(2, "--kernel xored");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("a swizzle by the wrong rows is a right product whose conflicts are counted", "[chapter][09][mutant]") {
  for (std::string const mutant : {"09_swizzle_of_wrong_lines", "09_swizzle_forgotten"}) {
    Ran const ran = run_mutant(mutant, "--layout nt --m 128 --n 128 --k 64");
    INFO(mutant << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
    Wavefronts const got = wavefronts(ran);
    CHECK(got.loads > got.fewest_loads);
    CHECK(got.stores == got.fewest_stores);
  }
}

TEST_CASE("a (K0,M,K1) tile with room for its size, not for its cosize, is reported as out of bounds",
          "[chapter][09][mutant]") {
  for (std::string const mutant : {"09_size_of_a_for_cosize", "09_size_of_b_for_cosize"})
    expect_hazard("out of bounds", mutant, "--layout nt --m 128 --n 128 --k 64");
}

TEST_CASE("a tile whose rows overlap is reported as a race", "[chapter][09][mutant]") {
  expect_hazard("race", "09_tile_overlaps_itself", "--layout nt --m 128 --n 128 --k 64");
}

TEST_CASE("a barrier that is missing on either side of the reads is reported as a race", "[chapter][09][mutant]") {
  for (std::string const mutant : {"09_barrier_before_reads_removed", "09_barrier_after_reads_removed"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
      Ran const ran = run_mutant(mutant, "--layout nt --m 128 --n 128 --k 64 --schedule " + schedule);
      INFO(mutant << " " << schedule << "\n" << ran.output);
      CHECK(ran.exit_code == 4);
      CHECK(
          (ran.output.find("race") != std::string::npos || ran.output.find("uninitialised read") != std::string::npos));
    }
  }
}
