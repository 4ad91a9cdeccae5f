#pragma once
// One command line for every chapter: the options all of them have, the chapter's own, and refusals that say which
// chapter adds what is missing. The parser itself lives in the .cpp, so that a kernel's compiler never sees it.

#include <tilestep/harness/types.hpp>  // Extent2

#include <cstdint>  // std::int64_t, std::uint64_t
#include <iosfwd>   // std::ostream
#include <memory>   // std::unique_ptr
#include <string>   // names, values
#include <vector>   // choices

namespace tilestep {

/// Options that every chapter accepts.
struct CommonOptions {
  std::string target;                 ///< --target: empty means the backend's default
  std::string machine;                ///< --machine: empty means the one that stands for the target
  std::uint64_t seed = 1;             ///< --seed: generated inputs depend on nothing else
  std::string schedule = "in-order";  ///< --schedule: in-order, reverse or random:SEED
  bool check = true;                  ///< --check: the virtual GPU's hazard checks
  std::string json;                   ///< --json: a file, or - for standard output
  std::string svg;                    ///< --svg: folder for the chapter's pictures
  bool list = false;                  ///< --list: print the support matrix
};

/// The three numbers of a swizzle, written B,M,S on a command line.
struct SwizzleNumbers {
  int bits = 0;
  int base = 0;
  int shift = 0;
};

/// Declares options, then parses them. Every add() binds an option to a variable whose value is the default.
class CommandLine {
 public:
  /// @param chapter  the program's name, such as 03_copy_if
  /// @param adds     what the chapter adds, one line for --help
  CommandLine(std::string chapter, std::string const& adds);
  ~CommandLine();
  CommandLine(CommandLine const&) = delete;
  CommandLine& operator=(CommandLine const&) = delete;

  CommandLine& add(std::string const& option, std::int64_t& value, std::string const& help);
  CommandLine& add(std::string const& option, double& value, std::string const& help);
  CommandLine& add(std::string const& option, std::string& value, std::string const& help);
  CommandLine& add(std::string const& option, bool& value, std::string const& help);            ///< present means true
  CommandLine& add(std::string const& option, Extent2& value, std::string const& help);         ///< RxC
  CommandLine& add(std::string const& option, SwizzleNumbers& value, std::string const& help);  ///< B,M,S
  CommandLine& add(std::string const& option, std::string& value, std::vector<std::string> const& choices,
                   std::string const& help);

  /// Adds --svg, for chapters that draw.
  CommandLine& add_svg();

  /// Reads the arguments.
  /// @return false when --help was printed and there is nothing to run.
  /// @par Errors  bad_input: an unknown option, a value that is not what the option takes, an option of a later
  /// chapter.
  [[nodiscard]] bool parse(int argc, char const* const* argv);

  [[nodiscard]] bool given(std::string const& option) const;
  [[nodiscard]] CommonOptions const& common() const;
  [[nodiscard]] std::string const& chapter() const;

  /// Where a person reads: standard output, or nowhere when --json - has taken it.
  [[nodiscard]] std::ostream& out() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// @par Errors  bad_input, with the option's name, when `value` is negative.
void require_not_negative(std::string const& option, std::int64_t value);

}  // namespace tilestep
