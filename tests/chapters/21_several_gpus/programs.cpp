// Chapter 21's program under mpirun: every size on 1 to 6 ranks, layouts, types, factors, bits that stay the same,
// refusals, and ranks that fail.

#include "../gemm_program.hpp"  // run_program, size of problems

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <array>       // tables
#include <chrono>      // the clock
#include <cmath>       // std::isnan
#include <cstdlib>     // setenv
#include <cstring>     // std::memcpy
#include <filesystem>  // files of options and results
#include <fstream>     // their lines
#include <future>      // std::async: what waits, waits beside the rest
#include <limits>      // infinity
#include <stdexcept>   // std::runtime_error
#include <string>      // command lines
#include <vector>      // tables
#include <unistd.h>    // geteuid

namespace tilestep::test {

char const* const chapter = "21_several_gpus";

}  // namespace tilestep::test

using namespace tilestep::test;

namespace {

std::string const schemes[]{"gather", "scatter", "grid"};

std::string const program = "'" + (bin_folder() / chapter).string() + "'";
std::string const communicator = "'" + (bin_folder() / "tests/check_communicator").string() + "'";

/// Runs a command after mpirun.
Ran mpirun(std::string const& words) {
  if (geteuid() == 0) {
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
  std::FILE* pipe = popen(("timeout 120 mpirun --oversubscribe " + words + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("mpirun cannot be started");
  Ran ran;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) ran.output += char(c);
  int const status = pclose(pipe);
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

Ran on_ranks(int ranks, std::string const& options) {
  return mpirun("-np " + std::to_string(ranks) + " " + program + " " + options);
}

/// All lines of options are right on so many ranks.
void expect_right(int ranks, std::vector<std::string> const& lines) {
  auto const file = std::filesystem::temp_directory_path() / ("tilestep_21_" + std::to_string(getpid()) + ".txt");
  std::ofstream out(file);
  for (std::string const& line : lines) out << line << "\n";
  out.close();
  Ran const ran = on_ranks(ranks, "--each " + file.string());
  std::filesystem::remove(file);
  INFO(ranks << " ranks\n" << ran.output);
  CHECK(ran.exit_code == 0);
  std::size_t right = 0;
  for (std::size_t at = 0; (at = ran.output.find("verdict: right", at)) != std::string::npos; ++at) ++right;
  CHECK(right == lines.size());
}

/// Every third line, others on another number of ranks: each is run on two of the numbers from 1 to 6.
void expect_a_third_right(int ranks, std::vector<std::string> const& lines) {
  std::vector<std::string> third;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if ((int(i) + ranks) % 3 == 0) third.push_back(lines[i]);
  }
  expect_right(ranks, third);
}

std::string extents(int m, int n, int k) {
  return " --m " + std::to_string(m) + " --n " + std::to_string(n) + " --k " + std::to_string(k);
}

/// The bytes of C that a program writes with each line of options. `run` starts it; it makes all runs (--each).
template <class Run>
std::vector<std::string> bytes_by(Run const& run, std::vector<std::string> const& lines) {
  auto const file = [](std::string const& end) {
    return (std::filesystem::temp_directory_path() / ("tilestep_21_" + std::to_string(getpid()) + end)).string();
  };
  std::ofstream list(file(".txt"));
  for (std::size_t i = 0; i < lines.size(); ++i) list << lines[i] << " --out " << file(std::to_string(i)) << "\n";
  list.close();
  Ran const ran = run("--each " + file(".txt"));
  std::filesystem::remove(file(".txt"));
  INFO(ran.output);
  REQUIRE(ran.exit_code == 0);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    all.push_back(bytes_of_file(file(std::to_string(i))));
    REQUIRE(!all.back().empty());
    std::filesystem::remove(file(std::to_string(i)));
  }
  return all;
}

std::vector<std::string> bytes_on(int ranks, std::vector<std::string> const& lines) {
  return bytes_by([&](std::string const& all) { return on_ranks(ranks, all); }, lines);
}

std::string bytes_on(int ranks, std::string const& options) { return bytes_on(ranks, std::vector{options}).front(); }

/// Of one device.
std::vector<std::string> bytes_of(std::string const& one, std::vector<std::string> const& lines) {
  return bytes_by([&](std::string const& all) { return run_program(one, all); }, lines);
}

/// Each of `lines` behind the same words.
std::vector<std::string> with(std::string const& words, std::vector<std::string> lines) {
  for (std::string& line : lines) line = words + line;
  return lines;
}

/// Blocks of the first product of rank 0, which chapter 20's kernel computes.
int blocks_of_first(int ranks, std::string const& options) {
  auto const file = std::filesystem::temp_directory_path() / ("tilestep_21_" + std::to_string(getpid()) + ".json");
  Ran const ran = on_ranks(ranks, options + " --json " + file.string());
  std::string const record = bytes_of_file(file);
  std::filesystem::remove(file);
  INFO(ran.output);
  std::string const kernel = "\"kernel\": \"HopperGemm\"", blocks = "\"blocks\": ";
  auto const at = record.find(kernel);
  REQUIRE(at != std::string::npos);
  return std::stoi(record.substr(record.find(blocks, at) + blocks.size()));
}

/// Ends with this code and these words, and in less than 30 s.
struct Ended {
  std::string command;
  Ran ran;
  double seconds = 0;
};
Ended timed(std::string const& command) {
  auto const begin = std::chrono::steady_clock::now();
  Ran const ran = mpirun(command);
  return {command, ran, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}
void expect_end(int exit_code, std::string const& words, Ended const& ended) {
  INFO(ended.command << "\n" << ended.ran.output);
  CHECK(ended.ran.exit_code == exit_code);
  CHECK(ended.ran.output.find(words) != std::string::npos);
  CHECK(ended.seconds < 30);
}
void expect_end(int exit_code, std::string const& words, std::string const& command) {
  expect_end(exit_code, words, timed(command));
}

/// A file of a matrix with contiguous rows. @param type  as NumPy has it
template <class T>
void write_npy(std::string const& file, std::string const& type, int rows, int cols, std::vector<T> const& numbers) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(cols) + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream out(file, std::ios::binary);
  out << "\x93NUMPY" << '\1' << '\0' << char(header.size()) << '\0' << header;
  out.write(reinterpret_cast<char const*>(numbers.data()), std::streamsize(sizeof(T) * numbers.size()));
}

std::string const small = extents(20, 24, 20);

}  // namespace

TEST_CASE("every size is right on 1 to 6 ranks, by every scheme", "[chapter][21]") {
  for (int ranks = 1; ranks <= 6; ++ranks) {
    std::vector<std::string> lines;
    for (std::string const& scheme : schemes) {
      for (auto const& [m, n, k] : {std::array{1, 1, 1}, {64, 64, 64}, {65, 63, 17}, {97, 50, 0}, {3, 101, 131},
                                    {101, 3, 67}, {131, 113, 103}}) {
        lines.push_back("--kernel " + scheme + extents(m, n, k));
      }
      lines.push_back("--kernel " + scheme + " --alpha 0.5 --beta -3" + extents(41, 67, 45));
      lines.push_back("--kernel " + scheme + " --lda 90 --ldb 75 --ldc 80 --layout nn" + extents(41, 67, 45));
      for (auto const& [m, n, k] : {std::array{1, 1, 1}, {97, 50, 0}, {3, 101, 131}, {131, 113, 103}})
        lines.push_back("--target sm90 --beta 2 --kernel " + scheme + extents(m, n, k));
    }
    expect_a_third_right(ranks, lines);
  }
}

TEST_CASE("layouts, types and targets are right on four ranks", "[chapter][21]") {
  std::vector<std::string> lines;
  for (std::string const& scheme : schemes) {
    for (std::string const& layout : layouts)
      lines.push_back("--kernel " + scheme + " --layout " + layout + extents(53, 47, 91));
    for (std::string const type : {"f16 --out-dtype f16", "bf16 --out-dtype bf16", "tf32", "i8", "f32", "f64"})
      lines.push_back("--kernel " + scheme + " --dtype " + type + " --beta 2" + extents(53, 47, 91));
    for (std::string const target : {"sm90", "gfx942", "gfx1100"})
      lines.push_back("--kernel " + scheme + " --target " + target + extents(53, 47, 91));
  }
  for (std::string const type : {"f16", "bf16"}) {
    for (std::string const how : {"", " --overlap", " --target sm90 --overlap --chunks 3", " --beta 2 --alpha 0.5"})
      lines.push_back("--kernel scatter --dtype " + type + " --out-dtype " + type + how + extents(53, 47, 91));
  }
  lines.push_back("--kernel gather --acc f16" + extents(53, 47, 91));
  expect_right(4, lines);
}

TEST_CASE("scatter rounds what travels to C's type, each term and their sum, and not what stays", "[chapter][21]") {
  // One row and column, so rank 0 holds C; A is 1 where B has what a rank adds. f16 has no odd number above 2048.
  auto const folder = std::filesystem::temp_directory_path();
  std::string const name = (folder / ("tilestep_21_" + std::to_string(getpid()))).string();
  std::uint16_t const one = 0x3c00, large = 0x6800;  // 1 and 2048
  auto const c_of = [&](std::vector<std::vector<std::uint16_t>> const& by_rank, std::string const& overlap) {
    std::size_t const slice = 16;
    std::vector<std::uint16_t> a(slice * by_rank.size()), b(a.size());
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
      for (std::size_t i = 0; i < by_rank[rank].size(); ++i)
        a[rank * slice + i] = one, b[rank * slice + i] = by_rank[rank][i];
    }
    write_npy(name + "_a.npy", "<f2", 1, int(a.size()), a);
    write_npy(name + "_b.npy", "<f2", int(b.size()), 1, b);
    std::string const bytes = bytes_on(int(by_rank.size()), "--kernel scatter --dtype f16 --out-dtype f16 --a " + name +
                                       "_a.npy --b " + name + "_b.npy" + extents(1, 1, int(a.size())) + overlap);
    std::uint16_t value = 0;
    std::memcpy(&value, bytes.data() + bytes.size() - sizeof(value), sizeof(value));
    return value;
  };
  for (std::string const overlap : {"", " --overlap"}) {
    // Two ranks: 2049 becomes 2048 where it travels, and not where it stays: 2049 + 2 is halfway, and becomes 2052.
    CHECK(c_of({{one, one}, {large, one}}, overlap) == large + 1);  // 2050
    CHECK(c_of({{large, one}, {one, one}}, overlap) == large + 2);  // 2052
    // Three: 2048 + 1 of ranks 1 and 2 becomes 2048 before rank 0 adds 1 and 2.
    CHECK(c_of({{one, one, one}, {large}, {one}}, overlap) == large + 2);  // 2051, halfway again
    CHECK(c_of({{one, one}, {large}, {one}}, overlap) == large + 1);       // 2050; 2051 would become 2052
  }
  std::filesystem::remove(name + "_a.npy");
  std::filesystem::remove(name + "_b.npy");
}

TEST_CASE("every grid of up to six ranks is right", "[chapter][21]") {
  for (auto const& [p, q] : {std::array{1, 2}, {2, 1}, {1, 3}, {2, 2}, {1, 5}, {2, 3}, {3, 2}, {6, 1}}) {
    std::string const grid = "--kernel grid --grid " + std::to_string(p) + "x" + std::to_string(q);
    expect_right(p * q, {grid + extents(67, 90, 150), grid + " --beta 1 --layout tt" + extents(70, 33, 97)});
  }
}

TEST_CASE("gather gives the bits of one device, scatter and grid the same bits in every run", "[chapter][21]") {
  // Alone, a part of the last two would be planned on another tile, or not transposed.
  std::vector<std::string> const problems{extents(131, 113, 103) + " --layout nt",
                                          extents(64, 96, 200) + " --layout tn",
                                          extents(600, 520, 136) + " --layout nt",
                                          extents(300, 60, 300) + " --layout nt"};
  auto const one = bytes_of("17_optimized_gemm", problems);
  for (int const ranks : {1, 2, 3, 4}) CHECK((bytes_on(ranks, with("--kernel gather", problems)) == one));
  for (std::string const scheme : {"scatter", "grid"}) {
    auto const lines = with("--kernel " + scheme, problems);
    CHECK((bytes_on(3, lines) == bytes_on(3, lines)));
  }
}

TEST_CASE("f16 and bf16 on sm90 are multiplied by chapter 20, and gather gives its bits", "[chapter][21]") {
  // Many tiles, few rows, K in slices, an operand that one device has to copy.
  auto const problems = with("--target sm90 --layout ",
                             {"nt --dtype bf16 --out-dtype bf16" + extents(300, 520, 136),
                              "tn --dtype bf16 --out-dtype f32" + extents(16, 300, 200),
                              "nt --dtype f16 --out-dtype f32" + extents(400, 400, 3000),
                              "nn --dtype f16 --out-dtype f16" + extents(131, 113, 103)});
  auto const one = bytes_of("20_hopper", with("--kernel tuned ", problems));
  for (std::string const how : {"", "--overlap ", "--overlap --chunks 1 "})
    CHECK((bytes_on(3, with("--kernel gather " + how, problems)) == one));
  for (std::string const& scheme : schemes) {
    CHECK(blocks_of_first(2, "--target sm90 --kernel " + scheme + extents(100, 90, 80)) > 0);
  }
}

TEST_CASE("products beside messages leave them compute units", "[chapter][21]") {
  std::string const all = "--target sm90 --overlap --kernel gather --message-units ";
  std::string const few_tiles = extents(600, 600, 136), many_tiles = extents(2048, 1024, 16) + " --chunks 1";
  CHECK(blocks_of_first(2, all + "130" + few_tiles) == 2);  // of the 132 of an H100
  CHECK(blocks_of_first(2, all + "132" + few_tiles) == 1);
  CHECK(blocks_of_first(1, all + "0" + many_tiles) == 132);
  CHECK(blocks_of_first(1, all + "-1" + many_tiles) == 100);
}

TEST_CASE("overlapped schemes are right on 1 to 6 ranks, in few chunks and in more than there are rows",
          "[chapter][21]") {
  for (int ranks = 1; ranks <= 6; ++ranks) {
    std::vector<std::string> lines;
    for (std::string const how : {"gather", "gather --chunks 1", "gather --chunks 7", "scatter", "scatter --chunks 1",
                                  "scatter --chunks 7", "grid"}) {
      std::string const kernel = "--overlap --kernel " + how;
      for (auto const& [m, n, k] : {std::array{1, 1, 1}, {65, 63, 17}, {97, 50, 0}, {131, 113, 103}})
        lines.push_back(kernel + extents(m, n, k));
      lines.push_back(kernel + " --alpha 0.5 --beta -3 --layout tt" + extents(131, 67, 45));
      lines.push_back(kernel + " --lda 90 --ldb 75 --ldc 80 --layout nn" + extents(41, 67, 45));
      lines.push_back(kernel + " --target sm90 --layout tn" + extents(131, 67, 45));
    }
    expect_a_third_right(ranks, lines);
  }
}

TEST_CASE("NaN and infinities arrive where the sums have them, by every scheme", "[chapter][21]") {
  // Files of one row: A has a NaN or an infinity in a row, and C has it in that row alone.
  auto const folder = std::filesystem::temp_directory_path();
  std::string const name = "tilestep_21_" + std::to_string(getpid());
  auto const write = [&](std::string const& end, int rows, int cols, auto const& at) {
    std::vector<float> numbers;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) numbers.push_back(at(i, j));
    }
    write_npy((folder / (name + end)).string(), "<f4", rows, cols, numbers);
  };
  int const m = 50, n = 41, k = 70;
  float const inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  write("_a.npy", m, k, [&](int i, int j) { return i == 3 && j == 60 ? nan : i == 44 && j == 5 ? inf : 1.0f; });
  write("_b.npy", k, n, [&](int, int j) { return j == 40 ? -1.0f : 1.0f; });
  std::string const files = " --dtype f32 --a " + (folder / (name + "_a.npy")).string() + " --b " +
                            (folder / (name + "_b.npy")).string() + extents(m, n, k);
  for (std::string const& scheme : schemes) {
    for (std::string const overlap : {"", " --overlap"}) {
      INFO(scheme << overlap);
      std::string const bytes = bytes_on(3, "--kernel " + scheme + overlap + files);
      std::vector<float> c(std::size_t(m * n));
      REQUIRE(bytes.size() >= c.size() * sizeof(float));
      std::memcpy(c.data(), bytes.data() + bytes.size() - c.size() * sizeof(float), c.size() * sizeof(float));
      int wrong = 0;
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
          float const got = c[std::size_t(i * n + j)], sign = j == 40 ? -1.0f : 1.0f;
          wrong += i == 3 ? !std::isnan(got) : i == 44 ? got != sign * inf : got != sign * float(k);
        }
      }
      CHECK(wrong == 0);
    }
  }
  std::filesystem::remove(folder / (name + "_a.npy"));
  std::filesystem::remove(folder / (name + "_b.npy"));
}

TEST_CASE("overlapped schemes give the bits of the serial ones", "[chapter][21]") {
  std::vector<std::string> const problems{extents(300, 60, 300) + " --layout nt",
                                          extents(131, 113, 103) + " --layout tt"};
  for (int const ranks : {2, 3, 4, 6}) {
    std::vector<std::string> lines;
    for (std::string const& problem : problems) {
      for (std::string const& scheme : schemes) {
        for (std::string const how : {"", "--overlap ", scheme == "grid" ? "--overlap " : "--overlap --chunks 2 "})
          lines.push_back(how + "--kernel " + scheme + problem);
      }
    }
    auto const bytes = bytes_on(ranks, lines);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      INFO(ranks << " ranks: " << lines[i]);
      CHECK((bytes[i + 1] == bytes[i]));
      CHECK((bytes[i + 2] == bytes[i]));
    }
  }
}

TEST_CASE("each wait between streams that is left out is reported", "[chapter][21]") {
  struct Mutant {
    char const *name, *options, *first, *second;
  };
  for (auto const& [name, options, first, second] :
       {Mutant{"21_chunk_not_waited_for", "gather", "on stream default reads element",
               "of A of all ranks, which all_gather on stream communication writes with nothing that orders the two"},
        {"21_chunk_overwritten", "grid --grid 2x3", "broadcast on stream communication writes element",
         "on stream default reads with nothing that orders the two"},
        {"21_panel_not_waited_for", "grid --grid 2x3", "on stream default reads element",
         "which broadcast on stream communication writes with nothing that orders the two"},
        {"21_sent_too_early", "scatter", "all_to_all on stream communication reads element",
         "on stream default writes with nothing that orders the two"},
        {"21_terms_not_waited_for", "scatter", "on stream default reads element",
         "which kernel"},
        // What the first run still reads, the second may not overwrite.
        {"21_gather_begins_at_once", "gather --repeat 2", "all_gather on stream communication writes element",
         "of A of all ranks, which kernel"},
        {"21_grid_begins_at_once", "grid --grid 2x3 --repeat 2", "broadcast on stream communication writes element",
         "on stream default reads with nothing that orders the two"}}) {
    std::string const all = std::string(" --kernel ") + options + extents(100, 90, 150);
    std::string const mutant = "-np 6 '" + (bin_folder() / "tests/mutants" / name).string() + "'" + all;
    Ran const ran = mpirun(mutant + " --overlap");
    INFO(name << "\n" << ran.output);
    CHECK(ran.exit_code == 4);
    auto const at = ran.output.find(first);
    REQUIRE(at != std::string::npos);
    std::string const sentence = ran.output.substr(at, ran.output.find('\n', at) - at);
    CHECK(sentence.find(second) != std::string::npos);
    CHECK(sentence.find("record an event on stream ") != std::string::npos);
    CHECK(mpirun(mutant).exit_code == 0);  // the serial scheme has no such wait
  }
  // Two ranks swap their terms.
  std::string const sent_too_early = "'" + (bin_folder() / "tests/mutants/21_sent_too_early").string() + "'";
  Ran const ran = mpirun("-np 2 " + sent_too_early + " --kernel scatter --overlap" + extents(100, 90, 150));
  INFO(ran.output);
  CHECK(ran.exit_code == 4);
  CHECK(ran.output.find("all_gather on stream communication reads element") != std::string::npos);
}

TEST_CASE("overlapped schemes are right for other types, targets and grids, and run after run", "[chapter][21]") {
  std::vector<std::string> lines;
  for (std::string const& scheme : schemes) {
    std::string const kernel = "--overlap --kernel " + scheme;
    for (std::string const type : {"f16 --out-dtype f16", "bf16 --out-dtype bf16", "tf32", "i8", "f32", "f64"})
      lines.push_back(kernel + " --dtype " + type + " --beta 2" + extents(53, 47, 91));
    for (std::string const target : {"sm90", "gfx942", "gfx1100"})
      lines.push_back(kernel + " --target " + target + extents(53, 47, 91));
    lines.push_back(kernel + " --repeat 3 --layout nt" + extents(131, 113, 103));
  }
  lines.push_back("--overlap --kernel gather --acc f16" + extents(53, 47, 91));
  expect_right(4, lines);
  for (auto const& [p, q] : {std::array{1, 3}, {2, 3}, {3, 2}, {6, 1}})
    expect_right(p * q, {"--overlap --kernel grid --grid " + std::to_string(p) + "x" + std::to_string(q) +
                         extents(67, 90, 150)});
}

TEST_CASE("ranks hear what others say in every function, and are named where they do not come", "[chapter][21]") {
  for (int ranks = 1; ranks <= 5; ++ranks)
    expect_end(0, "right on " + std::to_string(ranks) + " ranks, over MPI",
               "-np " + std::to_string(ranks) + " " + communicator + " mpi");
  expect_end(1, "rank 2 did not come to the end of what was enqueued within 1 s", "-np 3 " + communicator +
             " mpi unready");
  // Even where the way out waits without an end, as freed memory may.
  expect_end(1, "rank 2 did not come to the end of what was enqueued within 1 s", "-np 3 " + communicator +
             " mpi hanging");
  expect_end(3, "NCCL moves data between GPUs, and here are virtual ones", "-np 2 " + communicator + " nccl");
}

TEST_CASE("ranks that fail together say who and why, and a barrier waits for all streams", "[chapter][21]") {
  expect_end(0, "right on 3 ranks, with what they promise", "-np 3 " + communicator + " mpi promises");
}

TEST_CASE("ranks that call unlike functions, or name unlike roots, end with a sentence", "[chapter][21]") {
  expect_end(2, " calls barrier of 8", "-np 3 " + communicator + " mpi unlike");
  expect_end(2, "rank 2 calls broadcast of 8", "-np 3 " + communicator + " mpi roots");
}

TEST_CASE("what ranks cannot do together is refused in one sentence", "[chapter][21]") {
  std::string const four = "-np 4 " + program + small;
  expect_end(2, "--grid 3x2 has 6 ranks, and there are 4", four + " --kernel grid --grid 3x2");
  expect_end(2, "--grid is for --kernel grid", four + " --grid 2x2");
  expect_end(2, "leave out --batch", four + " --batch 2");
  expect_end(2, "take --acc f32", four + " --kernel scatter --acc f16");
  expect_end(2, "choose more than 0", four + " --patience 0");
  expect_end(2, "--chunks is for --overlap", four + " --chunks 2");
  expect_end(2, "choose 1 to 64", four + " --overlap --chunks 65");
  expect_end(2, "a grid has its panels", four + " --overlap --chunks 2 --kernel grid");
  expect_end(2, "--message-units is for --overlap", four + " --message-units 8");
  expect_end(2, "choose 0 or more, or -1 for what messages need", four + " --overlap --message-units -2");
  expect_end(2, "--copy-engines is for NCCL", four + " --copy-engines no");
  expect_end(2, "--failing-at is for --failing", four + " --failing-at 1");
  expect_end(2, "choose 1 or more, or 0 for before them", four + " --failing 1 --failing-at -1");
  expect_end(2, "this rank comes to 2 collectives", four + " --failing 1 --failing-at 3");
  expect_end(2, "--repeat is how often", four + " --repeat 0");
  expect_end(2, "--repeat would read its own C", four + " --repeat 2 --beta 1");
  expect_end(3, "NCCL moves data between GPUs, and here are virtual ones", four + " --over nccl");
  expect_end(3, "--bench measures time, and the virtual GPU counts", four + " --bench");
  expect_end(2, "measures one problem at a time", four + " --bench --problems " + bin_folder().string());
  std::string const one = "-np 1 " + program, two = " : -np 2 " + program;
  for (std::string const& other : {extents(21, 24, 20), extents(20, 24, 21)})
    expect_end(2, "rank 1 has another problem than rank 0", one + small + two + other);
  expect_end(2, "rank 1 has another problem than rank 0", one + small + two + small + " --kernel scatter");
  expect_end(2, "rank 1 has another problem than rank 0", one + small + two + small + " --overlap");
  expect_end(2, "rank 1 has other operands than rank 0", one + small + two + small + " --seed 5");
  // Of each operand that is read, an element counts where the others are alike.
  auto const name = (std::filesystem::temp_directory_path() / ("tilestep_21_" + std::to_string(getpid()))).string();
  std::string const alike = name + "_1.npy", unlike = name + "_2.npy";
  std::string const factors = extents(2, 2, 2) + " --dtype f32 --beta 1";
  for (std::size_t const at : {0, 3}) {
    std::vector<float> numbers{1, 2, 3, 4};
    write_npy(alike, "<f4", 2, 2, numbers);
    numbers[at] = 5;
    write_npy(unlike, "<f4", 2, 2, numbers);
    for (std::string const other : {"--a", "--b", "--c"}) {
      std::string files[2];
      for (std::string const operand : {"--a", "--b", "--c"}) {
        files[0] += " " + operand + " " + alike;
        files[1] += " " + operand + " " + (operand == other ? unlike : alike);
      }
      expect_end(2, "rank 1 has other operands than rank 0", one + factors + files[0] + two + factors + files[1]);
    }
  }
  std::filesystem::remove(alike);
  std::filesystem::remove(unlike);
}

TEST_CASE("a rank that fails, dies or never comes ends all within 30 s, and no file is written", "[chapter][21]") {
  auto const file = std::filesystem::temp_directory_path() / ("tilestep_21_" + std::to_string(getpid()) + "_c.npy");
  std::string const failing = "-np 4 " + program + small + " --out " + file.string() + " --failing 2 --failure ";
  auto waits = std::async(std::launch::async, timed, failing + "stopped");
  expect_end(2, "rank 2: 21_several_gpus: this rank fails", failing + "error");
  expect_end(137, "rank 2 with PID", failing + "killed");
  expect_end(1, "rank 2 did not come to all_gather within 2 s", failing + "stopped --patience 2");
  expect_end(2, "cannot be written", "-np 3 " + program + small + " --out /nowhere/c.npy");
  expect_end(1, "rank 2 did not come to all_gather within 25 s", waits.get());
  CHECK(!std::filesystem::exists(file));
}

TEST_CASE("a rank that stops inside of a collective is named, and all end within 30 s", "[chapter][21]") {
  std::string const four = "-np 4 " + program + extents(100, 90, 150) + " --failing 2 --failure ";
  auto waits = std::async(std::launch::async, timed, four + "stopped --overlap --failing-at 2");
  for (std::string const overlap : {"", " --overlap"}) {
    for (auto const& [scheme, function] : {std::array{"gather", "all_gather"}, {"scatter", "all_to_all"},
                                         {"grid", "broadcast"}}) {
      std::string const options = std::string(" --kernel ") + scheme + overlap;
      expect_end(1, "rank 2 does not answer, and " + std::string(function) + " was not complete within 1 s",
                 four + "stopped --failing-at 1 --patience 1" + options);
      if (overlap.empty()) continue;
      expect_end(2, "rank 2: 21_several_gpus: this rank fails", four + "error --failing-at 2" + options);
      expect_end(137, "rank 2 with PID", four + "killed --failing-at 2" + options);
    }
  }
  // The root of a broadcast has sent, and others wait for ranks that wait for it.
  for (int const at : {2, 3, 4}) {
    expect_end(1, "rank 2 d", four + "stopped --kernel grid --patience 1 --failing-at " + std::to_string(at) +
               (at == 3 ? " --overlap" : ""));
  }
  expect_end(1, "rank 2 does not answer, and all_gather was not complete within 25 s", waits.get());
}

TEST_CASE("a sum begun again, a rank left out, and tiles on other ranks are found", "[chapter][21]") {
  struct Planted {
    char const *ranks, *mutant, *scheme;
  };
  for (auto const& [ranks, mutant, scheme] :
       {Planted{"6", "21_sums_begin_again", "grid"}, {"6", "21_first_rank_left_out", "scatter"},
        {"6", "21_own_term_only", "scatter"}, {"6", "21_place_not_zero", "scatter"},
        {"2", "21_own_term_twice", "scatter"}, {"6", "21_grid_exchanged", "grid --grid 2x3"},
        {"6", "21_part_elsewhere", "gather"}}) {
    Ran const ran = mpirun(std::string("-np ") + ranks + " '" + (bin_folder() / "tests/mutants" / mutant).string() +
                           "' --kernel " + scheme + extents(100, 90, 150));
    INFO(mutant << "\n" << ran.output);
    // Of two ranks' places the wrong one has a part that nobody wrote, which is a hazard, too.
    CHECK(ran.exit_code == (std::string(ranks) == "2" ? 4 : 1));
    CHECK(ran.output.find(": wrong") != std::string::npos);
  }
}

TEST_CASE("a measurement of several devices leaves a record of the scheme and of what it is made of", "[chapter][21]") {
  auto const file = std::filesystem::temp_directory_path() / ("tilestep_21_" + std::to_string(getpid()) + ".json");
  std::string const measured = "-np 2 '" + (bin_folder() / "tests/mutants/21_measured_here").string() + "'";
  std::string const options = " --bench --layout nt --json " + file.string();
  for (std::string const& scheme : schemes) {
    Ran const ran = mpirun(measured + options + " --kernel " + scheme + extents(64, 64, 64));
    INFO(scheme << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(ran.output.find(scheme + " on 2 devices") != std::string::npos);
    CHECK(ran.output.find("right in 256 elements") != std::string::npos);
    std::string const record = bytes_of_file(file);
    for (std::string const words : {"\"kind\": \"several\"", "\"ranks\": 2", "\"serial\": [", "\"overlapped\": [",
                                    "\"communication\": [", "\"product\": [", "\"message_units\": 32",
                                    "\"copy_engines\": false"})
      CHECK(record.find(words) != std::string::npos);
    for (std::string const chunks : {"1", "2", "4", "8"})
      CHECK((record.find("\"overlapped_" + chunks + "\": [") != std::string::npos) == (scheme != "grid"));
    CHECK(std::filesystem::remove(file));
  }
  expect_end(2, "multiples of 16 times the ranks", measured + options + extents(64, 64, 40));
  expect_end(2, "take --layout nt", measured + " --bench --layout nn" + extents(64, 64, 64));
  expect_end(2, "leave out the factors", measured + options + " --beta 1" + extents(64, 64, 64));
  CHECK(!std::filesystem::exists(file));
}
