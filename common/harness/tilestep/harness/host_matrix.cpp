#include <tilestep/harness/host_matrix.hpp>

#include <tilestep/backend/error.hpp>  // bad_input
#include <tilestep/atom/float8.hpp>    // float_e4m3_t, float_e5m2_t
#include <tilestep/atom/half.hpp>      // half_t, bfloat16_t

#include "parallel.hpp"

#include <fmt/format.h>

#include <algorithm>  // std::min
#include <cmath>      // std::log, std::cos
#include <cstring>    // std::memcpy
#include <numbers>    // std::numbers::pi
#include <optional>   // checked arithmetic

namespace tilestep {

namespace {

// Calls `body` with a value of the type that stores `type`.
template <class Body>
void with_storage(DType type, Body const& body) {
  switch (type) {
    case DType::f32:
    case DType::tf32:
      return body(float{});
    case DType::f16:
      return body(half_t{});
    case DType::bf16:
      return body(bfloat16_t{});
    case DType::i8:
      return body(std::int8_t{});
    case DType::i32:
      return body(std::int32_t{});
    case DType::f64:
      return body(double{});
    case DType::u8:
      return body(std::uint8_t{});
    case DType::e4m3:
      return body(float_e4m3_t{});
    case DType::e5m2:
      return body(float_e5m2_t{});
    case DType::i4:
    case DType::u4:
    case DType::u1:
      break;  // operands of atoms alone: no matrix holds them
  }
}

template <class T>
double load_as(unsigned char const* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value));
}

// `value` is a number of the type already: rounding happens before, once.
template <class T>
void store_as(unsigned char* to, double value) {
  T result;
  if constexpr (std::is_arithmetic_v<T>)
    result = static_cast<T>(value);
  else
    result = T(static_cast<float>(value));
  std::memcpy(to, &result, sizeof result);
}

std::uint64_t poison_of(DType type) {
  switch (type) {
    case DType::f32:
    case DType::tf32:
      return 0x7fc5a5a5u;  // NaN
    case DType::f16:
      return 0x7e5au;  // NaN
    case DType::bf16:
      return 0x7fe5u;  // NaN
    case DType::i8:
      return 0x81u;  // -127
    case DType::i32:
      return 0x8badf00du;
    case DType::f64:
      return 0x7ff8a5a5a5a5a5a5u;  // NaN
    case DType::u8:
      return 0xa5u;
    case DType::e4m3:
      return 0xffu;  // NaN
    case DType::e5m2:
      return 0x7du;  // NaN
    case DType::i4:
    case DType::u4:
    case DType::u1:
      break;
  }
  return 0;
}

// A good mixer of 64 bits: splitmix64's finaliser (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators").
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// In (0, 1), never either end.
double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

}  // namespace

std::int64_t MatrixPlace::span() const {
  if (rows == 0 || cols == 0 || batch == 0) return 0;
  std::int64_t result = 1;
  for (auto const& [extent, stride] : {std::pair{rows, strides.row}, {cols, strides.col}, {batch, strides.batch}}) {
    auto const reach = checked_product(extent - 1, stride);
    if (!reach || __builtin_add_overflow(result, *reach, &result)) result = -1;
    if (result < 0) break;
  }
  // Twice the bytes, so that sums of a few sizes stay in range too.
  if (result < 0 || !checked_product(result, 16 * bytes_of(type))) {
    bad_input(fmt::format("a {} x {} matrix of {} (batch {}) has more bytes than 64 bits can count", rows, cols,
                          to_string(type), batch));
  }
  return result;
}

HostMatrix::HostMatrix(MatrixPlace const& place, std::int64_t guard_bytes) : place_(place), guard_bytes_(guard_bytes) {
  image_.resize(static_cast<std::size_t>(place.span_bytes() + 2 * guard_bytes));
  std::uint64_t const poison = poison_of(place.type);  // little endian: its first bytes are those of a narrow type
  auto const bytes = static_cast<std::size_t>(bytes_of(place.type));
  for (std::size_t at = 0; at < image_.size(); at += bytes) std::memcpy(&image_[at], &poison, bytes);
}

double HostMatrix::get(std::int64_t row, std::int64_t col, std::int64_t batch) const {
  double result = 0;
  read(&result, offset(row, col, batch), 0, 1);
  return result;
}

void HostMatrix::set(std::int64_t row, std::int64_t col, std::int64_t batch, double value) {
  DType const type = place_.type == DType::tf32 ? DType::f32 : place_.type;  // tf32 is rounded by the kernel
  double const number = rounded(type, value);
  unsigned char* const to = elements() + offset(row, col, batch) * bytes_of(type);
  with_storage(type, [&](auto zero) { store_as<decltype(zero)>(to, number); });
}

void HostMatrix::read(double* to, std::int64_t first, std::int64_t step, std::int64_t count) const {
  unsigned char const* const from = elements();
  with_storage(place_.type, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = load_as<T>(from + (first + i * step) * static_cast<std::int64_t>(sizeof(T)));
    }
  });
}

void HostMatrix::read_along_row(double* to, std::int64_t row, std::int64_t col, std::int64_t batch,
                                std::int64_t count) const {
  read(to, offset(row, col, batch), place_.strides.col, count);
}

void HostMatrix::read_down_column(double* to, std::int64_t row, std::int64_t col, std::int64_t batch,
                                  std::int64_t count) const {
  read(to, offset(row, col, batch), place_.strides.row, count);
}

void HostMatrix::set_packed(std::vector<unsigned char> const& data, bool transposed) {
  std::int64_t const bytes = bytes_of(place_.type);
  std::int64_t const matrix = place_.rows * place_.cols * bytes;
  bool const repeat = static_cast<std::int64_t>(data.size()) == matrix;
  std::int64_t const copies = place_.strides.batch == 0 ? std::min<std::int64_t>(place_.batch, 1) : place_.batch;
  parallel_for(copies * place_.rows, [&](std::int64_t i) {
    std::int64_t const batch = i / place_.rows, row = i % place_.rows;
    unsigned char const* const from = data.data() + (repeat ? 0 : batch * matrix);
    for (std::int64_t col = 0; col < place_.cols; ++col) {
      std::int64_t const at = transposed ? col * place_.rows + row : row * place_.cols + col;
      std::memcpy(elements() + offset(row, col, batch) * bytes, from + at * bytes, static_cast<std::size_t>(bytes));
    }
  });
}

std::vector<unsigned char> HostMatrix::packed() const {
  std::int64_t const bytes = bytes_of(place_.type);
  std::vector<unsigned char> result(static_cast<std::size_t>(place_.batch * place_.rows * place_.cols * bytes));
  parallel_for(place_.batch * place_.rows, [&](std::int64_t i) {
    unsigned char* to = result.data() + i * place_.cols * bytes;
    for (std::int64_t col = 0; col < place_.cols; ++col, to += bytes) {
      std::memcpy(to, elements() + offset(i % place_.rows, col, i / place_.rows) * bytes,
                  static_cast<std::size_t>(bytes));
    }
  });
  return result;
}

std::string HostMatrix::changed_outside(HostMatrix const& before) const {
  std::int64_t const bytes = bytes_of(place_.type);
  std::int64_t from = 0;  // everything before this byte has been compared or is an element
  auto const differs = [&](std::int64_t end) {
    return end > from &&
           std::memcmp(&image_[static_cast<std::size_t>(from)], &before.image_[static_cast<std::size_t>(from)],
                       static_cast<std::size_t>(end - from)) != 0;
  };
  if (place_.span() > 0) {
    for (std::int64_t batch = 0; batch < place_.batch; ++batch) {
      for (std::int64_t row = 0; row < place_.rows; ++row) {
        std::int64_t const start = guard_bytes_ + offset(row, 0, batch) * bytes;
        if (differs(start)) {
          return row + batch == 0
                     ? "memory before the first element was overwritten"
                     : fmt::format("memory between rows was overwritten, before row {} of matrix {}", row, batch);
        }
        from = start + place_.cols * bytes;
      }
    }
  }
  return differs(static_cast<std::int64_t>(image_.size())) ? "memory after the last element was overwritten" : "";
}

void HostMatrix::fill_integers(std::uint64_t seed, std::uint64_t salt, std::int64_t largest, double density) {
  std::uint64_t const start = mixed(seed ^ mixed(salt));
  auto const values = static_cast<std::uint64_t>(2 * largest + 1);
  parallel_for(place_.batch * place_.rows, [&](std::int64_t i) {
    for (std::int64_t col = 0; col < place_.cols; ++col) {
      std::uint64_t const bits = mixed(start + static_cast<std::uint64_t>(i * place_.cols + col));
      bool const drawn = density >= 1 || uniform(mixed(bits)) < density;
      set(i % place_.rows, col, i / place_.rows,
          drawn ? static_cast<double>(static_cast<std::int64_t>((bits >> 20) % values) - largest) : 0.0);
    }
  });
}

void HostMatrix::fill_normals(std::uint64_t seed, std::uint64_t salt) {
  std::uint64_t const start = mixed(seed ^ mixed(salt));
  double const scale = is_integer(place_.type) ? 32 : 1;
  parallel_for(place_.batch * place_.rows, [&](std::int64_t i) {
    for (std::int64_t col = 0; col < place_.cols; ++col) {
      std::uint64_t const bits = mixed(start + static_cast<std::uint64_t>(i * place_.cols + col));
      // Box and Muller: two uniform numbers give one normal number.
      double const radius = std::sqrt(-2 * std::log(uniform(bits)));
      set(i % place_.rows, col, i / place_.rows,
          scale * radius * std::cos(2 * std::numbers::pi * uniform(mixed(bits))));
    }
  });
}

}  // namespace tilestep
