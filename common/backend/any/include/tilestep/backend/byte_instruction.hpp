#pragma once
// mma.sync with operands of 8 bits, beside the signed integers of instruction.hpp: integers with and without a sign,
// sums that stop at the ends of their range, and FP8. Source: PTX ISA 9.0, "Warp-level matrix instructions: mma".

#include <tilestep/backend/matrix_instruction.hpp>  // MatrixInstruction

#include <concepts>     // std::derived_from
#include <string_view>  // names of targets

namespace tilestep {

/// Every instruction of this file.
struct ByteMma {};

/// 8-bit integers. @tparam Saturates  a sum beyond 32 bits becomes the nearest number of 32 bits; otherwise it wraps
template <int M, int K, DType A, DType B, bool Saturates = false>
struct IntegerMma : ByteMma, MatrixInstruction<32, M, 8, K, A, B, DType::i32> {
  static constexpr bool saturates = Saturates;
};

/// FP8, from compute capability 8.9 on.
template <DType A, DType B, DType C>
struct Float8Mma : ByteMma, MatrixInstruction<32, 16, 8, 32, A, B, C> {};

/// An instruction of this file of one shape. Types and overflow change nothing in which lane holds what.
template <class Op, int M, int K>
concept ByteMmaOf = std::derived_from<Op, ByteMma> && Op::M == M && Op::K == K;

struct SM80_16x8x32_S32S8U8S32_TN : IntegerMma<16, 32, DType::i8, DType::u8> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U8S8S32_TN : IntegerMma<16, 32, DType::u8, DType::i8> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U8U8S32_TN : IntegerMma<16, 32, DType::u8, DType::u8> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32S8S8S32_TN_SATURATE : IntegerMma<16, 32, DType::i8, DType::i8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32S8U8S32_TN_SATURATE : IntegerMma<16, 32, DType::i8, DType::u8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U8S8S32_TN_SATURATE : IntegerMma<16, 32, DType::u8, DType::i8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32U8U8S32_TN_SATURATE : IntegerMma<16, 32, DType::u8, DType::u8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32S8U8S32_TN : IntegerMma<16, 16, DType::i8, DType::u8> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32U8S8S32_TN : IntegerMma<16, 16, DType::u8, DType::i8> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32U8U8S32_TN : IntegerMma<16, 16, DType::u8, DType::u8> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32S8S8S32_TN_SATURATE : IntegerMma<16, 16, DType::i8, DType::i8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32S8U8S32_TN_SATURATE : IntegerMma<16, 16, DType::i8, DType::u8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32U8S8S32_TN_SATURATE : IntegerMma<16, 16, DType::u8, DType::i8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32U8U8S32_TN_SATURATE : IntegerMma<16, 16, DType::u8, DType::u8, true> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32S8U8S32_TN : IntegerMma<8, 16, DType::i8, DType::u8> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32U8S8S32_TN : IntegerMma<8, 16, DType::u8, DType::i8> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32U8U8S32_TN : IntegerMma<8, 16, DType::u8, DType::u8> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32S8S8S32_TN_SATURATE : IntegerMma<8, 16, DType::i8, DType::i8, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32S8U8S32_TN_SATURATE : IntegerMma<8, 16, DType::i8, DType::u8, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32U8S8S32_TN_SATURATE : IntegerMma<8, 16, DType::u8, DType::i8, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32U8U8S32_TN_SATURATE : IntegerMma<8, 16, DType::u8, DType::u8, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.u8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};

struct SM89_16x8x32_F32E4M3E4M3F32_TN : Float8Mma<DType::e4m3, DType::e4m3, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
  static constexpr std::string_view targets = "sm90";
};
struct SM89_16x8x32_F32E4M3E5M2F32_TN : Float8Mma<DType::e4m3, DType::e5m2, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32";
  static constexpr std::string_view targets = "sm90";
};
struct SM89_16x8x32_F32E5M2E4M3F32_TN : Float8Mma<DType::e5m2, DType::e4m3, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32";
  static constexpr std::string_view targets = "sm90";
};
struct SM89_16x8x32_F32E5M2E5M2F32_TN : Float8Mma<DType::e5m2, DType::e5m2, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32";
  static constexpr std::string_view targets = "sm90";
};
struct SM89_16x8x32_F16E4M3E4M3F16_TN : Float8Mma<DType::e4m3, DType::e4m3, DType::f16> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16";
  static constexpr std::string_view targets = "sm90";
};
struct SM89_16x8x32_F16E4M3E5M2F16_TN : Float8Mma<DType::e4m3, DType::e5m2, DType::f16> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16";
  static constexpr std::string_view targets = "sm90";
};
struct SM89_16x8x32_F16E5M2E4M3F16_TN : Float8Mma<DType::e5m2, DType::e4m3, DType::f16> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16";
  static constexpr std::string_view targets = "sm90";
};
struct SM89_16x8x32_F16E5M2E5M2F16_TN : Float8Mma<DType::e5m2, DType::e5m2, DType::f16> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16";
  static constexpr std::string_view targets = "sm90";
};

/// Calls all(Op{}...) with the instructions of this file.
template <class All>
constexpr void for_each_byte_instruction(All&& all) {
  all(SM80_16x8x32_S32S8U8S32_TN{}, SM80_16x8x32_S32U8S8S32_TN{}, SM80_16x8x32_S32U8U8S32_TN{},
      SM80_16x8x32_S32S8S8S32_TN_SATURATE{}, SM80_16x8x32_S32S8U8S32_TN_SATURATE{},
      SM80_16x8x32_S32U8S8S32_TN_SATURATE{}, SM80_16x8x32_S32U8U8S32_TN_SATURATE{}, SM80_16x8x16_S32S8U8S32_TN{},
      SM80_16x8x16_S32U8S8S32_TN{}, SM80_16x8x16_S32U8U8S32_TN{}, SM80_16x8x16_S32S8S8S32_TN_SATURATE{},
      SM80_16x8x16_S32S8U8S32_TN_SATURATE{}, SM80_16x8x16_S32U8S8S32_TN_SATURATE{},
      SM80_16x8x16_S32U8U8S32_TN_SATURATE{}, SM80_8x8x16_S32S8U8S32_TN{}, SM80_8x8x16_S32U8S8S32_TN{},
      SM80_8x8x16_S32U8U8S32_TN{}, SM80_8x8x16_S32S8S8S32_TN_SATURATE{}, SM80_8x8x16_S32S8U8S32_TN_SATURATE{},
      SM80_8x8x16_S32U8S8S32_TN_SATURATE{}, SM80_8x8x16_S32U8U8S32_TN_SATURATE{}, SM89_16x8x32_F32E4M3E4M3F32_TN{},
      SM89_16x8x32_F32E4M3E5M2F32_TN{}, SM89_16x8x32_F32E5M2E4M3F32_TN{}, SM89_16x8x32_F32E5M2E5M2F32_TN{},
      SM89_16x8x32_F16E4M3E4M3F16_TN{}, SM89_16x8x32_F16E4M3E5M2F16_TN{}, SM89_16x8x32_F16E5M2E4M3F16_TN{},
      SM89_16x8x32_F16E5M2E5M2F16_TN{});
}

}  // namespace tilestep
