#pragma once
// Element types as values: what a matrix instruction multiplies, what a matrix on a command line holds.

namespace tilestep {

/// An element type. `tf32` is stored as f32, rounded when it is read; e4m3 and e5m2 are the two types of FP8.
enum class DType { f32, f16, bf16, tf32, i8, i32, f64, u8, e4m3, e5m2 };

constexpr bool is_integer(DType type) { return type == DType::i8 || type == DType::i32 || type == DType::u8; }
constexpr bool is_fp8(DType type) { return type == DType::e4m3 || type == DType::e5m2; }

/// Bits of one element where it is packed into a register.
constexpr int bits_of(DType type) {
  if (type == DType::f64) return 64;
  if (type == DType::f16 || type == DType::bf16) return 16;
  return type == DType::i8 || type == DType::u8 || is_fp8(type) ? 8 : 32;
}

}  // namespace tilestep
