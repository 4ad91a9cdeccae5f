#pragma once
// wgmma, Hopper's matrix instruction: the four warps of a warpgroup multiply 64 x N x 16 at once. B, and mostly A, stay
// in shared memory, where a descriptor says how their tiles lie; C is in registers. The instruction runs
// asynchronously: see each backend's wgmma.hpp.

#include <tilestep/backend/instruction.hpp>  // MatrixInstruction
#include <tilestep/backend/tensor_tile.hpp>  // TileSwizzle

#include <array>    // a name made by the compiler
#include <cstdint>  // std::uint64_t

namespace tilestep {

/// Threads of a warpgroup: four warps, the first of which has a number that is a multiple of four.
inline constexpr int warpgroup_size = 128;

/// Which mode of an operand's tile is contiguous in shared memory: K, or M of A and N of B.
enum class Major { k, mn };

namespace detail {

/// "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16"
template <int N, DType T>
struct WgmmaName {
  static constexpr auto text = [] {
    std::array<char, 64> name{};
    std::size_t at = 0;
    auto const add = [&](std::string_view part) { for (char const c : part) name[at++] = c; };
    add("wgmma.mma_async.sync.aligned.m64n");
    if (N >= 100) name[at++] = char('0' + N / 100);
    if (N >= 10) name[at++] = char('0' + N / 10 % 10);
    name[at++] = char('0' + N % 10);
    add(T == DType::f16 ? "k16.f32.f16.f16" : "k16.f32.bf16.bf16");
    return name;
  }();
};

template <int N, DType T>
struct Wgmma : MatrixInstruction<warpgroup_size, 64, N, 16, T, T, DType::f32> {
  static_assert(N % 8 == 0 && N >= 8 && N <= 256, "wgmma has an N of 8, 16, .. 256: choose another tile");
  static_assert(T == DType::f16 || T == DType::bf16, "this wgmma multiplies f16 or bf16");
  static constexpr char const* name = WgmmaName<N, T>::text.data();
  static constexpr std::string_view targets = "sm90";
};

}  // namespace detail

/// A and B in shared memory. Names are CuTe's; N is a parameter.
/// @par Source PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions"
template <int N, DType T, Major A = Major::k, Major B = Major::k>
struct SM90_64xNx16_SS : detail::Wgmma<N, T> {
  static constexpr Major major_a = A, major_b = B;
};
/// A in registers, B in shared memory.
template <int N, DType T, Major B = Major::k>
struct SM90_64xNx16_RS : detail::Wgmma<N, T> {
  static constexpr Major major_b = B;
};

/// Where an operand's tile lies in shared memory, as the instruction wants it, in one word of 64 bits:
///   bits 0-13 the address, 16-29 the leading offset, 32-45 the stride offset, each in units of 16 bytes; bits 62-63
///   the swizzle
/// The tile consists of cores of 8 x 16 bytes: eight rows (of M or N where K is contiguous, of K where M or N is) of
/// eight 16-bit elements.
///   K contiguous      stride: from eight rows to the next eight. Leading: from one core to the next along K, without
///   swizzle alone;
///                     with it neighbours along K are 16 bytes apart, as far as the swizzle reaches.
///   M, N contiguous   stride: from eight rows of K to the next eight. Leading: from one run of M or N, as long as the
///   swizzle, to the next.
///                     Without swizzle it is the other way round: leading along K, stride along M or N.
/// @par Source PTX ISA, "Shared Memory Matrix Layout" and "Matrix Descriptor Format" of wgmma
struct TileDescriptor {
  std::uint64_t bits = 0;

  /// @param address  of the tile in the block's shared memory, in bytes
  TS_HOST_DEVICE static constexpr TileDescriptor make(std::uint32_t address, int leading_bytes, int stride_bytes,
                                                      TileSwizzle swizzle) {
    std::uint64_t const mode = swizzle == TileSwizzle::bytes_128  ? 1
                               : swizzle == TileSwizzle::bytes_64 ? 2
                               : swizzle == TileSwizzle::bytes_32 ? 3
                                                                  : 0;
    return {field(address) | field(std::uint32_t(leading_bytes)) << 16 | field(std::uint32_t(stride_bytes)) << 32 |
            mode << 62};
  }
  /// The tile that begins so many bytes further: the next 16 of K, the next 64 of M.
  [[nodiscard]] TS_HOST_DEVICE constexpr TileDescriptor plus(int bytes) const {
    return {bits + (std::uint32_t(bytes) >> 4)};
  }
  /// The same in units of 16 bytes.
  [[nodiscard]] TS_HOST_DEVICE constexpr TileDescriptor steps_on(int steps) const {
    return {bits + std::uint32_t(steps)};
  }

  [[nodiscard]] constexpr std::uint32_t address() const { return bytes_at(0); }
  [[nodiscard]] constexpr std::uint32_t leading() const { return bytes_at(16); }
  [[nodiscard]] constexpr std::uint32_t stride() const { return bytes_at(32); }
  [[nodiscard]] constexpr TileSwizzle swizzle() const {
    constexpr TileSwizzle modes[] = {TileSwizzle::none, TileSwizzle::bytes_128, TileSwizzle::bytes_64,
                                     TileSwizzle::bytes_32};
    return modes[bits >> 62];
  }

 private:
  TS_HOST_DEVICE static constexpr std::uint64_t field(std::uint32_t bytes) { return (bytes & 0x3FFFF) >> 4; }
  [[nodiscard]] constexpr std::uint32_t bytes_at(int bit) const { return std::uint32_t(bits >> bit & 0x3FFF) << 4; }
};

}  // namespace tilestep
