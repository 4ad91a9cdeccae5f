// Chapter 19's program: the size table in every layout and type, one to three steps along K and several rounds of the
// ring, operands along either mode, counters, schedules, what is refused, and its mutants.

#include "../gemm_program.hpp"     // run, expect
#include "../gemm_sizes.hpp"       // gemm_sizes
#include "../hopper_programs.hpp"  // expect_devices_of_any_size, expect_pairs_of_c

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options
#include <vector>  // words

char const* const tilestep::test::chapter = "19_wgmma";

using namespace tilestep::test;

namespace {

std::vector<std::string> const types{"--dtype f16", "--dtype bf16"};

/// Hopper computes it, without a hazard.
void expect_right(Batch& batch, std::string const& options) {
  batch.expect(0, "--target sm90 " + options, "verdict: right");
}

}  // namespace

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][19]") {
  Batch batch;
  for (std::string const& layout : layouts) {
    for (std::string const& size : gemm_sizes(128)) expect_right(batch, "--layout " + layout + " " + size);
  }
  for (std::string const& size : gemm_sizes(256)) expect_right(batch, "--layout nt --dtype bf16 " + size);
}

TEST_CASE("both types are right around the tile in every layout, as stored and on copies", "[chapter][19]") {
  Batch batch;
  for (std::string const& type : types) {
    for (std::string const& layout : layouts) {
      std::string const options = type + " --layout " + layout;
      for (int const m : {120, 128, 136}) {
        for (int const n : {248, 256, 264}) expect_right(batch, options + size(m, n, 64) + " --beta 2");
      }
      expect_right(batch, options + size(127, 255, 65));
      expect_right(batch, options + size(136, 264, 72) + " --lda 144 --ldb 272 --ldc 271 --batch 2 --alpha -1");
      expect_right(batch, options + size(131, 264, 72) + " --lda 145 --ldb 273");  // rows at odd addresses
    }
  }
}

TEST_CASE("one, two and three steps along K are right, and several rounds of the ring, whole and ragged",
          "[chapter][19]") {
  Batch batch;
  for (std::string const& type : types) {
    for (std::string const layout : {"nt", "tn"}) {
      // Four stages: 64 elements of K each.
      for (int const k : {1, 8, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320, 512, 513, 1160})
        expect_right(batch, type + " --layout " + layout + size(136, 264, k));
    }
  }
}

TEST_CASE("K of no elements gives beta C, which stays unread with beta = 0", "[chapter][19]") {
  Batch batch;
  for (std::string const beta : {"0", "1", "-2"}) expect_right(batch, "--layout nt" + size(131, 67, 0) + " --beta " +
                                                               beta);
}

TEST_CASE("every schedule gives the same bits", "[chapter][19]") {
  std::string const options = "--target sm90 --layout nt" + size(136, 264, 584) + " ";
  Batch batch;
  batch.expect_same_bytes(options, {"--schedule reverse", "--schedule random:5", "--schedule random:6"});
}

TEST_CASE("no thread loads from shared memory, whatever the layout, and no operand is copied that TMA can address",
          "[chapter][19]") {
  for (std::string const& type : types) {
    for (std::string const& layout : layouts) {
      Ran const ran = run("--target sm90 --layout " + layout + " " + type + size(256, 512, 320));
      INFO(ran.output);
      CHECK(ran.exit_code == 0);
      CHECK(ran.output.find("shared load") == std::string::npos);
      CHECK(ran.output.find("Repack") == std::string::npos);
      CHECK(counter(ran.output, "global load bytes") == 2L * 320 * (2 * 256 + 2 * 512));
      CHECK(counter(ran.output, "global load sectors") == counter(ran.output, "global load sectors ideal"));
      std::string const name = type == "--dtype f16" ? "k16.f32.f16.f16" : "k16.f32.bf16.bf16";
      // blocks, warpgroups, steps of 16 along K
      CHECK(counter(ran.output, "wgmma.mma_async.sync.aligned.m64n256" + name) == 4 * 2 * 20);
    }
  }
}

TEST_CASE("C is stored in pairs, whole sectors, where its rows are pairs, and element by element elsewhere",
          "[chapter][19]") {
  expect_pairs_of_c();
}

TEST_CASE("machines without wgmma are told so in a sentence; options that do not fit are bad input", "[chapter][19]") {
  Batch batch;
  for (std::string const& target : targets) {
    if (target == "sm90") continue;
    Ran const ran = run("--target " + target);
    INFO(ran.output);
    CHECK(ran.exit_code == 3);
    CHECK(ran.output.find("it runs on sm90") != std::string::npos);
  }
  batch.expect(2, "--target sm90 --dtype f32");
  batch.expect(2, "--target sm90 --out-dtype f16");
  batch.expect(2, "--target sm90 --kernel wgmma");
  batch.expect(2, "--target gfx1");
}

namespace {

// Nine tiles along K in three stages: three rounds of the ring.
std::string const rounds = "--target sm90 --layout nt" + size(128, 64, 9 * 64);

/// The mutant is stopped by a hazard that is called by one of these words, whatever the order of warps.
void expect_one_of(std::vector<std::string> const& words, std::string const& mutant) {
  for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
    Ran const ran = run_mutant(mutant, rounds + " --schedule " + schedule);
    INFO(mutant << " " << schedule << "\n" << ran.output);
    CHECK(ran.exit_code == 4);
    bool found = false;
    for (std::string const& word : words) found = found || ran.output.find(word) != std::string::npos;
    CHECK(found);
  }
}

}  // namespace

TEST_CASE("the mutants' kernel is right without a bug, in every layout", "[chapter][19][mutant]") {
  for (std::string const& layout : layouts) {
    for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
      Ran const ran = run_mutant("19_no_bug", "--layout " + layout + size(128, 64, 9 * 64) + " --schedule " + schedule);
      INFO(ran.output);
      CHECK(ran.exit_code == 0);
    }
  }
}

TEST_CASE("products without a fence before them, or that no commit closes, are found", "[chapter][19][mutant]") {
  expect_one_of({"fence"}, "19_no_fence");
  expect_one_of({"wgmma in flight"}, "19_no_commit");
}

TEST_CASE("sums that are read while products run are found", "[chapter][19][mutant]") {
  expect_one_of({"wgmma in flight"}, "19_sums_read_too_early");
}

TEST_CASE("a stage that is given away while products read it is found", "[chapter][19][mutant]") {
  expect_one_of({"wgmma in flight", "race"}, "19_two_groups_in_flight");
}

TEST_CASE("a stage that nobody gives away stops the ring, and is found", "[chapter][19][mutant]") {
  expect_one_of({"deadlock"}, "19_never_releases");
}

TEST_CASE("two warpgroups that multiply the same rows give wrong sums", "[chapter][19][mutant]") {
  CHECK(run_mutant("19_first_rows_for_both", rounds).exit_code == 1);
}

TEST_CASE("devices of any size compute it, or are refused in one sentence", "[chapter][19]") {
  expect_devices_of_any_size(types);
}
