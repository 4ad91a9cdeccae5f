#pragma once
// Problems for the kernels of hopper_kernels.hpp: operands, tensor maps, what comes out.

#include "hopper_kernels.hpp"  // CopyParams, TileParams, RingParams

#include <tilestep/atom/half.hpp>                      // half_t
#include <tilestep/backend/runtime.hpp>                // DeviceBuffer

#include <cstdint>  // std::uint16_t
#include <vector>   // std::vector

namespace hopper_test {

using Bits = std::vector<std::uint16_t>;

/// A matrix of 16-bit elements as a TensorTile.
inline TensorTile matrix_tile(std::uint16_t const* base, std::int64_t rows, std::int64_t columns, int box_rows,
                              int box_columns, TileSwizzle swizzle) {
  TensorTile tile;
  tile.base = base;
  tile.element_size = 2;
  tile.rank = 2;
  tile.extent[0] = columns, tile.extent[1] = rows;
  tile.stride[1] = columns;
  tile.box[0] = box_columns, tile.box[1] = box_rows;
  tile.swizzle = swizzle;
  return tile;
}

/// A (rows,columns) stored column by column: mode 0 of the tile is the row.
inline Bits transposed(Bits const& matrix, int rows, int columns) {
  Bits result(matrix.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) result[std::size_t(c * rows + r)] = matrix[std::size_t(r * columns + c)];
  }
  return result;
}

template <class T>
std::uint16_t bits_of_value(float value) { return T(value).bits; }

/// Small integers, asymmetric: sums of products are exact.
inline Bits integers(int count, int salt, bool is_f16) {
  Bits result(std::size_t(count), 0);
  for (int i = 0; i < count; ++i) {
    auto const value = float(int((unsigned(i) * 2654435761u + unsigned(salt)) >> 11) % 9 - 3);
    result[std::size_t(i)] = is_f16 ? half_t(value).bits : bfloat16_t(value).bits;
  }
  return result;
}

inline float value_of(std::uint16_t bits, bool is_f16) {
  return is_f16 ? float(half_t::from_bits(bits)) : float(bfloat16_t::from_bits(bits));
}

/// A ring's operands: A (M,K), B (N,K), both with K contiguous, C (M,N).
template <int N, int STAGES, int CONSUMERS, int CLUSTER>
struct RingProblem {
  using Kernel = Ring<N, STAGES, CONSUMERS, CLUSTER>;
  int m, n, k;
  Bits a, b;
  DeviceBuffer<std::uint16_t> device_a, device_b, device_c;
  RingParams p;

  RingProblem(int tiles_m, int tiles_n, int k_tiles, int clusters)
      : m(tiles_m * CLUSTER * Kernel::M), n(tiles_n * N), k(k_tiles * 64), a(integers(m * k, 5, false)),
        b(integers(n * k, 77, false)), device_a("A", m * k), device_b("B", n * k), device_c("C", m * n) {
    device_a.upload(a.data(), m * k);
    device_b.upload(b.data(), n * k);
    Bits const nan(std::size_t(m * n), 0x7fff);
    device_c.upload(nan.data(), m * n);
    p.a = make_tensor_map(matrix_tile(device_a.data(), m, k, Kernel::M, 64, TileSwizzle::bytes_128));
    p.b = make_tensor_map(matrix_tile(device_b.data(), n, k, Kernel::part, 64, TileSwizzle::bytes_128));
    p.c = make_tensor_map(matrix_tile(device_c.data(), m, n, 64, 64, TileSwizzle::bytes_128));
    p.tiles_m = tiles_m, p.tiles_n = tiles_n, p.k_tiles = k_tiles, p.clusters = clusters;
  }
  RingParams const& params() const { return p; }

  /// How many elements of C are wrong.
  int wrong() const {
    Bits c(std::size_t(m * n));
    device_c.download(c.data(), m * n);
    int count = 0;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int l = 0; l < k; ++l)
          sum += value_of(a[std::size_t(i * k + l)], false) * value_of(b[std::size_t(j * k + l)], false);
        count += c[std::size_t(i * n + j)] != bfloat16_t(sum).bits;
      }
    }
    return count;
  }
};

/// A box of a matrix of 3 x 40 x 72 elements, whose rows the box may pass. Of each row only the first `width` elements
/// may be the matrix's.
template <TileSwizzle SWIZZLE, int ROWS, int Z>
struct BoxProblem {
  using Kernel = CopyBox<SWIZZLE, ROWS, Z>;
  static constexpr int columns = 72, rows = 40, planes = 3, size = columns * rows * planes;
  int width, size_out;
  DeviceBuffer<std::uint16_t> in{"in", size}, out, plain{"plain", Kernel::elements};
  CopyParams p;

  /// @param exact  `out` ends with its last row's last element
  BoxProblem(int x, int y, int z, int width_ = columns, bool exact = false)
      : width(width_), size_out((Z == 1 ? columns * rows : size) - (exact ? columns - width : 0)),
        out("out", size_out) {
    Bits values(size), old(std::size_t(size_out), 7);
    for (int i = 0; i < size; ++i) values[std::size_t(i)] = std::uint16_t(i * 7 + 1);
    in.upload(values.data(), size);
    out.upload(old.data(), size_out);
    auto const map = [&](std::uint16_t const* base) {
      TensorTile tile = matrix_tile(base, rows, columns, ROWS, Kernel::columns, SWIZZLE);
      tile.extent[0] = width;
      if (Z > 1) tile.rank = 3, tile.extent[2] = planes, tile.stride[2] = columns * rows, tile.box[2] = Z;
      return make_tensor_map(tile);
    };
    p = {map(in.data()), map(out.data()), plain.data(), x, y, z};
  }
  CopyParams const& params() const { return p; }

  int wrong() const {
    Bits seen(Kernel::elements), written(std::size_t(size_out), 0);
    plain.download(seen.data(), Kernel::elements);
    out.download(written.data(), size_out);
    int count = 0, matched = 0;
    for (int i = 0; i < Kernel::elements; ++i) {
      int const x = p.x + i % Kernel::columns, y = p.y + i / Kernel::columns % ROWS,
                z = p.z + i / Kernel::columns / ROWS;
      bool const in_row = x >= 0 && x < columns && y >= 0 && y < rows && z >= 0 && z < (Z == 1 ? 1 : planes);
      bool const there = in_row && x < width, stored = in_row && x < (width + 7) / 8 * 8;  // 16 bytes at once
      int const at = (z * rows + y) * columns + x;
      std::uint16_t const value = there ? std::uint16_t(at * 7 + 1) : std::uint16_t(0);
      count += seen[std::size_t(i)] != value;
      if (stored && p.x >= 0 && p.y >= 0 && p.z >= 0)
        count += written[std::size_t(at)] != std::uint16_t(value + 1), ++matched;
    }
    int changed = 0;
    for (std::uint16_t const each : written) changed += each != 7;
    return count + (changed > matched);
  }
};

/// The operands of TileProduct: A (64,64), B (N,64), integers or what `make` gives.
template <int N, DType T, Major A, Major B, TileSwizzle SWIZZLE, bool A_IN_REGISTERS>
struct TileProblem {
  using Kernel = TileProduct<N, T, A, B, SWIZZLE, A_IN_REGISTERS>;
  static constexpr bool is_f16 = T == DType::f16;
  Bits a, b;
  DeviceBuffer<std::uint16_t> device_a{"A", 64 * 64}, device_b{"B", N * 64}, rows{"A's rows", 64 * 64},
      rows_b{"B's rows", N * 64};
  DeviceBuffer<float> d{"D", 64 * N};
  TileParams p;

  template <class Make>
  explicit TileProblem(Make&& make) : a(make(64 * 64, 3)), b(make(N * 64, 11)) {
    Bits const stored_a = A == Major::k ? a : transposed(a, 64, 64),
               stored_b = B == Major::k ? b : transposed(b, N, 64);
    device_a.upload(stored_a.data(), 64 * 64);
    device_b.upload(stored_b.data(), N * 64);
    rows.upload(a.data(), 64 * 64);
    rows_b.upload(b.data(), N * 64);
    int const wide = Kernel::wide;
    p.a = make_tensor_map(matrix_tile(device_a.data(), 64, 64, 64, wide, SWIZZLE));
    p.b = make_tensor_map(B == Major::k ? matrix_tile(device_b.data(), N, 64, N, wide, SWIZZLE)
                                        : matrix_tile(device_b.data(), 64, N, 64, wide, SWIZZLE));
    p.a_rows = rows.data();
    p.b_rows = rows_b.data();
    p.d = d.data();
  }
  TileParams const& params() const { return p; }
  /// (m,n)
  std::vector<float> result() const {
    std::vector<float> values(64 * N), matrix(64 * N);
    d.download(values.data(), 64 * N);
    for (int thread = 0; thread < 128; ++thread) {
      for (int i = 0; i < N / 2; ++i) {
        int const m = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, n = i / 4 * 8 + thread % 4 * 2 + i % 2;
        matrix[std::size_t(m * N + n)] = values[std::size_t(thread * (N / 2) + i)];
      }
    }
    return matrix;
  }
};

}  // namespace hopper_test
