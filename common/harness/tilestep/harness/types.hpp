#pragma once
// Element types as run-time values, for what is decided by a command line or by a file: names, sizes, roundoff.

#include <tilestep/backend/dtype.hpp>  // DType

#include <cstdint>   // std::int64_t
#include <optional>  // a name may be unknown
#include <string>    // names

namespace tilestep {

/// The name used by --dtype, --acc and --out-dtype.
std::string to_string(DType type);

/// The type with this name, if there is one.
std::optional<DType> dtype_from(std::string const& name);

/// Bytes of one stored element.
std::int64_t bytes_of(DType type);

/// Half the distance from 1 to the next number: 2^-24 for f32. 0 for integers.
double unit_roundoff(DType type);

/// The smallest positive number, 0 for integers.
double smallest_subnormal(DType type);

/// The largest finite number.
double largest(DType type);

/// The number of type `type` nearest to `value`, ties to even. Integers are rounded and clamped to their range; FP8 is
/// clamped, too, as the conversions of GPUs do it: e4m3 has no infinity.
double rounded(DType type, double value);

/// @return a * b, or nothing when it does not fit in 64 bits or a factor is negative.
std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b);

/// Offsets in elements between neighbours of a stack of matrices.
struct Strides {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t batch = 0;
  friend bool operator==(Strides const&, Strides const&) = default;
};

/// Two extents, written RxC on a command line.
struct Extent2 {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  friend bool operator==(Extent2 const&, Extent2 const&) = default;
};

std::string to_string(Extent2 extent);

}  // namespace tilestep
