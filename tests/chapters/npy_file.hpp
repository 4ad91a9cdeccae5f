#pragma once
// Operands that a test chooses, element by element, as files for --a, --b and --c.

#include <tilestep/harness/npy.hpp>  // NpyArray, read_npy, write_npy

#include <cstdint>  // extents
#include <cstring>  // std::memcpy
#include <string>   // paths
#include <vector>   // elements

namespace tilestep::test {

/// Writes a file of numbers. @return its path
template <class T>
std::string file_of(std::string const& path, DType type, std::vector<std::int64_t> const& shape,
                    std::vector<T> const& values) {
  NpyArray array{type, shape, std::vector<unsigned char>(values.size() * sizeof(T))};
  std::memcpy(array.data.data(), values.data(), array.data.size());
  write_npy(path, array);
  return path;
}

/// The elements of a file. @tparam T  as wide as they are
template <class T>
std::vector<T> elements_of(std::string const& path) {
  NpyArray const array = read_npy(path);
  std::vector<T> values(array.data.size() / sizeof(T));
  std::memcpy(values.data(), array.data.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace tilestep::test
