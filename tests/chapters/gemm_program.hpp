#pragma once
// What the tests of the chapters' GEMM programs have in common: targets, types, layouts, and what a
// run must give.

#include "../support/file_bytes.hpp"   // bytes_of_file
#include "../support/run_program.hpp"  // run_program

#include <catch2/catch_test_macros.hpp>  // CHECK, REQUIRE

#include <cstdlib>     // std::atoi
#include <filesystem>  // a file to write to
#include <fstream>     // its bytes
#include <functional>  // what is checked
#include <string>      // command lines
#include <vector>      // tables
#include <unistd.h>    // getpid

namespace tilestep::test {

/// The chapter whose program is tested: each test program says which.
extern char const* const chapter;

inline std::vector<std::string> const targets{"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
inline std::vector<std::string> const layouts{"nn", "nt", "tn", "tt"};
inline bool is_nvidia(std::string const& target) { return target.starts_with("sm"); }

/// Types that a target may compute in.
struct Types {
  std::string options;
  bool nvidia_only;
  /// The exit code on a target: 3 where it has no instruction for them.
  int code_on(std::string const& target) const { return nvidia_only && !is_nvidia(target) ? 3 : 0; }
};
inline std::vector<Types> const every_type{{"--dtype f16", false},
                                           {"--dtype f16 --out-dtype f16", false},
                                           {"--dtype f16 --acc f16", true},
                                           {"--dtype bf16", false},
                                           {"--dtype bf16 --out-dtype bf16", false},
                                           {"--dtype tf32", true},
                                           {"--dtype i8", false},
                                           {"--dtype f32", false}};

/// FP8, and the exit code on a target: 3 where it has no instruction for it.
inline std::vector<std::string> const fp8_types{"--dtype e4m3", "--dtype e4m3 --out-dtype bf16", "--dtype e5m2",
                                                "--dtype e5m2 --out-dtype bf16"};
inline int fp8_code_on(std::string const& target) { return target == "sm90" || target == "gfx1201" ? 0 : 3; }

/// Those of chapters 06 to 15.
inline std::vector<Types> const way_types{{"--dtype f16", false}, {"--dtype f32", false}};

inline Ran run(std::string const& options) { return run_program(chapter, options); }

/// The program ends with this code and says these words.
inline void expect(int exit_code, std::string const& options, std::string const& words = "") {
  Ran const ran = run(options);
  INFO(options << "\n" << ran.output);
  CHECK(ran.exit_code == exit_code);
  CHECK(ran.output.find(words) != std::string::npos);
}

/// Runs that one process makes, a line of options each (--each): starting a program takes longer than a small problem.
/// They are made and checked where the batch ends.
class Batch {
 public:
  using Check = std::function<void(Ran const&)>;

  Batch() = default;
  Batch(Batch const&) = delete;

  /// @param options without quotes: words end at spaces
  void run(std::string const& options, Check check) { runs_.push_back({options, std::move(check)}); }

  /// A run ends with this code and says these words.
  void expect(int exit_code, std::string const& options, std::string const& words = "") {
    run(options, [exit_code, words](Ran const& ran) {
      CHECK(ran.exit_code == exit_code);
      CHECK(ran.output.find(words) != std::string::npos);
    });
  }

  /// A problem is right, and C has the same bytes with each of these options.
  void expect_same_bytes(std::string const& problem, std::vector<std::string> const& options) {
    std::string const first = file("_" + std::to_string(runs_.size()) + ".npy");
    expect(0, problem + " --out " + first);
    for (std::string const& more : options) {
      std::string const other = file("_" + std::to_string(runs_.size()) + ".npy");
      run(problem + " " + more + " --out " + other, [first, other](Ran const& ran) {
        CHECK(ran.exit_code == 0);
        CHECK(!bytes_of_file(other).empty());
        CHECK((bytes_of_file(other) == bytes_of_file(first)));
        std::filesystem::remove(other);
      });
    }
    files_.push_back(first);
  }

  ~Batch() {
    std::string const list = file(".txt");
    std::ofstream lines(list);
    for (auto const& [options, check] : runs_) lines << options << "\n";
    lines.close();
    auto const [process_code, output] = test::run("--each " + list);
    std::filesystem::remove(list);
    std::size_t at = 0;
    int first_code = 0;  // of the runs that did not end with 0; it is what the process ends with, unless it crashed
    for (auto const& [options, check] : runs_) {
      std::string const title = "$ " + std::string(chapter) + " " + options + "\n";
      std::size_t const begin = output.find(title, at);
      if (begin == std::string::npos) {
        FAIL_CHECK("no run of: " << options << "\n" << output.substr(at));
        break;
      }
      at = begin + title.size();
      Ran ran{0, output.substr(at, output.find("\n$ ", at) - at)};
      if (auto const code = ran.output.rfind("[exit code "); code != std::string::npos)
        ran.exit_code = std::atoi(ran.output.c_str() + code + 11);
      if (first_code == 0) first_code = ran.exit_code;
      INFO(options << "\n" << ran.output);
      check(ran);
    }
    if (!runs_.empty()) CHECK(process_code == first_code);
    for (std::string const& each : files_) std::filesystem::remove(each);
  }

 private:
  struct Run {
    std::string options;
    Check check;
  };

  /// A file of this process and this batch.
  std::string file(std::string const& end) const {
    auto const name = std::string("tilestep_") + chapter + "_" + std::to_string(getpid()) + end;
    return (std::filesystem::temp_directory_path() / name).string();
  }

  std::vector<Run> runs_;
  std::vector<std::string> files_;
};

/// A counter in what a program says of its one kernel.
inline long counter(std::string const& output, std::string const& name) {
  auto const line = output.find("  " + name + "  ");
  REQUIRE(line != std::string::npos);
  std::string digits = output.substr(line + name.size() + 2, output.find('\n', line) - line - name.size() - 2);
  std::erase(digits, ',');
  return std::stol(digits);
}

inline Ran run_mutant(std::string const& name, std::string const& options) {
  return run_program("tests/mutants/" + name, options);
}

/// A mutant ends with one of the codes that a found bug may have: 1 wrong, 4 hazard.
inline bool is_caught(std::string const& mutant, std::string const& options) {
  Ran const ran = run_mutant(mutant, options);
  UNSCOPED_INFO(ran.output);
  return ran.exit_code == 1 || ran.exit_code == 4;
}

/// The virtual GPU stops a mutant with a hazard that is called `words`.
inline void expect_hazard(std::string const& words, std::string const& mutant, std::string const& options) {
  Ran const ran = run_mutant(mutant, options);
  INFO(options << "\n" << ran.output);
  CHECK(ran.exit_code == 4);
  CHECK(ran.output.find(words) != std::string::npos);
}

/// The program says these words of its plan, and computes nothing.
inline void expect_plan(std::string const& words, std::string const& options) {
  Ran const ran = run("--plan " + options);
  INFO(options << "\n" << ran.output);
  CHECK(ran.exit_code == 0);
  CHECK(ran.output.find(words) != std::string::npos);
  CHECK(ran.output.find("verdict") == std::string::npos);
}

}  // namespace tilestep::test
