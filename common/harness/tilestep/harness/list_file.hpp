#pragma once
// Files of lines that people write: problems to measure, options to run. A line is short, so a file that is none, or
// never ends, is refused before memory is.

#include <fstream>  // files
#include <istream>  // lines
#include <string>   // lines

namespace tilestep {

/// A file, or with - standard input, line by line.
class ListFile {
 public:
  /// @param option  that names the file, for messages
  /// @par Errors  bad_input: there is no such file, or it is a folder
  ListFile(std::string const& option, std::string const& path);

  /// Reads the next line, without the end of line.
  /// @return false at the end of the file
  /// @par Errors  bad_input: a line of more than 64 KiB, or with a zero byte: the file is no text
  bool next(std::string& line);

 private:
  std::string name_;
  std::ifstream file_;
  std::istream& in_;
};

}  // namespace tilestep
