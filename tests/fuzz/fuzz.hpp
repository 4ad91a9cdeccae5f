#pragma once
// What the fuzzers of the harness's parsers have in common. A parser takes any bytes, or refuses them: then the program
// ends with exit code 2 or 3 and says one sentence on one line. A crash, a sanitizer's report, another exception or
// another answer is a finding.

#include <tilestep/backend/error.hpp>           // Error
#include <tilestep/harness/command_line.hpp>    // CommandLine
#include <tilestep/harness/gemm_chapter.hpp>    // GemmChapter
#include <tilestep/harness/program.hpp>         // run_main

#include <sys/mman.h>  // memfd_create
#include <unistd.h>    // write, close

#include <cstdint>    // std::uint8_t
#include <cstdio>     // stderr, open_memstream
#include <cstdlib>    // std::abort
#include <iostream>   // std::cout
#include <streambuf>  // where std::cout goes
#include <string>     // sentences

namespace fuzz {

inline int taken = 0, refused = 0;  ///< inputs of one process

constexpr std::size_t longest_sentence = 2200;  ///< what run_main() leaves of it, and the program's name

/// Runs a parser as a program runs it. What it says on stderr must be nothing, or a refusal on one line.
template <class Body>
void refused_or_taken(Body const& body) {
  char name[] = "fuzzed", *argv[]{name, nullptr}, *bytes = nullptr;
  std::size_t size = 0;
  std::FILE* const outside = stderr;
  stderr = open_memstream(&bytes, &size);
  int const code = tilestep::run_main(1, argv, [&](int, char**) {
    try {
      body();
    } catch (tilestep::Error const&) {
      throw;
    } catch (...) {
      std::abort();
    }
    return tilestep::Exit::right;
  });
  std::fclose(stderr);
  stderr = outside;
  std::string const said(bytes, size);
  std::free(bytes);
  if (code == 0) {
    if (!said.empty()) std::abort();
    ++taken;
    return;
  }
  ++refused;
  bool const has_code = code == int(tilestep::Exit::bad_input) || code == int(tilestep::Exit::not_here);
  bool const is_sentence = said.starts_with("fuzzed: ") && said.size() > 10 && said.size() < longest_sentence;
  if (!has_code || !is_sentence || said.find('\n') != said.size() - 1) std::abort();
}

/// A file in memory with these bytes, which has a path.
class File {
 public:
  File(std::uint8_t const* data, std::size_t size) : descriptor_(memfd_create("input", 0)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~File() { close(descriptor_); }
  File(File const&) = delete;
  File& operator=(File const&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// A chapter that has everything a command line can say.
inline tilestep::GemmChapter chapter() {
  using tilestep::DType;
  tilestep::GemmChapter chapter;
  chapter.name = "42_fuzzed";
  chapter.adds = "nothing";
  chapter.types = {{DType::f32, DType::f32, DType::f32},    {DType::f16, DType::f32, DType::f32},
                   {DType::f16, DType::f32, DType::f16},    {DType::f16, DType::f16, DType::f16, {"sm80"}},
                   {DType::bf16, DType::f32, DType::bf16},  {DType::tf32, DType::f32, DType::f32, {"sm80"}},
                   {DType::i8, DType::i32, DType::i32},     {DType::f64, DType::f64, DType::f64}};
  chapter.kernels = {"slow", "fast"};
  chapter.epilogues = chapter.schedules = true;
  return chapter;
}

/// Nobody reads what --help prints.
inline void silence() {
  struct Nowhere : std::streambuf {
    int overflow(int each) override { return traits_type::not_eof(each); }
    std::streamsize xsputn(char const*, std::streamsize count) override { return count; }
  };
  static auto* const nowhere = new Nowhere;  // std::cout flushes it when the process ends
  std::cout.rdbuf(nowhere);
}

}  // namespace fuzz
