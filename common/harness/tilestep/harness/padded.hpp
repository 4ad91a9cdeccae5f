#pragma once
// The problem that repacking makes of another one, known before a copy is made: whether it pays and which kernel takes
// it can be asked first.

#include <tilestep/block/gemm_params.hpp>     // MatrixLayout
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall, Strides

namespace tilestep {

// [padded]
/// A matrix of (mn,k,batch) in a padded buffer: rows along K, whole tiles of 64 x 64.
inline MatrixLayout padded_layout(std::int64_t mn, std::int64_t k, std::int64_t batch) {
  auto const extents = pad(make_layout(make_shape(mn, k, batch)), make_shape(_64{}, _64{})).shape();
  auto const [rows, cols, batches] = extents;
  return MatrixLayout(extents, make_stride(cols, std::int64_t(1), rows * cols));
}
// [padded]

/// The same problem with its operands where `repack` puts them, before they are there: rows along K, with zeros after
/// them.
inline GemmCall padded(GemmCall const& call) {
  auto const strides = [&](std::int64_t mn) {
    auto const [row, col, batch] = padded_layout(mn, call.k, call.batch).stride();
    return Strides{row, col, batch};
  };
  GemmCall copy = call;
  copy.a = copy.b = nullptr;
  copy.stride_a = strides(call.m);
  copy.stride_b = strides(call.n);
  return copy;
}

}  // namespace tilestep
