// The chapter's program: the kernel for the tiles, the two partitions and the element sizes that are compiled in.
// ./tutorial run 02 builds and runs it.

#include "figures.hpp"  // the chapter's pictures
#include "kernel.hpp"   // TileByTileCopy

#include <tilestep/backend/launch.hpp>        // launch
#include <tilestep/harness/copy_chapter.hpp>  // copy_main

namespace {

using namespace tilestep;

/// A matrix that the harness describes by its strides, seen as the (M,N) of the result.
MatrixView view(Strides const& stride, std::int64_t rows, std::int64_t cols) {
  return MatrixView(make_shape(rows, cols), make_stride(stride.row, stride.col));
}

template <class T>
CopyParams<T> copy_params(CopyCall const& call) {
  // [views]
  auto const source = view(call.stride_in, call.rows, call.cols);               // (M,N), or (N,M) when transposing
  auto const layout_in = call.transpose ? select<1, 0>(source) : source;        // (M,N)
  auto const layout_out = view(call.stride_out, call.out_rows, call.out_cols);  // (M,N)
  // [views]
  return {static_cast<T const*>(call.in), static_cast<T*>(call.out), layout_in, layout_out};
}

template <class T, int BLK_M, int BLK_N>
void copy_tiles(CopyCall const& call) {
  auto const run = [&](auto kernel) {
    auto const params = copy_params<T>(call);
    launch(kernel, size(kernel.grid(params)), params);
  };
  if (call.kernel == "packed") return run(TileByTileCopy<T, BLK_M, BLK_N, Packed>{});
  run(TileByTileCopy<T, BLK_M, BLK_N, Strided>{});
}

template <class T>
void copy_matrix(CopyCall const& call) {
  if (call.tile == Extent2{32, 32}) return copy_tiles<T, 32, 32>(call);
  if (call.tile == Extent2{8, 128}) return copy_tiles<T, 8, 128>(call);
  copy_tiles<T, 64, 64>(call);
}

/// A copy moves bits: of the element type only its size matters.
void run(CopyCall const& call) {
  switch (bytes_of(call.dtype)) {
    case 1: return copy_matrix<std::uint8_t>(call);
    case 2: return copy_matrix<std::uint16_t>(call);
    default: return copy_matrix<std::uint32_t>(call);
  }
}

std::string refuses(CopyCall const& call) {
  if (call.out_rows % call.tile.rows == 0 && call.out_cols % call.tile.cols == 0) return "";
  return to_string(Extent2{call.out_rows, call.out_cols}) + " is not a whole number of " + to_string(call.tile) +
         " tiles: choose multiples of the tile, or chapter 03_copy_if, which copies ragged edges";
}

}  // namespace

int main(int argc, char** argv) {
  CopyChapter chapter;
  chapter.name = "02_tensors_and_tiles";
  chapter.adds = "tensors over memory, tiles for blocks, partitions for threads, copy";
  chapter.types = {DType::f32, DType::i32, DType::f16, DType::i8};
  chapter.tiles = {{32, 32}, {8, 128}, {64, 64}};
  chapter.kernels = {"packed", "strided"};
  chapter.rows = 64;
  chapter.cols = 96;
  chapter.run = run;
  chapter.refuses = refuses;
  chapter.figures = [] { return tile_figures(run); };
  return copy_main(argc, argv, chapter);
}
