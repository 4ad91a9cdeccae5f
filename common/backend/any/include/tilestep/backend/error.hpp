#pragma once
// Errors that end a program, each with the exit code a caller can rely on. Code throws; main() prints the sentence and
// exits.

#include <stdexcept>  // std::runtime_error
#include <string>     // the sentence

namespace tilestep {

/// What a program's exit status says. A hazard beats a wrong result.
enum class Exit : int {
  right = 0,      ///< the result is right
  wrong = 1,      ///< the result is wrong
  bad_input = 2,  ///< bad arguments or input file
  not_here = 3,   ///< known, but not on this machine or target
  hazard = 4,     ///< the virtual GPU found a hazard
};

/// One sentence that says what was wrong and what would be right, with the exit code.
class Error : public std::runtime_error {
 public:
  Error(Exit code, std::string const& sentence) : std::runtime_error(sentence), code_(code) {}
  [[nodiscard]] Exit code() const { return code_; }

 private:
  Exit code_;
};

/// Throws an Error with Exit::bad_input.
[[noreturn]] inline void bad_input(std::string const& sentence) { throw Error(Exit::bad_input, sentence); }

/// Throws an Error with Exit::not_here.
[[noreturn]] inline void not_here(std::string const& sentence) { throw Error(Exit::not_here, sentence); }

}  // namespace tilestep
