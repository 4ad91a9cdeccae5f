#pragma once
// A file as a string of bytes.

#include <filesystem>  // its path
#include <fstream>     // its bytes
#include <sstream>     // all of them
#include <string>      // together

namespace tilestep::test {

/// @return nothing where there is no such file
inline std::string bytes_of_file(std::filesystem::path const& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();  // at once: tests are compiled without optimisation
  return bytes.str();
}

}  // namespace tilestep::test
