#pragma once
// One matrix instruction of a warp: mma.sync, as PTX.

#include <tilestep/backend/byte_matrix.hpp>     // those with 8-bit operands
#include <tilestep/backend/instruction.hpp>     // the instructions
#include <tilestep/backend/macros.hpp>          // TS_HOST_DEVICE, TS_INLINE
#include <tilestep/backend/quadpair_matrix.hpp>  // those of eight lanes
#include <tilestep/backend/subbyte_matrix.hpp>  // those with 4-bit operands, and bits

#include <cstdint>      // std::uint32_t
#include <type_traits>  // std::is_same_v

namespace tilestep {

/// On the virtual GPU a whole tile of instructions is one call; here every instruction is one.
inline constexpr bool matrix_instructions_by_tile = false;

/// Can a kernel of this backend contain the instruction?
template <class Op>
inline constexpr bool backend_has = Op::targets.starts_with("sm");

namespace detail {

// D and C are the same registers.
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x16_F32F16F16F32_TN,
                                  [[maybe_unused]] std::uint32_t const* a, [[maybe_unused]] std::uint32_t const* b,
                                  [[maybe_unused]] float* c) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x16_F16F16F16F16_TN,
                                  [[maybe_unused]] std::uint32_t const* a, [[maybe_unused]] std::uint32_t const* b,
                                  [[maybe_unused]] std::uint32_t* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x16_F32BF16BF16F32_TN,
                                  [[maybe_unused]] std::uint32_t const* a, [[maybe_unused]] std::uint32_t const* b,
                                  [[maybe_unused]] float* c) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x8_F32TF32TF32F32_TN,
                                  [[maybe_unused]] std::uint32_t const* a, [[maybe_unused]] std::uint32_t const* b,
                                  [[maybe_unused]] float* c) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x32_S32S8S8S32_TN,
                                  [[maybe_unused]] std::uint32_t const* a, [[maybe_unused]] std::uint32_t const* b,
                                  [[maybe_unused]] std::int32_t* c) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x8_F32F16F16F32_TN, [[maybe_unused]] std::uint32_t const* a,
                                  [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] float* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x8_F16F16F16F16_TN, [[maybe_unused]] std::uint32_t const* a,
                                  [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] std::uint32_t* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x8_F32BF16BF16F32_TN, [[maybe_unused]] std::uint32_t const* a,
                                  [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] float* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x4_F32TF32TF32F32_TN, [[maybe_unused]] std::uint32_t const* a,
                                  [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] float* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_16x8x16_S32S8S8S32_TN, [[maybe_unused]] std::uint32_t const* a,
                                  [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] std::int32_t* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_8x8x16_S32S8S8S32_TN, [[maybe_unused]] std::uint32_t const* a,
                                  [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] std::int32_t* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a[0]), "r"(b[0]));
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM80_8x8x4_F64F64F64F64_TN, [[maybe_unused]] double const* a,
                                  [[maybe_unused]] double const* b, [[maybe_unused]] double* c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b[0]));
#endif
}
// The shapes of compute capability 9.0; a kernel of them traps where it is compiled for an older one.
TS_HOST_DEVICE TS_INLINE void mma(SM90_16x8x4_F64F64F64F64_TN, [[maybe_unused]] double const* a,
                                  [[maybe_unused]] double const* b, [[maybe_unused]] double* c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3]) : "d"(a[0]), "d"(a[1]), "d"(b[0]));
#elif defined(__CUDA_ARCH__)
  __trap();
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM90_16x8x8_F64F64F64F64_TN, [[maybe_unused]] double const* a,
                                  [[maybe_unused]] double const* b, [[maybe_unused]] double* c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif defined(__CUDA_ARCH__)
  __trap();
#endif
}
TS_HOST_DEVICE TS_INLINE void mma(SM90_16x8x16_F64F64F64F64_TN, [[maybe_unused]] double const* a,
                                  [[maybe_unused]] double const* b, [[maybe_unused]] double* c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]));
#elif defined(__CUDA_ARCH__)
  __trap();
#endif
}

}  // namespace detail

/// C += A B, one instruction of the whole warp.
/// @param a  this lane's Op::a_registers registers of A  @param b  of B  @param c  of C, accumulated in place
/// @pre every lane of the warp takes part
template <class Op>
TS_HOST_DEVICE TS_INLINE void matrix_multiply_add([[maybe_unused]] Op op,
                                                  [[maybe_unused]] typename Op::Register const* a,
                                                  [[maybe_unused]] typename Op::Register const* b,
                                                  [[maybe_unused]] typename Op::CRegister* c) {
#if defined(__CUDA_ARCH__)
  if constexpr (backend_has<Op>) detail::mma(op, a, b, c);
  else __trap();  // an instruction of another vendor
#endif
}

}  // namespace tilestep
