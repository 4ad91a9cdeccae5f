#pragma once
// NumPy's .npy files in and out. An array is read as what it means, whatever its memory order or byte order, into
// packed C order. Everything that is not a plain 2-D or 3-D array of a known type is refused with one sentence.

#include <tilestep/harness/types.hpp>  // DType

#include <cstdint>   // std::int64_t
#include <optional>  // what bytes stand for, if for anything
#include <string>    // paths
#include <vector>    // shape, data

namespace tilestep {

/// What a file's header says.
struct NpyHeader {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  bool fortran_order = false;
  bool big_endian = false;
  std::int64_t data_offset = 0;  ///< bytes before the first element

  /// Number of elements; reading the header has made sure that it fits.
  [[nodiscard]] std::int64_t size() const;
};

/// An array in packed C order, in the machine's byte order.
struct NpyArray {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::vector<unsigned char> data;
};

/// What unsigned integers of a file stand for: types that NumPy does not have.
struct NpyBits {
  bool bf16 = false;         ///< those of 16 bits are bfloat16; otherwise they are refused
  std::optional<DType> fp8;  ///< those of 8 bits are e4m3 or e5m2; otherwise they are refused
};

/// Reads and checks a header, and that the file is exactly as long as the header says.
/// @param bits    what unsigned integers stand for
/// @param vector  the array has one dimension, instead of two or three
/// @par Errors  bad_input: one sentence with the file's name.
NpyHeader read_npy_header(std::string const& path, NpyBits const& bits = {}, bool vector = false);

/// Reads a whole array.
NpyArray read_npy(std::string const& path, NpyBits const& bits = {}, bool vector = false);

/// Writes an array in C order under a temporary name and renames it, so that `path` is either whole or untouched.
/// bf16 is written as u2, FP8 as u1.
void write_npy(std::string const& path, NpyArray const& array);

/// Fails now rather than after a long run when `path` could not be written.
/// @par Errors  bad_input
void require_writable(std::string const& path);

/// Do both paths lead to one file, however they are spelt? An empty path leads nowhere.
bool same_file(std::string const& one, std::string const& other);

/// Writes text as write_npy writes arrays: under a temporary name, then renamed.
void write_text(std::string const& path, std::string const& text);

}  // namespace tilestep
