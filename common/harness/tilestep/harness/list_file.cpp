#include "list_file.hpp"

#include <tilestep/backend/error.hpp>  // bad_input

#include <fmt/format.h>

#include <filesystem>  // folders
#include <iostream>    // std::cin

namespace tilestep {

namespace {
constexpr std::size_t longest_line = 1 << 16;
}

ListFile::ListFile(std::string const& option, std::string const& path)
    : name_(option + " " + path), in_(path == "-" ? std::cin : file_) {
  if (path == "-") return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) bad_input(name_ + ": is a folder, not a file of lines");
  file_.open(path);
  if (!file_) bad_input(name_ + ": the file cannot be read");
}

bool ListFile::next(std::string& line) {
  line.clear();
  for (int each = in_.get(); each != std::istream::traits_type::eof(); each = in_.get()) {
    if (each == '\n') return true;
    if (each == '\0') bad_input(name_ + ": is no text: it holds a zero byte");
    if (line.size() == longest_line)
      bad_input(fmt::format("{}: has a line of more than {} KiB", name_, longest_line / 1024));
    line += static_cast<char>(each);
  }
  if (in_.bad()) bad_input(name_ + ": the file cannot be read to its end");
  return !line.empty();
}

}  // namespace tilestep
