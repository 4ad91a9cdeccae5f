// Chapter 20's program: every variant, every tile, the size table in every layout, epilogues, K in slices, blocks with
// several tiles, few rows, copies of operands that TMA cannot address, counters, plans, what is refused, and its
// mutants.

#include "../17_optimized_gemm/tiles.hpp"  // tiles_of, size
#include "../../common/harness/files.hpp"  // Folder
#include "../gemm_sizes.hpp"               // gemm_sizes
#include "../npy_file.hpp"                 // file_of, elements_of

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cstdint>     // bits of f16
#include <filesystem>  // a file of options
#include <fstream>     // its lines
#include <string>      // options
#include <vector>      // tables

char const* const tilestep::test::chapter = "20_hopper";

using namespace tilestep::test;

namespace {

std::vector<std::string> const variants{"producer", "cluster", "persistent", "copied_out", "ping_pong"};
std::vector<std::string> const types{"--dtype bf16", "--dtype bf16 --out-dtype f32", "--dtype f16",
                                     "--dtype f16 --out-dtype f32"};
std::string const on_hopper = "--target sm90 ";

/// Hopper computes it, without a hazard.
void expect_right(Batch& batch, std::string const& options) { batch.expect(0, on_hopper + options, "verdict: right"); }

long count(std::string const& output, std::string const& counted) {
  return output.find("  " + counted + "  ") == std::string::npos ? 0 : counter(output, counted);
}

}  // namespace

TEST_CASE(
    "every variant is right on every size, in every layout and type that it has, beyond its tile and with several "
    "tiles for a block",
    "[chapter][20]") {
  Batch batch;
  for (std::string const& variant : variants) {
    std::string const kernel = "--kernel " + variant + " ";
    for (std::string const& size : gemm_sizes(64)) expect_right(batch, kernel + "--layout nt " + size);
    for (std::string const& layout : layouts)
      expect_right(batch, kernel + "--layout " + layout + " --m 137 --n 264 --k 200 --alpha 2 --out-dtype f32");
    expect_right(batch, kernel +
                 "--layout nt --m 264 --n 520 --k 328 --beta -1 --bias on --activation gelu --residual on");
    expect_right(batch, kernel + "--layout nt --m 257 --n 250 --k 520 --split-k 3 --bias on --activation relu");
    // 132 multiprocessors
    if (variant == "persistent" || variant == "ping_pong")
      expect_right(batch, kernel + "--layout nt --m 1 --n 8 --k 136 --batch 140");
  }
}

TEST_CASE("every tile is right around its extents, in every layout and type", "[chapter][20]") {
  Batch batch;
  for (std::string const& type : types) {
    auto const tiles = tiles_of(on_hopper + type);
    CHECK(tiles.size() >= 9);
    for (auto const& [name, extents] : tiles) {
      auto const [m, n, k] = extents;
      std::string const options = type + " --tile " + name;
      // past the ring in one layout: what it does with a stage is the same in all
      for (std::string const& layout : layouts)
        expect_right(batch, options + " --layout " + layout + size(m + 8, n + 8, (layout == "nn" ? 5 : 1) * k + 8));
      expect_right(batch, options + " --layout nt" + size(2 * m, 2 * n, k) + " --alpha -1 --bias on --activation gelu");
      expect_right(batch, options + " --layout nt" + size(m - 1, n - 1, k - 1) +
                   " --beta 2 --bias on --activation relu --residual on");
      expect_right(batch, options + " --layout nt" + size(m + 1, n + 8, 4 * k) + " --split-k 2 --ldc 520");
    }
  }
}

TEST_CASE("blocks with several tiles are right on every tile and variant, with one, two and three steps along K",
          "[chapter][20]") {
  // Six tiles for the only block or cluster of blocks: three for each warpgroup in ping-pong.
  Batch batch;
  auto const check = [&](std::string const& options, int cluster, int m, int n) {
    for (int const k : {64, 128, 192})
      batch.expect(0, on_hopper + options + " --layout nt --split-k 1 --units " + std::to_string(cluster) +
                   size(cluster * m - 8, 6 * n - 8, k), ", " + std::to_string(cluster) + " blocks of ");
  };
  for (std::string const& type : {types[0], types[3]}) {  // each type of operands, each of C
    for (auto const& [name, extents] : tiles_of(on_hopper + type)) {
      auto const blocks = [&](char const* along) {
        auto const at = name.find(along);
        return at == std::string::npos ? 1 : name[at + 2] - '0';
      };
      check(type + " --tile " + name, blocks("-m") * blocks("-n"), extents[0], extents[1]);
    }
  }
  check("--kernel persistent", 2, 128, 256);
  check("--kernel copied_out", 2, 128, 256);
  check("--kernel ping_pong", 1, 128, 192);
}

TEST_CASE("every size, layout, leading dimension and batch is right", "[chapter][20]") {
  Batch batch;
  for (std::string const& type : {types[0], types[3]}) {
    for (std::string const& layout : layouts) {
      for (std::string const& size : gemm_sizes(128)) expect_right(batch, type + " --layout " + layout + " " + size);
      // what lies between rows stays
      expect_right(batch, type + " --layout " + layout +
                   " --m 64 --n 72 --k 80 --lda 88 --ldb 96 --ldc 104 --batch 2 --alpha 2");
    }
  }
}

TEST_CASE("C of every width is right: what TMA would write past a row's end is the threads'", "[chapter][20]") {
  Batch batch;
  for (std::string const& type : types) {
    for (std::string const n : {"1", "3", "4", "8", "9", "33", "63", "68", "132", "264"}) {
      expect_right(batch, type + " --layout nt --m 72 --k 64 --n " + n);
      expect_right(batch, type + " --layout nt --m 72 --k 64 --ldc 272 --n " + n);
    }
  }
}

TEST_CASE(
    "every epilogue is right with rows that start at multiples of 16 bytes and rows that do not, with K whole and in "
    "slices",
    "[chapter][20]") {
  Batch batch;
  for (std::string const& type : {types[0], types[3]}) {
    for (std::string const what :
         {"--bias on", "--activation relu", "--residual on --beta 1", "--activation gelu --alpha -2",
          "--bias on --activation relu --residual on --ldr 168",
          "--bias on --activation gelu --residual on --ldr 163 --batch 2"}) {
      for (std::string const size : {"--m 72 --n 160 --k 136", "--m 71 --n 157 --k 131 --ldc 159"}) {
        for (std::string const slices : {"1", "3"})
          expect_right(batch, type + " --layout nt " + size + " --split-k " + slices + " " + what);
      }
    }
    // Rows with gaps, which nobody has written: neither a product nor an activation may see what is there.
    for (std::string const what : {"--activation gelu", "--bias on --activation gelu --beta 0.5"})
      for (std::string const tile : {"64x16x64", "64x64x64", "128x96x64", "128x256x64", "128x128x64-m2-n2"})
        expect_right(batch, type + " --layout tn --m 72 --n 40 --k 136 --lda 88 --ldb 56 --tile " + tile + " " + what);
  }
}

TEST_CASE(
    "few rows and few columns are right in every layout; a bias stays with its column where the product is transposed",
    "[chapter][20]") {
  Batch batch;
  for (std::string const& type : {types[0], types[3]}) {
    for (std::string const& layout : layouts) {
      for (std::string const size :
           {"--m 16 --n 264 --k 520", "--m 1 --n 136 --k 136 --beta 2", "--m 264 --n 8 --k 520 --beta 1",
            "--m 136 --n 1 --k 72", "--m 17 --n 67 --k 131 --batch 2"}) {
        expect_right(batch, type + " --layout " + layout + " " + size + " --bias on --activation relu");
        expect_right(batch, type + " --layout " + layout + " " + size + " --residual on --activation gelu");
      }
    }
  }
}

TEST_CASE(
    "what sums are added to comes by TMA: C or a residual, of each tile, in blocks with several tiles, past the edge",
    "[chapter][20]") {
  Batch batch;
  for (std::string const& type : {types[0], types[3]}) {
    for (auto const& [name, extents] : tiles_of(on_hopper + type)) {
      auto const [m, n, k] = extents;
      std::string const some = type + " --layout nt --split-k 1 --exchange no --units 1 --tile " + name +
                               size(2 * m + 8, 2 * n + 8, k);
      expect_right(batch, some + " --residual on");
      expect_right(batch, some + " --beta -2");
    }
    for (std::string const& variant : variants) {
      if (type.find("bf16") == std::string::npos) continue;  // which the variants take alone
      std::string const some = type + " --layout nt --units 2 --kernel " + variant + size(264, 520, 200);
      expect_right(batch, some + " --beta 1 --batch 2");
      expect_right(batch, some + " --residual on --bias on --activation gelu");
    }
    // rows that TMA cannot address, both of them, a leading dimension of each
    for (std::string const what : {"--residual on --ldr 201", "--residual on --ldr 208", "--beta 1 --ldc 208",
                                   "--beta 1 --ldc 202", "--beta 2 --residual on", "--beta 2 --bias on"})
      expect_right(batch, type + " --layout nt --split-k 1 --exchange no --m 136 --n 200 --k 72 " + what);
  }
}

TEST_CASE("an epilogue that adds reads and writes each byte of C once, a slab with each request", "[chapter][20]") {
  long const a_and_b = 2L * 192 * (2 * 256 + 2 * 384), c = 2L * 256 * 384;
  for (std::string const adds : {" --residual on", " --beta 1"}) {
    Ran const ran = run(on_hopper + "--layout nt --kernel ping_pong" + size(256, 384, 192) + adds);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(counter(ran.output, "global load bytes") == a_and_b + c);
    CHECK(counter(ran.output, "global store bytes") == c);
    CHECK(counter(ran.output, "global store requests") == 2 * 2 * 2 * 192 / 64);
  }
}

namespace {

constexpr std::int64_t square = 64;  // M, N and K of operands that are ones but for a few elements
constexpr std::int64_t nan_row = 2, infinite_row = 4, infinite_column = 6;

/// Options for A, with a NaN in one row and an infinity in another, for B, with an infinity of the other sign in one
/// column, and for a C of NaN, all of one 16-bit type.
std::string special_operands(harness_test::Folder const& folder, tilestep::DType type, std::uint16_t one,
                             std::uint16_t infinity, std::uint16_t nan) {
  std::vector<std::uint16_t> a(square * square, one), b = a, c(square * square, nan);
  a[nan_row * square + 3] = nan;
  a[infinite_row * square + 1] = infinity;
  b[infinite_column * square] = std::uint16_t(infinity | 0x8000);
  std::vector<std::int64_t> const shape{square, square};
  return " --layout nt --a " + file_of(folder / "a.npy", type, shape, a) + " --b " +
         file_of(folder / "b.npy", type, shape, b) + " --c " + file_of(folder / "c.npy", type, shape, c);
}

}  // namespace

TEST_CASE("NaN and infinities arrive in their rows and columns of an f16 C that TMA stores, through every activation",
          "[chapter][20]") {
  constexpr std::uint16_t one = 0x3c00, infinity = 0x7c00, nan = 0x7e00, of_65 = 0x5410;
  harness_test::Folder const folder;
  std::string const files = special_operands(folder, tilestep::DType::f16, one, infinity, nan);
  std::string const bias =
      file_of(folder / "bias.npy", tilestep::DType::f32, {square}, std::vector<float>(square, 1));
  auto const is_nan = [](std::uint16_t bits) { return (bits & 0x7fff) > infinity; };
  for (std::string const kernel : {"--tile 64x64x64 --split-k 1 --exchange no", "--tile 128x64x64 --split-k 1"}) {
    for (std::string const activation : {"none", "relu", "gelu"}) {
      std::string const options = on_hopper + "--dtype f16 --out-dtype f16 " + kernel + files + " --bias " + bias +
                                  " --activation " + activation + " --out " + (folder / "out.npy");
      Ran const ran = run(options);
      INFO(options << "\n" << ran.output);
      REQUIRE(ran.exit_code == 0);
      CHECK(counter(ran.output, "global store requests") == 1);  // one slab
      std::vector<std::uint16_t> const c = elements_of<std::uint16_t>(folder / "out.npy");
      REQUIRE(c.size() == square * square);
      for (std::int64_t m = 0; m < square; ++m) {
        for (std::int64_t n = 0; n < square; ++n) {
          std::uint16_t const got = c[std::size_t(m * square + n)];
          INFO("(m,n) = (" << m << "," << n << "): " << got);
          if (m == nan_row || (m == infinite_row && n == infinite_column)) CHECK(is_nan(got));
          else if (m == infinite_row) CHECK(got == infinity);
          else if (n != infinite_column) CHECK(got == of_65);  // with the bias; GELU(65) is 65 in f16
          else if (activation == "gelu") CHECK(is_nan(got));  // -inf times 0, as GELU's formula has it
          else CHECK(got == (activation == "relu" ? 0 : infinity | 0x8000));
        }
      }
    }
  }
}

TEST_CASE("every schedule gives the same bits, K in slices and blocks with several tiles included", "[chapter][20]") {
  Batch batch;
  for (std::string const problem :
       {"--kernel producer --m 136", "--kernel copied_out --m 264", "--kernel ping_pong --m 264",
        "--kernel copied_out --m 264 --units 2 --beta 2", "--kernel ping_pong --m 264 --units 1 --residual on",
        "--split-k 3 --m 136", "--tile 64x16x64 --m 1 --batch 14"}) {
    batch.expect_same_bytes(on_hopper + problem + " --layout nt --n 200 --k 264",
                            {"--schedule reverse", "--schedule random:5", "--schedule random:6", "--group 1"});
  }
}

TEST_CASE(
    "slabs of C are written and read in the fewest wavefronts, whatever the tile; of f32, in twice as many, and slabs "
    "of 32 columns are read in twice as many",
    "[chapter][20]") {
  Batch batch;
  auto const check = [&](std::string const& options, int written, int read = 1) {
    batch.run(on_hopper + options, [=](Ran const& ran) {
      CHECK(ran.exit_code == 0);
      CHECK(count(ran.output, "shared load wavefronts") <= read * count(ran.output, "shared load wavefronts ideal"));
      CHECK(count(ran.output, "shared store wavefronts") <=
            written * count(ran.output, "shared store wavefronts ideal"));
    });
  };
  for (std::string const& type : types) {
    int const times = type.find("out") == std::string::npos ? 1 : 2;
    for (auto const& [name, extents] : tiles_of(on_hopper + type)) {
      auto const [m, n, k] = extents;
      std::string const options = type + " --split-k 1 --layout nt --tile " + name + size(2 * m, 2 * n, 2 * k);
      check(options, times);
      check(options + " --bias on --activation relu", times);
      check(options + " --residual on", times, times);
    }
  }
  for (std::string const& variant : variants)  // those whose threads store C have slabs of 32 columns
    check("--layout nt --kernel " + variant + size(256, 384, 128), 1,
          variant == "copied_out" || variant == "ping_pong" ? 1 : 2);
}

TEST_CASE(
    "TMA moves each byte once: a tile of A and one of B for each step of each block, a cluster's shared half once, "
    "and C",
    "[chapter][20]") {
  auto const check = [](std::string const& kernel, int m, int n, int k, bool shares_b, bool copies_out) {
    Ran const ran = run(on_hopper + "--layout nt --kernel " + kernel + size(m, n, k));
    INFO(kernel << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
    int const tile_n = kernel == "ping_pong" ? 192 : 256;
    long const tiles_m = m / 128, tiles_n = n / tile_n;
    CHECK(counter(ran.output, "global load bytes") == 2L * k * (tiles_n * m + (shares_b ? tiles_m / 2 : tiles_m) * n));
    CHECK(counter(ran.output, "global store bytes") == 2L * m * n);
    if (copies_out)
      CHECK(counter(ran.output, "global store requests") == tiles_m * tiles_n * 2 * tile_n / 64);
    CHECK(counter(ran.output, "global load sectors") == counter(ran.output, "global load sectors ideal"));
    CHECK(counter(ran.output, "global store sectors") == counter(ran.output, "global store sectors ideal"));
  };
  check("producer", 256, 512, 192, false, false);
  check("cluster", 256, 512, 192, true, false);
  check("persistent", 256, 512, 192, true, false);
  check("copied_out", 256, 512, 192, true, true);
  check("ping_pong", 256, 384, 192, false, true);
}

TEST_CASE("plans exchange few rows, copy what TMA cannot address, slice a long K and fill the machine",
          "[chapter][20]") {
  auto const plan = [](std::string const& words, std::string const& options) {
    expect_plan(words, on_hopper + options);
  };
  for (std::string const& type : {types[0], types[3]}) {
    plan("C^T: 128 x 1 tiles of 64x", type + " --layout nt --m 16 --n 8192 --k 8192");
    plan("C^T: ", type + " --layout nt --m 140 --n 15360 --k 5888");
    plan("1 x 60 tiles of 128x",  // a residual, which TMA adds to C alone
         type + " --layout nt --m 140 --n 15360 --k 5888 --residual on");
    plan("128 x 1 tiles of 64x", type + " --layout nt --m 8192 --n 16 --k 8192");
    plan("slices", type + " --layout nt --m 256 --n 256 --k 65536");
    // 148 tiles of 64 rows would leave 16 multiprocessors alone with memory in a second round; and two blocks that read
    // the same rows of B get less of it
    plan("1 x 74 tiles", type + " --layout nn --m 3 --n 9472 --k 8192");
    plan("C^T: 128 x 1 tiles of 64x128x64", type + " --layout nt --m 128 --n 8192 --k 8192");
    plan("slices", type + " --layout nt --m 64 --n 64 --k 262144");
    // 64 rows of A's boxes where it has 16 would read on into the next
    plan("C^T: 48 x 1 tiles of 64x16x64", type + " --layout tn --m 16 --n 3072 --k 1536");
    plan("on copies of A and B", type + " --layout nt --m 4095 --n 4097 --k 4099");
    plan("on copies of A and B", type + " --layout tn --m 8191 --n 8191 --k 8191");
    plan("on copies of A", type + " --layout tt --m 4095 --n 4096 --k 4096");
    plan("on copies of B", type + " --layout nn --m 4096 --n 4095 --k 4096");
    plan("32 x 16 tiles of 128x256x64, in groups of 4 rows",
         type + " --layout nt --m 4096 --n 4096 --k 4096 --tile 128x256x64 --group 4 --split-k 1");
    for (std::string const& layout : layouts) {
      Ran const ran = run(on_hopper + "--plan " + type + " --layout " + layout + " --m 8192 --n 8192 --k 8192");
      INFO(ran.output);
      CHECK(ran.output.find("copies") == std::string::npos);
      CHECK(ran.output.find("slices") == std::string::npos);
      CHECK(ran.output.find("tiles of 128x") != std::string::npos);
    }
  }
  plan("tiles of 128x256x64-m2", "--layout nt --kernel copied_out --m 8192 --n 8192 --k 8192");
}

TEST_CASE("operands that TMA reads from two lines a row are copied where the model says that it pays",
          "[chapter][20]") {
  auto const plan = [](std::string const& words, std::string const& options) {
    expect_plan(words, on_hopper + types[0] + options);
  };
  // Few tiles of A, so B is read again and again; it is small.
  plan("+B, in groups of 8 rows, on copies of B", " --layout tn --m 8096 --n 184 --k 4640");
  plan("+A, in groups of 2 rows, on copies of A", " --layout nt --m 408 --n 6152 --k 2424");
  for (std::string const& layout : layouts) {
    Ran const ran = run(on_hopper + "--plan " + types[0] + " --layout " + layout + " --m 512 --n 6144 --k 2432");
    INFO(ran.output);
    CHECK(ran.output.find("copies") == std::string::npos);  // rows begin with lines
  }
  Batch batch;
  for (std::string const& type : types) {
    for (std::string const& layout : layouts) {
      for (std::string const& copies : {"+A", "+B", "+AB"}) {
        expect_right(batch, type + " --layout " + layout + " --m 200 --n 136 --k 264 --tile 64x64x64" + copies);
      }
    }
  }
  batch.expect(2, on_hopper + "--m 256 --n 256 --k 256 --tile 64x64x64+A", "128x256x64");  // there is nothing to gain
}

TEST_CASE("lines of options in one process say what each says in a process of its own", "[chapter][20]") {
  Batch batch;
  std::vector<std::string> const lines{"--m 72 --n 72 --k 72 --tile 64x32x64 --units 1 --split-k 1 --layout nt",
                                       "--m 72 --n 72 --k 72 --layout nt",
                                       "--m -1",
                                       "--m 8 --tile none",
                                       "--target gfx942",
                                       "--plan",
                                       "--m 8 --n 8 --k 8 --schedule reverse --check off",
                                       "--m 8 --n 8 --k 8",
                                       "--each x"};
  auto const file = std::filesystem::temp_directory_path() / "tilestep_13_each.txt";
  std::ofstream text(file);
  std::string wanted;
  for (std::string const& line : lines) {
    text << line << "\n";
    Ran const ran = run(line);
    wanted +=
        "$ 20_hopper " + line + "\n" +
        (line == "--each x" ? "20_hopper: --each: a line has the options of one run, and no --each\n" : ran.output);
    if (ran.exit_code != 0) wanted += "[exit code " + std::to_string(ran.exit_code) + "]\n";
  }
  text.close();
  Ran const each = run("--each " + file.string());
  CHECK(each.output == wanted);
  CHECK(each.exit_code == 2);  // the first that was not 0
  std::filesystem::remove(file);
  expect(2, "--each /nowhere", "cannot be read");
  expect(2, "--each /dev/null", "no line of options");
  expect(2, "--each x --m 5", "say nothing beside it");
}

TEST_CASE("machines without Hopper's instructions are told so in a sentence; options that do not fit are bad input",
          "[chapter][20]") {
  Batch batch;
  for (std::string const& target : targets) {
    if (target == "sm90") continue;
    for (std::string const& type : types) {
      Ran const ran = run("--target " + target + " " + type);
      INFO(ran.output);
      CHECK(ran.exit_code == 3);
      CHECK(ran.output.find("it runs on sm90") != std::string::npos);
      CHECK(ran.output.find('\n') == ran.output.size() - 1);
    }
  }
  batch.expect(3, on_hopper + "--kernel producer --dtype f16", "no kernel for these types");
  batch.expect(2, on_hopper + "--tile huge", "128x256x64");
  batch.expect(2, on_hopper + "--kernel producer --tile 128x128x64", "128x256x64");
  batch.expect(2, on_hopper + "--kernel none", "ping_pong");
  batch.expect(2, on_hopper + "--group -1", "--group");
  batch.expect(2, on_hopper + "--split-k -1", "--split-k");
  batch.expect(2, on_hopper + "--split-k 5000", "1 to 4096");
  batch.expect(2, on_hopper + "--dtype f32");
  batch.expect(2, on_hopper + "--dtype i8");
  batch.expect(2, on_hopper + "--acc f16");
  batch.expect(2, "--target gfx1");
}

namespace {

// more steps than stages, more tiles than one
std::string const problem = on_hopper + "--layout nt --m 256 --n 128 --k 328";

void expect_one_of(std::vector<std::string> const& words, std::string const& mutant,
                   std::string const& options = problem) {
  for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
    Ran const ran = run_mutant(mutant, options + " --schedule " + schedule);
    INFO(mutant << " " << schedule << "\n" << ran.output);
    CHECK(ran.exit_code == 4);
    bool found = false;
    for (std::string const& word : words) found = found || ran.output.find(word) != std::string::npos;
    CHECK(found);
  }
}

}  // namespace

TEST_CASE("the mutants' kernel is right without a bug", "[chapter][20][mutant]") {
  for (std::string const mutant : {"20_no_bug", "20_no_bug_in_a_cluster", "20_no_bug_in_ping_pong"}) {
    for (std::string const schedule : {"in-order", "reverse", "random:3"}) {
      Ran const ran = run_mutant(mutant, problem + " --schedule " + schedule);
      INFO(mutant << "\n" << ran.output);
      CHECK(ran.exit_code == 0);
    }
  }
}

TEST_CASE("a producer or a consumer that begins with the wrong parity is found", "[chapter][20][mutant]") {
  expect_one_of({"deadlock"}, "20_producer_begins_with_0");
  expect_one_of({"copy in flight", "wgmma in flight"}, "20_consumer_begins_with_1");
  expect_one_of({"copy in flight", "wgmma in flight", "race", "deadlock"}, "20_parity_of_others_tiles",
                on_hopper + "--layout nt --m 8 --n 8 --k 192 --batch 140");
}

TEST_CASE("a stage that is released before its products are over is found", "[chapter][20][mutant]") {
  expect_one_of({"wgmma in flight", "race"}, "20_releases_the_stage_in_use");
  expect_one_of({"wgmma in flight", "race"}, "20_does_not_wait_at_the_end");
}

TEST_CASE("a ReLU of TMA's slabs that makes 0 of NaN is wrong", "[chapter][20][mutant]") {
  harness_test::Folder const folder;
  std::string const files =
      on_hopper + "--bf16-npy --activation relu" +
      special_operands(folder, tilestep::DType::bf16, 0x3f80, 0x7f80, 0x7fc0);
  CHECK(run_mutant("20_no_bug", files).exit_code == 0);
  CHECK(run_mutant("20_relu_of_nan_is_zero", files).exit_code == 1);
}

TEST_CASE("a slab that TMA reads without a fence, or that is written again too early, is found",
          "[chapter][20][mutant]") {
  expect_one_of({"missing fence"}, "20_no_fence_before_the_copy");
  expect_one_of({"copy in flight", "race"}, "20_slab_written_too_early");
  expect_one_of({"race"}, "20_slab_copied_too_early");
  expect_one_of({"copy in flight"}, "20_ends_before_the_copy");
}

TEST_CASE("a slab that sums are added to before it has arrived, or that arrives too early, is found",
          "[chapter][20][mutant]") {
  std::string const adds = on_hopper + "--layout nt --m 768 --n 192 --k 64 --units 1 --beta 1";
  for (std::string const mutant : {"20_no_bug", "20_no_bug_in_ping_pong"})
    CHECK(run_mutant(mutant, adds).exit_code == 0);
  expect_one_of({"copy in flight"}, "20_adds_what_has_not_arrived", adds);
  expect_one_of({"copy in flight", "race", "deadlock"}, "20_one_parity_of_slabs_added", adds);
  expect_one_of({"copy in flight", "race"}, "20_fetches_into_the_last_task_s_slab", adds);
}

TEST_CASE("buffers of C that begin again with every tile are found, where a tile has one slab and where it has three",
          "[chapter][20][mutant]") {
  for (std::string const columns : {"64", "192"}) {
    for (std::string const k : {"64", "128", "192"}) {
      std::string const tiles = on_hopper + "--layout nt --m 768 --n 192 --units 1 --k " + k;
      CHECK(run_mutant("20_no_bug_in_" + columns + "_columns", tiles).exit_code == 0);
      expect_one_of({"is in flight: wait with tma_store_wait_read"},
                    "20_two_buffers_whatever_the_slabs_of_" + columns, tiles);
    }
  }
}

TEST_CASE("an mbarrier that is told of a tile of A alone is found", "[chapter][20][mutant]") {
  expect_one_of({"byte count", "copy in flight"}, "20_bytes_of_a_alone");
}

TEST_CASE("boxes that end with A and B: the rest of their tiles is zeros, behind a fence, and their bytes are counted",
          "[chapter][20][mutant]") {
  std::string const ends = on_hopper + "--layout nt --m 131 --n 71 --k 328 --units 1";
  for (std::string const mutant : {"20_no_bug", "20_no_bug_in_a_cluster", "20_no_bug_in_ping_pong"}) {
    Ran const ran = run_mutant(mutant, ends);
    INFO(mutant << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
  }
  expect_one_of({"uninitialised"}, "20_rest_not_cleared", on_hopper + "--layout nt --m 3 --n 71 --k 328");
  expect_one_of({"missing fence"}, "20_no_fence_after_the_zeros", ends);
  expect_one_of({"deadlock", "byte count"}, "20_bytes_of_whole_tiles", ends);
}

TEST_CASE("blocks of a cluster that release their own stage alone, or end alone, are found", "[chapter][20][mutant]") {
  expect_one_of({"deadlock", "race", "wgmma in flight"}, "20_released_to_one_block");
  expect_one_of({"race", "copy in flight"}, "20_blocks_end_alone");
}

TEST_CASE("warpgroups that wait for each other's turn at each other's barrier are found", "[chapter][20][mutant]") {
  expect_one_of({"deadlock", "barrier"}, "20_turns_exchanged");
}

TEST_CASE("rows of C that end within 16 bytes and are stored by TMA are found: past C's end, or between rows",
          "[chapter][20][mutant]") {
  expect_one_of({"out of bounds"}, "20_copies_rows_of_any_length",
                on_hopper + "--layout nt --m 64 --n 60 --k 64 --ldc 64");
  CHECK(is_caught("20_copies_rows_of_any_length", on_hopper + "--layout nt --m 100 --n 67 --k 64 --ldc 72"));
  CHECK(run_mutant("20_copies_rows_of_any_length", on_hopper + "--layout nt --m 64 --n 64 --k 64 --ldc 72").exit_code ==
        0);
}

TEST_CASE("plans fit devices of any size, and run there, or are refused in one sentence", "[chapter][20]") {
  Batch batch;
  // Hopper with 78, 114 and 3 multiprocessors, without clusters, and with shared memory for some of the tiles.
  for (std::string const machine :
       {"sm90:units=78", "sm90:units=114", "sm90:units=3", "sm90:cluster=1", "sm90:shared=200000"}) {
    expect_plans(machine, types);
    for (std::string const& some : {size(300, 520, 264), size(16, 520, 2104), size(600, 72, 136)})
      batch.expect(0, "--machine " + machine + " --layout nt" + some, "verdict: right");
    batch.expect(0, "--machine " + machine + " --layout tn" + size(72, 136, 200), "verdict: right");
  }
  batch.expect(3, "--machine sm90:shared=101376" + size(300, 520, 264),
               "no kernel for these types fits sm90:shared=101376, which gives a block 101376 bytes of shared memory");
  batch.expect(3, "--machine sm80:units=148,shared=232448" + size(300, 520, 264), "it runs on sm90");
  // A variant in clusters where there are none.
  batch.expect(3, "--machine sm90:cluster=1 --kernel cluster" + size(300, 520, 264),
               "runs in clusters of 2 blocks, and a cluster of sm90:cluster=1 has at most 1");
}
