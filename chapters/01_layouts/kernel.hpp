#pragma once
// The chapter's layouts. A layout is a pair shape:stride, and a function from coordinates to offsets in memory. Each
// function here makes one from numbers that may be known at compile time (Int<4>{}) or at run time (4); the program
// prints, draws and checks them.

#include <tilestep/layout.hpp>  // Layout and its algebra

#include <cstdint>  // std::int64_t

namespace tilestep {

// ---- A matrix in memory ----

// [matrix]
/// A row is contiguous: one step along N is 1 element, one step along M is a whole row.
template <class M, class N>
TS_HOST_DEVICE constexpr auto row_major(M rows, N cols) {
  return make_layout(make_shape(rows, cols), make_stride(cols, Int<1>{}));        // (M,N)
}

/// A column is contiguous.
template <class M, class N>
TS_HOST_DEVICE constexpr auto column_major(M rows, N cols) {
  return make_layout(make_shape(rows, cols), make_stride(Int<1>{}, rows));        // (M,N)
}

/// Row-major with room to spare: rows start `leading` elements apart. BLAS calls this number the leading dimension.
template <class M, class N, class Leading>
TS_HOST_DEVICE constexpr auto row_major(M rows, N cols, Leading leading) {
  return make_layout(make_shape(rows, cols), make_stride(leading, Int<1>{}));     // (M,N)
}

/// The same memory with rows and columns exchanged. Nothing moves.
template <class Matrix>
TS_HOST_DEVICE constexpr auto transposed(Matrix const& matrix) {
  return select<1, 0>(matrix);                                                    // (N,M)
}
// [matrix]

// ---- The operands of a GEMM ----

/// (M,N) -> offset, all numbers known at run time.
using MatrixView = Layout<Shape<std::int64_t, std::int64_t>, Stride<std::int64_t, std::int64_t>>;

// [blas]
/// A as kernels see it. It is stored row-major: n as M x K, t as K x M.
TS_HOST_DEVICE constexpr MatrixView operand_a(char letter, std::int64_t M, std::int64_t K) {
  std::int64_t const one = 1;
  return MatrixView(make_shape(M, K), letter == 'n' ? make_stride(K, one) : make_stride(one, M));  // (M,K)
}

/// B as kernels see it: (N,K). It is stored row-major: n as K x N, t as N x K.
TS_HOST_DEVICE constexpr MatrixView operand_b(char letter, std::int64_t N, std::int64_t K) {
  std::int64_t const one = 1;
  return MatrixView(make_shape(N, K), letter == 'n' ? make_stride(one, N) : make_stride(K, one));  // (N,K)
}
// [blas]

// ---- Modes inside modes ----

// [nested]
/// A matrix that is stored tile by tile, tiles row by row, and row by row inside a tile. Each mode is a pair: (inside
/// the tile, which tile). A ragged edge is rounded up to a whole tile.
template <class M, class N, class TileM, class TileN>
TS_HOST_DEVICE constexpr auto stored_by_tiles(M rows, N cols, TileM tile_m, TileN tile_n) {
  auto const tiles_m = ceil_div(rows, tile_m);
  auto const tiles_n = ceil_div(cols, tile_n);
  auto const in_m = make_layout(make_shape(tile_m, tiles_m), make_stride(tile_n, tile_m * tile_n * tiles_n));
  auto const in_n = make_layout(make_shape(tile_n, tiles_n), make_stride(Int<1>{}, tile_m * tile_n));
  return make_layout(in_m, in_n);                                                 // ((m,tile_m),(n,tile_n))
}
// [nested]

// ---- Composition, complement, division, product ----

// [composition]
/// Every other row, the first half of the columns: a layout of the rows and one of the columns choose from the matrix.
TS_HOST_DEVICE constexpr auto chosen_rows_and_columns() {
  auto const matrix = row_major(_4{}, _8{});                                      // (M,N)
  auto const rows = make_layout(_2{}, _2{});                                      // m -> 2 m
  auto const cols = make_layout(_4{}, _1{});                                      // n -> n
  return composition(matrix, make_tile(rows, cols));                              // (M/2,N/2)
}
// [composition]

/// Every other element, four of them: 0 2 4 6. And the places where copies of it must start to fill 24 elements.
TS_HOST_DEVICE constexpr auto every_other() { return make_layout(_4{}, _2{}); }                      // 4:2
TS_HOST_DEVICE constexpr auto what_it_leaves_out() { return complement(every_other(), _24{}); }      // (2,3):(1,8)

/// The matrix cut into tiles of tile_m x tile_n. A ragged edge is rounded up to a whole tile.
template <class Matrix, class TileM, class TileN>
TS_HOST_DEVICE constexpr auto tiles_of(Matrix const& matrix, TileM tile_m, TileN tile_n) {
  return zipped_divide(matrix, make_tile(tile_m, tile_n));                        // ((m,n),(tile_m,tile_n))
}

// [product]
/// Six copies of a row-major 2 x 4 tile, arranged as 3 x 2.
TS_HOST_DEVICE constexpr auto side_by_side() {
  auto const tile = row_major(_2{}, _4{});                                        // (m,n)
  auto const order = row_major(_3{}, _2{});                                       // (tile_m,tile_n)
  return blocked_product(tile, order);                                            // ((m,tile_m),(n,tile_n))
}

/// The same six tiles dealt out like cards: neighbours belong to different copies.
TS_HOST_DEVICE constexpr auto dealt_out() {
  return raked_product(row_major(_2{}, _4{}), row_major(_3{}, _2{}));             // ((tile_m,m),(tile_n,n))
}
// [product]

// ---- What strides cannot say ----

/// Swizzle<bits, base, shift> with numbers known at run time: xors `bits` bits of an offset into those `shift` bits
/// below.
struct RunTimeSwizzle {
  int bits = 0;
  int base = 0;
  int shift = 0;
  TS_HOST_DEVICE constexpr std::int64_t operator()(std::int64_t offset) const {
    std::int64_t const from = ((std::int64_t{1} << bits) - 1) << (base + shift);
    return offset ^ ((offset & from) >> shift);
  }
};

/// A layout whose offsets are swizzled.
template <class Matrix>
TS_HOST_DEVICE constexpr auto swizzled(RunTimeSwizzle const& swizzle, Matrix const& matrix) {
  return make_composed_layout(swizzle, Int<0>{}, matrix);                         // (M,N)
}

}  // namespace tilestep
