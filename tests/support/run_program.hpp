#pragma once
// Runs a program of this build as a reader would, and keeps what it said. Programs are found relative to the test's own
// executable, so that a tree built elsewhere can be tested.

#include <array>       // read buffer
#include <cstdio>      // popen
#include <filesystem>  // where this program is
#include <stdexcept>   // a program that cannot be started
#include <string>      // arguments and output
#include <sys/wait.h>  // WEXITSTATUS

namespace tilestep::test {

struct Ran {
  int exit_code = -1;  ///< 128 + signal where the program was killed
  std::string output;  ///< standard output and standard error together
};

/// The folder of chapter programs: bin, beside which lies bin/tests with this program.
inline std::filesystem::path bin_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

/// @param program  relative to bin, such as 04_fma_gemm or tests/mutants/NAME
/// @param arguments as typed in a shell
inline Ran run_program(std::string const& program, std::string const& arguments) {
  std::string const command = "'" + (bin_folder() / program).string() + "' " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  Ran ran;
  std::array<char, 4096> buffer;
  while (std::size_t const got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    ran.output.append(buffer.data(), got);
  int const status = pclose(pipe);
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

}  // namespace tilestep::test
