#pragma once
// A stack of matrices in host memory, exactly as it will lie in device memory: element type, strides, and poison
// wherever no element lies: in the gaps that a leading dimension leaves and in guard bands around the whole. Poison is
// NaN (a fixed pattern for integers), so a kernel that reads it gives a wrong result and a kernel that writes it is
// found out.

#include <tilestep/harness/types.hpp>  // DType, Strides

#include <cstdint>  // std::int64_t
#include <string>   // descriptions
#include <vector>   // storage

namespace tilestep {

/// How a stack of matrices lies in memory.
struct MatrixPlace {
  DType type = DType::f32;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t batch = 1;
  Strides strides;  ///< offsets between neighbours, in elements

  /// Elements from the first to one past the last; 0 for an empty stack.
  /// @par Errors  bad_input when that many bytes cannot be counted in 64 bits.
  [[nodiscard]] std::int64_t span() const;
  [[nodiscard]] std::int64_t span_bytes() const { return span() * bytes_of(type); }
};

class HostMatrix {
 public:
  /// Everything is poison at first.
  /// @param guard_bytes  width of the guard band on each side, a multiple of the element size
  explicit HostMatrix(MatrixPlace const& place, std::int64_t guard_bytes = 0);

  [[nodiscard]] MatrixPlace const& place() const { return place_; }
  [[nodiscard]] double get(std::int64_t row, std::int64_t col, std::int64_t batch) const;

  /// Stores `value`, rounded to the element type.
  void set(std::int64_t row, std::int64_t col, std::int64_t batch, double value);

  /// Reads `count` elements into `to`: along a row, or down a column.
  void read_along_row(double* to, std::int64_t row, std::int64_t col, std::int64_t batch, std::int64_t count) const;
  void read_down_column(double* to, std::int64_t row, std::int64_t col, std::int64_t batch, std::int64_t count) const;

  /// Sets every element from packed C-order data of the same type, (batch, rows, cols), or (batch, cols, rows) when
  /// `transposed`; a batch of one is repeated.
  void set_packed(std::vector<unsigned char> const& data, bool transposed);

  /// The elements in packed C order (batch, rows, cols).
  [[nodiscard]] std::vector<unsigned char> packed() const;

  /// Guard band, elements with gaps, guard band.
  [[nodiscard]] std::vector<unsigned char>& image() { return image_; }
  [[nodiscard]] std::vector<unsigned char> const& image() const { return image_; }
  [[nodiscard]] std::int64_t guard_bytes() const { return guard_bytes_; }

  /// Compares everything that is not an element with `before`, byte by byte.
  /// @pre place().strides.col == 1
  /// @return "" when it is unchanged, otherwise where it is not.
  [[nodiscard]] std::string changed_outside(HostMatrix const& before) const;

  /// Fills with whole numbers in [-largest, largest]; a share of `density` is drawn, the rest is 0. Element (row, col,
  /// batch) depends on the seed, the salt and its coordinate alone.
  void fill_integers(std::uint64_t seed, std::uint64_t salt, std::int64_t largest, double density = 1);

  /// Fills with normally distributed numbers of mean 0 and deviation 1, rounded to the type; integers are scaled by 32.
  void fill_normals(std::uint64_t seed, std::uint64_t salt);

 private:
  [[nodiscard]] std::int64_t offset(std::int64_t row, std::int64_t col, std::int64_t batch) const {
    return row * place_.strides.row + col * place_.strides.col + batch * place_.strides.batch;
  }
  [[nodiscard]] unsigned char* elements() { return image_.data() + guard_bytes_; }
  [[nodiscard]] unsigned char const* elements() const { return image_.data() + guard_bytes_; }
  void read(double* to, std::int64_t first, std::int64_t step, std::int64_t count) const;

  MatrixPlace place_;
  std::int64_t guard_bytes_;
  std::vector<unsigned char> image_;
};

}  // namespace tilestep
