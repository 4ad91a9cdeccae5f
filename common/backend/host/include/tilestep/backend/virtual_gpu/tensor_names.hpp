#pragma once
// From an address back to what the reader wrote: the coordinate of an element in a tensor that was described.

#include <tilestep/backend/virtual_gpu/record.hpp>  // TensorDescription

#include <array>    // std::array
#include <cstdint>  // std::int64_t
#include <string>   // messages
#include <vector>   // std::vector

namespace tilestep::virtual_gpu {

/// The tensors that start in one allocation or shared array.
class TensorNames {
 public:
  static constexpr int most_modes = 8;

  void clear() { tensors_.clear(); }

  /// The first description of a start wins. `first` is where the tensor starts, in bytes.
  void add(std::int64_t first, TensorDescription const& described) {
    for (Tensor const& tensor : tensors_) {
      if (tensor.first == first) return;
    }
    if (described.rank > most_modes || tensors_.size() == 16) return;
    Tensor tensor{first, described.element_size, described.rank, {}, {}, {}, described.unswizzle};
    for (std::size_t at = 0; at < std::size_t(tensor.rank); ++at) {
      tensor.shape[at] = described.shape[at];
      tensor.stride[at] = described.stride[at];
    }
    for (int mode = 0, at = 0; at < tensor.rank; ++mode) {
      at += described.numbers == nullptr ? 1 : described.numbers[mode];
      tensor.ends_mode[std::size_t(at - 1)] = true;
    }
    tensors_.push_back(tensor);
  }

  /// "(3,7), element 115" for the element at this offset in bytes. The coordinate is in the tensor that starts first
  /// among those that have the element, or that starts first of all; without a tensor there is none.
  [[nodiscard]] std::string element(std::int64_t offset, std::int64_t element_size) const {
    std::string const number = ", element " + std::to_string(divide_down(offset, element_size));
    Tensor const* best = nullptr;
    for (Tensor const& tensor : tensors_) {
      if (best == nullptr || tensor.contains(offset) > best->contains(offset) ||
          (tensor.contains(offset) == best->contains(offset) && tensor.first < best->first))
        best = &tensor;
    }
    if (best == nullptr) return number;
    return best->coordinate(offset) +
           (best->first == 0 ? "" : " of the tensor at element " + std::to_string(best->first / element_size)) +
           number + (best->unswizzle == nullptr ? "" : " behind the swizzle");
  }

 private:
  static std::int64_t divide_down(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

  struct Tensor {
    std::int64_t first;
    int element_size;
    int rank;
    std::array<std::int64_t, most_modes> shape, stride;
    std::array<bool, most_modes> ends_mode;  // the last number of a mode of the coordinate
    std::int64_t (*unswizzle)(std::int64_t);

    // Where the strides put what lies at this offset in bytes.
    [[nodiscard]] std::int64_t place(std::int64_t offset) const {
      std::int64_t const element = divide_down(offset - first, element_size);
      return unswizzle == nullptr || element < 0 ? element : unswizzle(element);
    }

    [[nodiscard]] bool contains(std::int64_t offset) const {
      std::int64_t last = 0;
      for (std::size_t at = 0; at < std::size_t(rank); ++at) {
        if (stride[at] > 0) last += (shape[at] - 1) * stride[at];
      }
      std::int64_t const element = place(offset);
      return element >= 0 && element <= last;
    }

    // Takes extents by falling stride. The first takes all it can, so that positions past the end show in the outermost
    // mode.
    [[nodiscard]] std::string coordinate(std::int64_t offset) const {
      std::int64_t rest = place(offset);
      std::array<std::int64_t, most_modes> coord{};
      std::array<bool, most_modes> done{};
      for (int step = 0; step < rank; ++step) {
        int outer = -1;
        for (int mode = 0; mode < rank; ++mode) {
          auto const m = std::size_t(mode);
          if (done[m] || shape[m] == 1 || stride[m] <= 0) continue;
          if (outer < 0 || stride[m] > stride[std::size_t(outer)]) outer = mode;
        }
        if (outer < 0) break;
        auto const o = std::size_t(outer);
        coord[o] = divide_down(rest, stride[o]);
        rest -= coord[o] * stride[o];
        done[o] = true;
      }
      std::string text;
      std::int64_t number = 0, weight = 1;  // of the mode
      for (std::size_t at = 0; at < std::size_t(rank); ++at) {
        number += coord[at] * weight;
        weight *= shape[at];
        if (!ends_mode[at]) continue;
        text += (text.empty() ? "" : ",") + std::to_string(number);
        number = 0, weight = 1;
      }
      return "(" + text + ")";
    }
  };

  std::vector<Tensor> tensors_;
};

}  // namespace tilestep::virtual_gpu
