#pragma once
// wgmma, Hopper's matrix instruction: the four warps of a warpgroup multiply 64 rows by N columns, along 32 bytes of K
// at once. B, and mostly A, stay in shared memory, where a descriptor says how their tiles lie; C is in registers. The
// instruction runs asynchronously: see each backend's wgmma.hpp.

#include <tilestep/backend/instruction.hpp>  // MatrixInstruction
#include <tilestep/backend/tensor_tile.hpp>  // TileSwizzle

#include <array>        // a name made by the compiler
#include <cstdint>      // std::uint64_t
#include <string_view>  // a type's name

namespace tilestep {

/// Threads of a warpgroup: four warps, the first of which has a number that is a multiple of four.
inline constexpr int warpgroup_size = 128;

/// Which mode of an operand's tile is contiguous in shared memory: K, or M of A and N of B.
enum class Major { k, mn };

namespace detail {

/// A type as PTX writes it.
constexpr std::string_view ptx_name(DType type) {
  switch (type) {
    case DType::f32: return "f32";
    case DType::tf32: return "tf32";
    case DType::f16: return "f16";
    case DType::bf16: return "bf16";
    case DType::i32: return "s32";
    case DType::i8: return "s8";
    case DType::u8: return "u8";
    case DType::e4m3: return "e4m3";
    case DType::e5m2: return "e5m2";
    default: return "";
  }
}

/// "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", or "..k32.satfinite.s32.s8.s8"
template <int N, int K, DType TC, DType TA, DType TB, bool SATURATES>
struct WgmmaName {
  static constexpr auto text = [] {
    std::array<char, 64> name{};
    std::size_t at = 0;
    auto const add = [&](std::string_view part) { for (char const c : part) name[at++] = c; };
    auto const add_number = [&](int number) {
      if (number >= 100) name[at++] = char('0' + number / 100);
      if (number >= 10) name[at++] = char('0' + number / 10 % 10);
      name[at++] = char('0' + number % 10);
    };
    add("wgmma.mma_async.sync.aligned.m64n");
    add_number(N);
    add("k");
    add_number(K);
    if (SATURATES) add(".satfinite");
    for (DType const type : {TC, TA, TB}) {
      add(".");
      add(ptx_name(type));
    }
    return name;
  }();
};

constexpr bool is_float8(DType type) { return type == DType::e4m3 || type == DType::e5m2; }
constexpr bool is_byte(DType type) { return type == DType::i8 || type == DType::u8; }

/// K is 32 bytes.
template <int N, DType TC, DType TA, DType TB, bool SATURATES>
struct Wgmma : MatrixInstruction<warpgroup_size, 64, N, 256 / bits_of(TA), TA, TB, TC> {
  static constexpr bool is_integer = is_byte(TA) && is_byte(TB) && TC == DType::i32;
  static_assert((TA == TB && (TA == DType::f16 || (TC == DType::f32 && (TA == DType::bf16 || TA == DType::tf32)))) ||
                    (is_float8(TA) && is_float8(TB)) || is_integer,
                "wgmma multiplies f16, bf16, tf32, two types of FP8, or i8 and u8");
  static_assert(is_integer || TC == DType::f32 || TC == DType::f16,
                "wgmma adds in f32; f16 and FP8 in f16, too; integers in i32");
  static_assert(N % 8 == 0 && N >= 8 && N <= 256, "wgmma has an N of 8, 16, .. 256: choose another tile");
  static_assert(!is_integer || N <= 24 || N % 16 == 0,
                "wgmma of integers has an N of 8, 16, 24, 32, 48, 64, .. 256: choose another tile");
  static constexpr char const* name = WgmmaName<N, 256 / bits_of(TA), TC, TA, TB, SATURATES>::text.data();
  static constexpr std::string_view targets = "sm90";
  static_assert(is_integer || !SATURATES, "wgmma limits sums of integers alone: leave SATURATES out");
  static constexpr bool saturates = SATURATES;
  /// Two bytes: M of A and N of B may be contiguous, too.
  static constexpr bool takes_mn = bits_of(TA) == 16;
};

}  // namespace detail

/// A and B in shared memory. CuTe has a name for each of them: MMA_64x128x32_F32E4M3E5M2_SS_TN is
/// SM90_64xN_SS<128, DType::f32, DType::e4m3, DType::e5m2>.
/// @tparam TC, TA, TB  of the sums, of A and of B   @tparam SATURATES  as IntegerMma's
/// @par Source PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions"
template <int N, DType TC, DType TA, DType TB, Major A = Major::k, Major B = Major::k, bool SATURATES = false>
struct SM90_64xN_SS : detail::Wgmma<N, TC, TA, TB, SATURATES> {
  static_assert(SM90_64xN_SS::takes_mn || (A == Major::k && B == Major::k),
                "wgmma of 8 and 32 bits reads operands along K: store the tile so");
  static constexpr Major major_a = A, major_b = B;
};
/// A in registers, B in shared memory.
template <int N, DType TC, DType TA, DType TB, Major B = Major::k, bool SATURATES = false>
struct SM90_64xN_RS : detail::Wgmma<N, TC, TA, TB, SATURATES> {
  static_assert(SM90_64xN_RS::takes_mn || B == Major::k,
                "wgmma of 8 and 32 bits reads operands along K: store the tile so");
  static constexpr Major major_b = B;
};
/// Those of 16 bits with sums in f32. @tparam T  f16 or bf16
template <int N, DType T, Major A = Major::k, Major B = Major::k>
using SM90_64xNx16_SS = SM90_64xN_SS<N, DType::f32, T, T, A, B>;
template <int N, DType T, Major B = Major::k>
using SM90_64xNx16_RS = SM90_64xN_RS<N, DType::f32, T, T, B>;
/// Those of integers whose sums stop at the ends of 32 bits. @tparam TA, TB  i8 or u8
template <int N, DType TA, DType TB>
using SM90_64xNx32_SS_SATURATE = SM90_64xN_SS<N, DType::i32, TA, TB, Major::k, Major::k, true>;
template <int N, DType TA, DType TB>
using SM90_64xNx32_RS_SATURATE = SM90_64xN_RS<N, DType::i32, TA, TB, Major::k, true>;

/// Where an operand's tile lies in shared memory, as the instruction wants it, in one word of 64 bits:
///   bits 0-13 the address, 16-29 the leading offset, 32-45 the stride offset, each in units of 16 bytes; bits 62-63
///   the swizzle
/// The tile consists of cores of 8 x 16 bytes: eight rows (of M or N where K is contiguous, of K where M or N is) of
/// 16 / sizeof(T) elements.
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
  /// The tile that begins so many bytes further: the next 32 bytes of K, the next 64 of M.
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
