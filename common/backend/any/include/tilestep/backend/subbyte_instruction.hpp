#pragma once
// mma.sync with operands of 4 bits and of one bit: integers with and without a sign, sums that wrap around or stop at
// the ends of their range, and the number of ones in the `and` or the `xor` of bits. Source: PTX ISA 9.0, "Warp-level
// matrix instructions: mma".

#include <tilestep/backend/matrix_instruction.hpp>  // MatrixInstruction

#include <concepts>     // std::derived_from
#include <string_view>  // names of targets

namespace tilestep {

/// Every instruction of this file.
struct SubbyteMma {};

/// 4-bit integers. @tparam Saturates  as IntegerMma's
template <int M, int K, DType A, DType B, bool Saturates = false>
struct NibbleMma : SubbyteMma, MatrixInstruction<32, M, 8, K, A, B, DType::i32> {
  static constexpr bool saturates = Saturates;
};

/// Bits: C becomes C and the number of k for which a and b are both 1. @tparam Exclusive  for which they differ
template <int M, int K, bool Exclusive = false>
struct BitMma : SubbyteMma, MatrixInstruction<32, M, 8, K, DType::u1, DType::u1, DType::i32> {
  static constexpr bool exclusive = Exclusive;
};

/// An instruction of this file of one shape, which says how many bits its operands have, too.
template <class Op, int M, int K>
concept SubbyteMmaOf = std::derived_from<Op, SubbyteMma> && Op::M == M && Op::K == K;

struct SM80_8x8x32_S32S4S4S32_TN : NibbleMma<8, 32, DType::i4, DType::i4> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x32_S32S4U4S32_TN : NibbleMma<8, 32, DType::i4, DType::u4> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x32_S32U4S4S32_TN : NibbleMma<8, 32, DType::u4, DType::i4> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.s32.u4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x32_S32U4U4S32_TN : NibbleMma<8, 32, DType::u4, DType::u4> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x32_S32S4S4S32_TN_SATURATE : NibbleMma<8, 32, DType::i4, DType::i4, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.s4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x32_S32S4U4S32_TN_SATURATE : NibbleMma<8, 32, DType::i4, DType::u4, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.s4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x32_S32U4S4S32_TN_SATURATE : NibbleMma<8, 32, DType::u4, DType::i4, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x32_S32U4U4S32_TN_SATURATE : NibbleMma<8, 32, DType::u4, DType::u4, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32S4S4S32_TN : NibbleMma<16, 32, DType::i4, DType::i4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32S4U4S32_TN : NibbleMma<16, 32, DType::i4, DType::u4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U4S4S32_TN : NibbleMma<16, 32, DType::u4, DType::i4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.u4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U4U4S32_TN : NibbleMma<16, 32, DType::u4, DType::u4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32S4S4S32_TN_SATURATE : NibbleMma<16, 32, DType::i4, DType::i4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32S4U4S32_TN_SATURATE : NibbleMma<16, 32, DType::i4, DType::u4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U4S4S32_TN_SATURATE : NibbleMma<16, 32, DType::u4, DType::i4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U4U4S32_TN_SATURATE : NibbleMma<16, 32, DType::u4, DType::u4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32S4S4S32_TN : NibbleMma<16, 64, DType::i4, DType::i4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32S4U4S32_TN : NibbleMma<16, 64, DType::i4, DType::u4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32U4S4S32_TN : NibbleMma<16, 64, DType::u4, DType::i4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32U4U4S32_TN : NibbleMma<16, 64, DType::u4, DType::u4> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32S4S4S32_TN_SATURATE : NibbleMma<16, 64, DType::i4, DType::i4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32S4U4S32_TN_SATURATE : NibbleMma<16, 64, DType::i4, DType::u4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32U4S4S32_TN_SATURATE : NibbleMma<16, 64, DType::u4, DType::i4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x64_S32U4U4S32_TN_SATURATE : NibbleMma<16, 64, DType::u4, DType::u4, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.u4.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};

struct SM80_8x8x128_S32U1U1S32_TN_ANDPOPC : BitMma<8, 128> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x128_S32U1U1S32_TN_XORPOPC : BitMma<8, 128, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x128_S32U1U1S32_TN_ANDPOPC : BitMma<16, 128> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x128_S32U1U1S32_TN_XORPOPC : BitMma<16, 128, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x256_S32U1U1S32_TN_ANDPOPC : BitMma<16, 256> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x256_S32U1U1S32_TN_XORPOPC : BitMma<16, 256, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc";
  static constexpr std::string_view targets = "sm80 sm90";
};

/// Calls all(Op{}...) with the instructions of this file.
template <class All>
constexpr void for_each_subbyte_instruction(All&& all) {
  all(SM80_8x8x32_S32S4S4S32_TN{}, SM80_8x8x32_S32S4U4S32_TN{}, SM80_8x8x32_S32U4S4S32_TN{},
      SM80_8x8x32_S32U4U4S32_TN{}, SM80_8x8x32_S32S4S4S32_TN_SATURATE{}, SM80_8x8x32_S32S4U4S32_TN_SATURATE{},
      SM80_8x8x32_S32U4S4S32_TN_SATURATE{}, SM80_8x8x32_S32U4U4S32_TN_SATURATE{}, SM80_16x8x32_S32S4S4S32_TN{},
      SM80_16x8x32_S32S4U4S32_TN{}, SM80_16x8x32_S32U4S4S32_TN{}, SM80_16x8x32_S32U4U4S32_TN{},
      SM80_16x8x32_S32S4S4S32_TN_SATURATE{}, SM80_16x8x32_S32S4U4S32_TN_SATURATE{},
      SM80_16x8x32_S32U4S4S32_TN_SATURATE{}, SM80_16x8x32_S32U4U4S32_TN_SATURATE{}, SM80_16x8x64_S32S4S4S32_TN{},
      SM80_16x8x64_S32S4U4S32_TN{}, SM80_16x8x64_S32U4S4S32_TN{}, SM80_16x8x64_S32U4U4S32_TN{},
      SM80_16x8x64_S32S4S4S32_TN_SATURATE{}, SM80_16x8x64_S32S4U4S32_TN_SATURATE{},
      SM80_16x8x64_S32U4S4S32_TN_SATURATE{}, SM80_16x8x64_S32U4U4S32_TN_SATURATE{},
      SM80_8x8x128_S32U1U1S32_TN_ANDPOPC{}, SM80_8x8x128_S32U1U1S32_TN_XORPOPC{}, SM80_16x8x128_S32U1U1S32_TN_ANDPOPC{},
      SM80_16x8x128_S32U1U1S32_TN_XORPOPC{}, SM80_16x8x256_S32U1U1S32_TN_ANDPOPC{},
      SM80_16x8x256_S32U1U1S32_TN_XORPOPC{});
}

}  // namespace tilestep
