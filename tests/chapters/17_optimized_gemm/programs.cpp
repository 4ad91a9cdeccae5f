// Chapter 17's program: every target and type, the size table in every layout, NVIDIA's tiles, epilogues, K in slices,
// few rows and few columns, plans, what is refused, and its mutants.

#include "../../common/harness/files.hpp"  // Folder
#include "../gemm_sizes.hpp"  // gemm_sizes
#include "../npy_file.hpp"    // elements_of
#include "tiles.hpp"          // tiles_of, run, expect, counter

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cstdint>     // std::int32_t
#include <filesystem>  // a file of options
#include <fstream>     // its lines
#include <string>      // options

using namespace tilestep::test;

TEST_CASE("plans fit GPUs with 99 KB of shared memory for a block, in every type, and run there", "[chapter][17]") {
  Batch batch;
  for (std::string const machine : {"rtx3090", "rtx4090", "rtx5090"}) {
    auto const file = std::filesystem::temp_directory_path() / ("tilestep_17_" + machine + ".txt");
    std::ofstream lines(file);
    int count = 0;
    for (std::string const type : {"f16", "bf16 --out-dtype bf16", "tf32", "i8", "f32", "f64", "f16 --acc f16"}) {
      for (int const m : {1, 16, 64, 100, 512, 4096}) {
        for (int const n : {64, 1000, 4096}) {
          for (int const k : {64, 1024, 8192}) {
            if (k == 8192 && type == "f16 --acc f16") continue;  // too long for a bound of sums in f16
            lines << "--plan --machine " << machine << " --layout nt --dtype " << type << size(m, n, k) << "\n";
            ++count;
          }
        }
      }
    }
    lines.close();
    Ran const ran = run("--each " + file.string());
    CHECK(ran.exit_code == 0);
    CHECK(plans_in(ran.output) == std::size_t(count));
    std::filesystem::remove(file);
    for (std::string const type : {"f16", "tf32", "i8", "f32", "f64"}) {
      for (std::string const& problem : {size(72, 136, 200), size(16, 520, 264), size(300, 264, 72)})
        batch.expect(0, "--machine " + machine + " --layout nn --dtype " + type + problem, "verdict: right");
    }
  }
  batch.expect(2, "--machine rtx4090 --tile 64x64x128",
               "needs 163840 bytes of shared memory for a block, and RTX 4090 has 101376");
  batch.expect(0, "--machine a100 --tile 64x64x128", "verdict: right");
  batch.expect(2, "--machine rtx4090 --target gfx942", "runs the kernels of sm80");
  batch.expect(2, "--machine gpu", "choose one of A100");
}

TEST_CASE("plans fit devices of any size, and run there, or are refused in one sentence", "[chapter][17]") {
  Batch batch;
  // Hopper with 78 and 114 multiprocessors and with little shared memory; compute capability 10.0 and 12.0, which run
  // sm80's kernels; six dies; few compute units.
  for (std::string const machine :
       {"sm90:units=78", "sm90:units=114", "sm90:shared=101376", "sm80:units=148,shared=232448",
        "sm80:units=170,shared=101376", "gfx942:units=228,dies=6", "gfx1201:units=3"}) {
    std::string const said =
        expect_plans(machine, {"--dtype f16", "--dtype bf16 --out-dtype bf16", "--dtype i8", "--dtype f32"});
    CHECK((said.find("on each of 6 dies") != std::string::npos) == (machine.find("dies=6") != std::string::npos));
    for (std::string const type : {"f16", "i8", "f32"}) {
      batch.expect(0, "--machine " + machine + " --layout nn --dtype " + type + size(72, 136, 200), "verdict: right");
      batch.expect(0, "--machine " + machine + " --layout nt --dtype " + type + size(16, 520, 2104), "verdict: right");
    }
  }
  batch.expect(3, "--machine sm90:shared=1024" + size(64, 64, 64),
               "no kernel for these types fits sm90:shared=1024, which gives a block 1024 bytes of shared memory");
  batch.expect(2, "--machine sm90:units=0" + size(64, 64, 64), "units needs a whole number");
  batch.expect(2, "--target gfx1250" + size(64, 64, 64), "there is no target 'gfx1250'");
}

namespace {

/// The plan of these options says so of its second part, and all of C is right.
void expect_two_parts(Batch& batch, std::string const& options, std::string const& second) {
  batch.run(options, [options, second](Ran const& ran) {
    INFO(options << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(ran.output.find(second) != std::string::npos);
    CHECK(ran.output.find("verdict: right") != std::string::npos);
  });
}

}  // namespace

TEST_CASE("what fills no round or no tile is computed behind the others, and all of C is right", "[chapter][17]") {
  Batch batch;
  for (std::string const problem :
       {"sm80:units=2 --dtype f32 --m 328 --n 252 --k 100", "sm80:units=2 --dtype bf16 --m 827 --n 546 --k 64",
        "sm80:units=2 --dtype f64 --m 263 --n 1145 --k 100", "sm90:units=1 --dtype i8 --m 527 --n 806 --k 32",
        "sm90:units=3 --dtype f32 --m 450 --n 224 --k 100", "sm90:units=2 --dtype bf16 --m 774 --n 691 --k 32",
        "sm90:units=2 --dtype tf32 --m 530 --n 771 --k 100", "gfx942:units=1 --dtype bf16 --m 517 --n 434 --k 32"}) {
    for (std::string const epilogue : {"", " --beta 2 --bias on --activation relu --residual on"})
      expect_two_parts(batch, "--layout nt --machine " + problem + epilogue, ", and ");
  }
}

TEST_CASE("columns behind the last whole tile are computed as rows of C^T, on the same copies, and all of C is right",
          "[chapter][17]") {
  Batch batch;
  for (std::string const problem :
       {"sm80:units=1 --dtype f32 --layout tn --m 777 --n 69 --k 32",
        "sm80:units=1 --dtype bf16 --layout tt --m 749 --n 158 --k 32",  // on a copy of A
        "sm90:units=1 --dtype f16 --layout nn --m 329 --n 138 --k 100",  // on copies of A and B
        "sm90:units=1 --dtype f64 --layout nn --m 416 --n 142 --k 64",   // on a copy of B
        "sm90:units=1 --dtype tf32 --layout tt --m 769 --n 186 --k 32",
        "sm90:units=1 --dtype i8 --layout tn --m 733 --n 143 --k 32",
        "gfx942:units=1 --dtype bf16 --layout nt --m 350 --n 267 --k 32"}) {
    for (std::string const epilogue : {"", " --ldc 1000 --beta 2 --bias on --activation relu --residual on"})
      expect_two_parts(batch, "--machine " + problem + epilogue, ", and C^T: ");
  }
}

TEST_CASE(
    "every target and type is right with an epilogue, as stored and on copies, or refused where the instruction does "
    "not exist",
    "[chapter][17]") {
  Batch batch;
  for (std::string const& target : targets) {
    for (Types const& types : every_type) {
      std::string const pair = "--target " + target + " " + types.options;
      batch.expect(types.code_on(target),
                   pair + " --m 131 --n 67 --k 43 --layout tn --alpha 2 --beta -1"
                   " --bias on --activation relu --residual on");
      batch.expect(types.code_on(target), pair + " --m 9 --n 136 --k 272 --layout nn");
    }
  }
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][17]") {
  Batch batch;
  for (std::string const pair : {"--target sm80 --dtype bf16", "--target sm90 --tile 128x256x32", "--target gfx942",
                                 "--target gfx1100 --dtype i8", "--target sm90 --dtype f32"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) batch.expect(0, pair + " --layout " + layout + " " + size);
    }
  }
}

TEST_CASE("sums of i8 times alpha are exact, also where an f32 would round them", "[chapter][17]") {
  harness_test::Folder const folder;
  Batch batch;
  for (std::string const& target : targets) {
    for (std::string const what : {"", " --beta 2", " --bias on", " --split-k 2"})
      batch.expect(0, "--target " + target + " --dtype i8 --layout nt --m 72 --n 136 --k 264 --alpha 1001" + what);
    std::string const out = folder / (target + ".npy");
    batch.run("--target " + target + " --dtype i8 --layout nt --m 72 --n 136 --k 264 --alpha 1001 --out " + out,
              [out](Ran const& ran) {
                CHECK(ran.exit_code == 0);
                bool any = false;  // that an f32 does not hold
                for (std::int32_t const each : elements_of<std::int32_t>(out))
                  any |= double(float(each)) != double(each);
                CHECK(any);
              });
  }
}

TEST_CASE("f64 is right in every size, layout, leading dimension and batch, and refused where no instruction has it",
          "[chapter][17][f64]") {
  Batch batch;
  for (std::string const pair :
       {"--target sm80 --tile 128x128x16", "--target sm90 --tile 128x128x16", "--target sm90", "--target gfx942"}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128))
        batch.expect(0, "--dtype f64 " + pair + " --layout " + layout + " " + size);
    }
  }
  batch.expect(3, "--dtype f64 --target gfx1100",
               "has no f64 kernel for gfx1100: it runs on sm80, sm90, gfx90a, gfx942, gfx950");
}

TEST_CASE("epilogues and slices of K are computed in f64", "[chapter][17][f64]") {
  Batch batch;
  for (std::string const target : {"sm80", "sm90", "gfx90a", "gfx950"}) {
    for (std::string const what : {"--bias on --beta 1", "--residual on --alpha -2", "--activation gelu",
                                   "--bias on --activation gelu --residual on --ldr 163 --batch 2"}) {
      for (std::string const size :
           {"--m 72 --n 160 --k 136", "--m 71 --n 157 --k 131 --ldc 159", "--m 9 --n 66 --k 0"})
        for (std::string const slices : {"1", "3"})
          batch.expect(0, "--dtype f64 --layout nt --target " + target + " " + size + " --split-k " + slices + " " +
                       what);
    }
  }
  for (std::string const slices : {"1", "4"})
    batch.expect_same_bytes("--dtype f64 --target sm90 --layout nt --m 136 --n 264 --k 520 --tile 128x128x16 "
                            "--split-k " + slices, {"--schedule reverse", "--schedule random:5", "--group 1"});
}

TEST_CASE("every NVIDIA tile is right around its extents in every layout, and meets no bank conflict",
          "[chapter][17]") {
  Batch batch;
  for (std::string const type : {"--target sm80 --dtype f16", "--target sm80 --dtype bf16 --out-dtype bf16",
                                 "--target sm80 --dtype tf32", "--target sm80 --dtype i8", "--target sm80 --dtype f64",
                                 "--target sm90 --dtype f64", "--target sm80 --dtype f16 --acc f16 --out-dtype f16",
                                 "--target sm80 --dtype f32"}) {
    auto const tiles = tiles_of(type);
    CHECK(tiles.size() >= (type.find("f16") != std::string::npos && type.find("acc") == std::string::npos ? 3u : 1u));
    for (auto const& [name, extents] : tiles) {
      auto const [m, n, k] = extents;
      std::string const options = type + " --tile " + name;
      for (std::string const& layout : layouts)
        batch.expect(0, options + " --layout " + layout + size(m + 8, n - 8, 5 * k + 16) + " --beta 1");
      batch.expect(0, options + " --layout nt" + size(m - 1, n + 1, k - 1) +
                   " --bias on --activation relu --residual on");
      for (std::string const layout : {"nt", "nn"}) {
        // the copy has conflicts of its own
        bool const on_copies = layout == "nn" && (type.ends_with("i8") || type.ends_with("f64"));
        if (on_copies) continue;
        Ran const ran = run(options + " --layout " + layout + size(m, 2 * n, 3 * k) + " --split-k 1");
        INFO(options << " " << layout);
        for (std::string const counted : {"shared load wavefronts", "shared store wavefronts"})
          CHECK(counter(ran.output, counted) == counter(ran.output, counted + " ideal"));
      }
    }
  }
}

TEST_CASE(
    "every epilogue is right with rows that start at multiples of 16 bytes and rows that do not, with K whole and in "
    "slices",
    "[chapter][17]") {
  Batch batch;
  for (std::string const target :
       {"--target sm90", "--target gfx942 --dtype bf16 --out-dtype bf16", "--target gfx1100 --out-dtype f16"}) {
    for (std::string const what : {"--bias on", "--residual on --beta 1", "--activation gelu --alpha -2",
                                   "--bias on --activation relu --residual on --ldr 168",
                                   "--bias on --activation gelu --residual on --ldr 163 --batch 2"}) {
      for (std::string const size : {"--m 72 --n 160 --k 136", "--m 71 --n 157 --k 131 --ldc 159"}) {
        for (std::string const slices : {"1", "3"})
          batch.expect(0, target + " --layout nt " + size + " --split-k " + slices + " " + what);
      }
    }
  }
}

TEST_CASE(
    "few rows and few columns are right in every layout; a bias stays with its column where the product is transposed",
    "[chapter][17]") {
  Batch batch;
  for (std::string const target :
       {"--target sm80", "--target gfx90a --dtype bf16 --out-dtype bf16", "--target gfx1201"}) {
    for (std::string const& layout : layouts) {
      for (std::string const size :
           {"--m 16 --n 264 --k 520", "--m 1 --n 136 --k 136 --beta 2", "--m 264 --n 8 --k 520 --beta 1",
            "--m 136 --n 1 --k 72", "--m 67 --n 17 --k 131 --batch 2"}) {
        batch.expect(0, target + " --layout " + layout + " " + size + " --bias on --residual on --activation relu");
      }
    }
  }
}

TEST_CASE("sums of slices are stored by vectors, whatever N is", "[chapter][17]") {
  for (std::string const kernel :
       {"--target sm80 --dtype f32 --tile 128x128x8", "--target gfx1100 --dtype f32 --tile 8x128x16",
        "--target sm80 --dtype bf16 --tile 64x128x64", "--target gfx942 --tile 64x128x64"}) {
    auto const stored = [&](int n) {
      Ran const ran = run(kernel + " --layout nt" + size(8, n, 256) + " --split-k 2 --ldc 131 --beta 2");
      INFO(kernel << " " << n << "\n" << ran.output);
      CHECK(ran.exit_code == 0);
      return counter(ran.output, "global store requests");
    };
    long const of_whole_vectors = stored(100);
    for (int const n : {97, 98, 99}) CHECK(stored(n) == of_whole_vectors);
  }
}

TEST_CASE("K in slices gives equal bits under every schedule, and groups change none", "[chapter][17]") {
  Batch batch;
  for (std::string const target : {"sm80", "gfx942"})
    batch.expect_same_bytes(
        "--target " + target + " --layout nt --m 136 --n 264 --k 520 --bias on --activation gelu --split-k 4",
        {"", "--schedule reverse", "--schedule random:5", "--group 1"});
}

TEST_CASE("every schedule gives the right result", "[chapter][17]") {
  Batch batch;
  for (std::string const options :
       {"--target sm80 --tile 128x256x32", "--target sm90 --tile 16x64x64", "--target gfx942", "--target gfx1100"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:7"}) {
      batch.expect(0, "--layout nt --m 136 --n 72 --k 264 --beta 1 --bias on --split-k 1 " + options + " --schedule " +
                    schedule);
    }
  }
}

TEST_CASE("plans give large problems large tiles and few rows small ones, and fill the machine", "[chapter][17]") {
  expect_plan("64 x 32 tiles of 128x256x32", "--layout nt --target sm80 --m 8192 --n 8192 --k 8192");
  expect_plan("tiles of 16x64x64", "--layout nt --target sm80 --m 16 --n 8192 --k 8192");
  expect_plan("C^T: 1 x", "--layout nt --target sm80 --m 8192 --n 16 --k 8192");
  expect_plan("1 x 32 tiles of 8x128x16", "--layout nn --dtype f32 --target sm80 --m 8 --n 4096 --k 4096");
  expect_plan("1 x 32 tiles of 32x64x16", "--layout nt --dtype f32 --target sm90 --m 13 --n 2048 --k 2560");
  // read by elements, the large tile is slower
  expect_plan("14 x 27 tiles of 128x128x8", "--layout tn --dtype f32 --target sm90 --m 1752 --n 3404 --k 86");
  expect_plan("28 x 54 tiles of 64x64x8", "--layout tn --dtype f32 --target sm90 --m 1752 --n 3405 --k 86");
  expect_plan("slices", "--layout nt --target sm80 --m 256 --n 256 --k 65536");
  expect_plan("on each of 8 dies", "--layout nt --target gfx942 --m 8192 --n 8192 --k 8192");
  expect_plan("on copies of A and B", "--layout nt --target sm80 --m 4095 --n 4097 --k 4099");
  expect_plan("on copies of A", "--layout tn --target gfx942 --m 4096 --n 4096 --k 4096");
  expect_plan("32 x 16 tiles of 128x256x32, in groups of 4 rows",
              "--layout nt --target sm80 --m 4096 --n 4096 --k 4096 --tile 128x256x32 --group 4 --split-k 1");
}

TEST_CASE("options that do not fit the problem are bad input", "[chapter][17]") {
  Batch batch;
  batch.expect(2, "--tile huge", "128x256x32");
  batch.expect(2, "--group -1", "--group");
  batch.expect(2, "--split-k -1", "--split-k");
  batch.expect(2, "--split-k 5000", "1 to 4096");
  batch.expect(2, "--split-k 2 --acc f16 --out-dtype f16", "--acc f32");
  batch.expect(2, "--dtype i8 --activation gelu", "--activation gelu");
  batch.expect(2, "--target gfx1");
}

TEST_CASE("sums that take the place of operands which others still read are a race", "[chapter][17][mutant]") {
  expect_hazard("race", "17_barrier_before_the_sums_removed", "--layout nt --m 64 --n 128 --k 64");
}

TEST_CASE("a slice of K that is added twice is wrong", "[chapter][17][mutant]") {
  CHECK(run_mutant("17_slice_added_twice", "--layout nt --m 64 --n 128 --k 192 --split-k 6").exit_code == 1);
}
