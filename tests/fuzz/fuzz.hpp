#pragma once
// What the fuzzers of the harness's parsers have in common. A parser takes any bytes, or refuses them with a sentence
// and exit code 2 or 3; a crash, a sanitizer's report or another exception is a finding.

#include <tilestep/backend/error.hpp>           // Error
#include <tilestep/harness/command_line.hpp>    // CommandLine
#include <tilestep/harness/gemm_chapter.hpp>    // GemmChapter

#include <sys/mman.h>  // memfd_create
#include <unistd.h>    // write, close

#include <cstdint>   // std::uint8_t
#include <cstdlib>   // std::abort
#include <iostream>  // std::cout
#include <string>    // sentences

namespace fuzz {

/// Runs a parser. What it throws must be a refusal, on one line and of a length that can be read.
template <class Body>
void refused_or_taken(Body const& body) {
  try {
    body();
  } catch (tilestep::Error const& error) {
    bool const code = error.code() == tilestep::Exit::bad_input || error.code() == tilestep::Exit::not_here;
    if (!code || std::string(error.what()).empty()) std::abort();
  }
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
inline void silence() { std::cout.setstate(std::ios::failbit); }

}  // namespace fuzz
