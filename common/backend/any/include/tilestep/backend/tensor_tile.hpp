#pragma once
// What one bulk copy moves: a box of a matrix in global memory, to or from a tile in shared memory. NVIDIA calls the
// description a tensor map; it is made once on the host, and each copy says where its box begins. What the matrix lacks
// arrives as zeros, and is not written but to fill 16 bytes.

#include <tilestep/backend/error.hpp>   // bad_input
#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE

#include <cstdint>  // std::int64_t
#include <string>   // messages

namespace tilestep {

/// How rows of a tile stand in shared memory: within so many bytes, pieces of 16 bytes change places. Piece c stands at
/// c ^ (line % pieces), where a line has 128 bytes: pieces of one column in neighbouring lines lie in different banks.
enum class TileSwizzle : int { none = 0, bytes_32 = 32, bytes_64 = 64, bytes_128 = 128 };

/// Where the byte `offset` of a tile stands. The tile begins at a multiple of 1024 bytes.
/// @par Source CUDA C++ Programming Guide, "TMA swizzle"; PTX ISA, "Tensor swizzling modes"
TS_HOST_DEVICE constexpr std::uint32_t swizzled(std::uint32_t offset, TileSwizzle swizzle) {
  std::uint32_t const pieces = swizzle == TileSwizzle::none ? 1 : std::uint32_t(swizzle) / 16;
  return offset ^ (offset / 128 % pieces) * 16;
}

/// A matrix of two or three modes, mode 0 contiguous, and the box that one copy moves.
struct TensorTile {
  void const* base = nullptr;
  int element_size = 0;             ///< 1, 2, 4 or 8 bytes
  int rank = 0;                     ///< 2 or 3
  std::int64_t extent[3] = {1, 1, 1};
  std::int64_t stride[3] = {1, 0, 0};  ///< in elements; the first is 1
  int box[3] = {1, 1, 1};
  TileSwizzle swizzle = TileSwizzle::none;

  [[nodiscard]] constexpr int box_elements() const { return box[0] * box[1] * box[2]; }
  [[nodiscard]] constexpr int box_bytes() const { return box_elements() * element_size; }
};

/// Checks what the hardware asks of a TensorTile.
/// @par Source CUDA Driver API, cuTensorMapEncodeTiled
inline void check_tensor_tile(TensorTile const& tile) {
  auto const name = [](int mode) { return "mode " + std::to_string(mode) + " of a tensor map "; };
  if (tile.rank < 2 || tile.rank > 3) bad_input("a tensor map has 2 or 3 modes, not " + std::to_string(tile.rank));
  if (reinterpret_cast<std::uintptr_t>(tile.base) % 16 != 0)
    bad_input("the matrix of a tensor map begins at a multiple of 16 bytes: repack it");
  for (int mode = 0; mode < tile.rank; ++mode) {
    if (tile.extent[mode] < 1 || tile.extent[mode] > INT64_C(1) << 32)
      bad_input(name(mode) + "has 1 to 2^32 elements, not " + std::to_string(tile.extent[mode]));
    if (tile.box[mode] < 1 || tile.box[mode] > 256)
      bad_input(name(mode) + "has a box of 1 to 256 elements, not " + std::to_string(tile.box[mode]));
    std::int64_t const bytes = tile.stride[mode] * tile.element_size;
    if (mode > 0 && (bytes % 16 != 0 || bytes < 0 || bytes >= INT64_C(1) << 40)) {
      bad_input(name(mode) + "has a stride of " + std::to_string(bytes) +
                " bytes: it must be a multiple of 16, so repack the matrix");
    }
  }
  int const row = tile.box[0] * tile.element_size;
  if (tile.stride[0] != 1) bad_input("mode 0 of a tensor map is contiguous: exchange its modes");
  if (row % 16 != 0)
    bad_input("a row of a tensor map's box has " + std::to_string(row) + " bytes: choose a multiple of 16");
  if (tile.swizzle != TileSwizzle::none && row > int(tile.swizzle)) {
    bad_input("a row of a tensor map's box has " + std::to_string(row) + " bytes, more than its swizzle of " +
              std::to_string(int(tile.swizzle)) + ": choose a narrower box");
  }
}

}  // namespace tilestep
