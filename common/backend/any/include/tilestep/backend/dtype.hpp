#pragma once
// Element types as values: what a matrix instruction multiplies, what a matrix on a command line holds.

namespace tilestep {

/// An element type. `tf32` is stored as f32, rounded when it is read; e4m3 and e5m2 are the two types of FP8; i4, u4
/// and u1, a bit, are operands of matrix instructions alone.
enum class DType { f32, f16, bf16, tf32, i8, i32, f64, u8, e4m3, e5m2, i4, u4, u1 };

/// Less than a byte?
constexpr bool is_subbyte(DType type) { return type == DType::i4 || type == DType::u4 || type == DType::u1; }
constexpr bool is_integer(DType type) {
  return type == DType::i8 || type == DType::i32 || type == DType::u8 || is_subbyte(type);
}
constexpr bool is_fp8(DType type) { return type == DType::e4m3 || type == DType::e5m2; }

/// Bits of one element where it is packed into a register.
constexpr int bits_of(DType type) {
  if (type == DType::f64) return 64;
  if (type == DType::f16 || type == DType::bf16) return 16;
  if (is_subbyte(type)) return type == DType::u1 ? 1 : 4;
  return type == DType::i8 || type == DType::u8 || is_fp8(type) ? 8 : 32;
}

}  // namespace tilestep
