// Chapter 18's program: the size table in every layout and type, one to three steps along K and several rounds of the
// ring, operands that TMA cannot address, counters, schedules, what is refused, and its mutants.

#include "../gemm_program.hpp"     // run, expect
#include "../gemm_sizes.hpp"       // gemm_sizes
#include "../hopper_programs.hpp"  // expect_devices_of_any_size, expect_pairs_of_c

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options
#include <vector>  // words

char const* const tilestep::test::chapter = "18_tma";

using namespace tilestep::test;

namespace {

std::vector<std::string> const types{"--dtype f16", "--dtype bf16"};

/// Hopper computes it, without a hazard.
void expect_right(Batch& batch, std::string const& options) {
  batch.expect(0, "--target sm90 " + options, "verdict: right");
}

}  // namespace

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][18]") {
  Batch batch;
  for (std::string const& layout : layouts) {
    for (std::string const& size : gemm_sizes(128)) expect_right(batch, "--layout " + layout + " " + size);
  }
  for (std::string const& size : gemm_sizes(256)) expect_right(batch, "--layout nt --dtype bf16 " + size);
}

TEST_CASE("both types are right around the tile, as stored and on copies", "[chapter][18]") {
  Batch batch;
  for (std::string const& type : types) {
    for (int const m : {127, 128, 129}) {
      for (int const n : {255, 256, 257}) expect_right(batch, type + " --layout nt" + size(m, n, 64) + " --beta 2");
    }
    expect_right(batch, type + " --layout nt" + size(131, 264, 72) +
                 " --lda 80 --ldb 88 --ldc 271 --batch 2 --alpha -1");
    expect_right(batch, type + " --layout nt" + size(131, 264, 72) + " --lda 81 --ldb 83");  // rows at odd addresses
    for (std::string const layout : {"nn", "tn", "tt"})
      expect_right(batch, type + " --layout " + layout + size(131, 264, 136));
  }
}

TEST_CASE("one, two and three steps along K are right, and several rounds of the ring, whole and ragged",
          "[chapter][18]") {
  Batch batch;
  for (std::string const& type : types) {
    // Four stages: 64 elements of K each.
    for (int const k : {1, 8, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320, 512, 513, 1160})
      expect_right(batch, type + " --layout nt" + size(136, 264, k));
  }
}

TEST_CASE("K of no elements gives beta C, which stays unread with beta = 0", "[chapter][18]") {
  Batch batch;
  for (std::string const beta : {"0", "1", "-2"}) expect_right(batch, "--layout nt" + size(131, 67, 0) + " --beta " +
                                                               beta);
}

TEST_CASE("every schedule gives the same bits", "[chapter][18]") {
  std::string const options = "--target sm90 --layout nt" + size(136, 264, 584) + " ";
  Batch batch;
  batch.expect_same_bytes(options, {"--schedule reverse", "--schedule random:5", "--schedule random:6"});
}

TEST_CASE(
    "TMA moves each tile by one request, nothing outside of the matrices, and fragments meet no bank conflicts",
    "[chapter][18]") {
  for (std::string const& type : types) {
    Ran const ran = run("--target sm90 --layout nt " + type + size(256, 512, 320));
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(counter(ran.output, "global load requests") == 2 * 2 * 2 * 5);  // blocks, A and B, tiles along K
    CHECK(counter(ran.output, "global load bytes") == 2L * 320 * (2 * 256 + 2 * 512));
    CHECK(counter(ran.output, "global load sectors") == counter(ran.output, "global load sectors ideal"));
    CHECK(counter(ran.output, "shared load wavefronts") == counter(ran.output, "shared load wavefronts ideal"));
    CHECK(counter(ran.output, "barriers") == 4);  // the one of each block, after the mbarriers are made
  }
  Ran const ragged = run("--target sm90 --layout nt" + size(100, 200, 72));
  INFO(ragged.output);
  CHECK(counter(ragged.output, "global load bytes") == 2L * 72 * (100 + 200));
}

TEST_CASE("C is stored in pairs, whole sectors, where its rows are pairs, and element by element elsewhere",
          "[chapter][18]") {
  expect_pairs_of_c();
}

TEST_CASE("machines without TMA are told so in a sentence; options that do not fit are bad input", "[chapter][18]") {
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
  batch.expect(2, "--target sm90 --kernel ring");
  batch.expect(2, "--target gfx1");
}

namespace {

// Nine tiles along K in three stages: three rounds of the ring. Two warps.
std::string const rounds = "--target sm90 --layout nt" + size(64, 64, 9 * 64);

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

TEST_CASE("the mutants' kernel is right without a bug", "[chapter][18][mutant]") {
  for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
    Ran const ran = run_mutant("18_no_bug", rounds + " --schedule " + schedule);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
  }
}

TEST_CASE("a wrong parity is found: a sender that waits for the phase it begins, and one parity for all rounds",
          "[chapter][18][mutant]") {
  expect_one_of({"deadlock"}, "18_sender_waits_for_this_phase");
  expect_one_of({"copy in flight", "race", "deadlock"}, "18_same_parity_in_every_round");
}

TEST_CASE("an mbarrier that is told of a tile of A alone is found", "[chapter][18][mutant]") {
  expect_one_of({"byte count", "copy in flight"}, "18_bytes_of_a_alone");
}

TEST_CASE("a tile that is read before it has landed is found", "[chapter][18][mutant]") {
  expect_one_of({"copy in flight", "uninitialised read"}, "18_does_not_wait_for_the_tile");
}

TEST_CASE("a stage that is filled before all warps have read it is found", "[chapter][18][mutant]") {
  expect_one_of({"race", "copy in flight"}, "18_stage_filled_too_early");
  expect_one_of({"race", "copy in flight", "arrivals"}, "18_one_warp_says_empty");
}

TEST_CASE("a last tile along K that is dropped gives wrong sums", "[chapter][18][mutant]") {
  CHECK(run_mutant("18_last_tile_dropped", rounds).exit_code == 1);
}

TEST_CASE("devices of any size compute it, or are refused in one sentence", "[chapter][18]") {
  expect_devices_of_any_size(types);
}
