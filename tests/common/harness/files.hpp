#pragma once
// A folder of a test's own, and files as strings of bytes.

#include "../../support/file_bytes.hpp"  // bytes_of_file

#include <filesystem>  // folders
#include <fstream>     // files
#include <string>      // bytes

#include <unistd.h>  // getpid

namespace harness_test {

/// An empty folder that vanishes with its object.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("tilestep_test_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;

  [[nodiscard]] std::string operator/(std::string const& name) const { return (path_ / name).string(); }
  /// Number of files in it.
  [[nodiscard]] int count() const {
    return static_cast<int>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

using tilestep::test::bytes_of_file;

inline std::string write_bytes(std::string const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace harness_test
