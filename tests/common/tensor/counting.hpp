#pragma once
// A tensor whose element is its own offset: what a partition touches can be read off it.

#include <tilestep/tensor.hpp>  // make_tensor

#include <algorithm>  // std::sort
#include <cstdint>    // std::int64_t
#include <vector>     // offsets

namespace tensor_test {

using namespace tilestep;

/// An iterator over the integers.
struct Offsets {
  using value_type = std::int64_t;
  std::int64_t base = 0;
  constexpr Offsets operator+(std::int64_t i) const { return {base + i}; }
  constexpr std::int64_t operator[](std::int64_t i) const { return base + i; }
  constexpr std::int64_t operator*() const { return base; }
};

template <class L>
constexpr auto counting(L const& layout) { return make_tensor(Offsets{}, layout); }

/// Every element of a tensor, first mode fastest.
template <class T>
std::vector<std::int64_t> elements(T const& tensor) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < std::int64_t(size(tensor)); ++i) all.push_back(std::int64_t(tensor(i)));
  return all;
}

inline std::vector<std::int64_t> sorted(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace tensor_test
