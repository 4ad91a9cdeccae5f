#pragma once
// From an address back to what the reader wrote: the coordinate of an element in a tensor that was described.

#include <algorithm>  // std::max
#include <array>      // std::array
#include <cstdint>    // std::int64_t
#include <string>     // messages
#include <vector>     // std::vector

namespace tilestep::virtual_gpu {

/// The tensors that start in one allocation or shared array.
class TensorNames {
 public:
  static constexpr int most_modes = 8;

  void clear() { tensors_.clear(); }

  /// The first description of a start wins. `first` is where the tensor starts, in bytes.
  void add(std::int64_t first, int element_size, int rank, std::int64_t const* shape, std::int64_t const* stride) {
    for (Tensor const& tensor : tensors_) {
      if (tensor.first == first) return;
    }
    if (rank > most_modes || tensors_.size() == 16) return;
    Tensor tensor{first, element_size, rank, {}, {}};
    for (int mode = 0; mode < rank; ++mode) {
      tensor.shape[std::size_t(mode)] = shape[mode];
      tensor.stride[std::size_t(mode)] = stride[mode];
    }
    tensors_.push_back(tensor);
  }

  /// "(3,7)" for the element at this offset in bytes, or nothing if no tensor was described. The tensor is the one that
  /// starts first among those that have the element, or that starts first of all.
  [[nodiscard]] std::string coordinate(std::int64_t offset) const {
    Tensor const* best = nullptr;
    for (Tensor const& tensor : tensors_) {
      if (best == nullptr || rank_of(tensor, offset) < rank_of(*best, offset) ||
          (rank_of(tensor, offset) == rank_of(*best, offset) && tensor.first < best->first)) {
        best = &tensor;
      }
    }
    return best == nullptr ? "" : coordinate(*best, offset - best->first);
  }

 private:
  struct Tensor {
    std::int64_t first;
    int element_size;
    int rank;
    std::array<std::int64_t, most_modes> shape, stride;

    [[nodiscard]] bool contains(std::int64_t offset) const {
      std::int64_t last = 0;
      for (int mode = 0; mode < rank; ++mode) {
        last += std::max<std::int64_t>(0, (shape[std::size_t(mode)] - 1) * stride[std::size_t(mode)]);
      }
      return offset >= first && offset <= first + last * element_size;
    }
  };

  static int rank_of(Tensor const& tensor, std::int64_t offset) { return tensor.contains(offset) ? 0 : 1; }

  static std::int64_t divide_down(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

  // Takes modes by falling stride. The first takes all it can, so that positions past the end show in the outermost
  // mode.
  static std::string coordinate(Tensor const& tensor, std::int64_t bytes) {
    std::int64_t rest = divide_down(bytes, tensor.element_size);
    std::array<std::int64_t, most_modes> coord{};
    std::array<bool, most_modes> done{};
    for (int step = 0; step < tensor.rank; ++step) {
      int outer = -1;
      for (int mode = 0; mode < tensor.rank; ++mode) {
        auto const m = std::size_t(mode);
        if (done[m] || tensor.shape[m] == 1 || tensor.stride[m] <= 0) continue;
        if (outer < 0 || tensor.stride[m] > tensor.stride[std::size_t(outer)]) outer = mode;
      }
      if (outer < 0) break;
      auto const o = std::size_t(outer);
      coord[o] = divide_down(rest, tensor.stride[o]);
      rest -= coord[o] * tensor.stride[o];
      done[o] = true;
    }
    std::string text;
    for (int mode = 0; mode < tensor.rank; ++mode)
      text += (mode == 0 ? "" : ",") + std::to_string(coord[std::size_t(mode)]);
    return "(" + text + ")";
  }

  std::vector<Tensor> tensors_;
};

}  // namespace tilestep::virtual_gpu
