// Gives the files of folders to a fuzzer's parser, one after the other, without libFuzzer: what fuzzing found once is
// tried wherever the tests run. A finding aborts. Some files must be taken and some refused.

#include "fuzz.hpp"  // taken, refused

#include <algorithm>   // std::sort
#include <filesystem>  // the folders
#include <fstream>     // their files
#include <iterator>    // all bytes
#include <vector>      // files

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    std::vector<std::filesystem::path> paths{std::filesystem::directory_iterator(argv[i]), {}};
    std::sort(paths.begin(), paths.end());
    for (auto const& path : paths) {
      std::ifstream in(path, std::ios::binary);
      std::string const bytes{std::istreambuf_iterator<char>(in), {}};
      std::fprintf(stderr, "%s\n", path.c_str());  // the last one is where it ended
      LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
      ++files;
    }
  }
  std::fprintf(stderr, "%d files, %d inputs taken, %d refused\n", files, fuzz::taken, fuzz::refused);
  return fuzz::taken > 0 && fuzz::refused > 0 ? 0 : 1;
}
