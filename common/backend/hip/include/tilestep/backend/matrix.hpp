#pragma once
// One matrix instruction of a warp: MFMA (CDNA) or WMMA (RDNA), as the compiler's builtins.

#include <tilestep/backend/instruction.hpp>  // the instructions
#include <tilestep/backend/macros.hpp>       // TS_HOST_DEVICE, TS_INLINE

#include <cstdint>      // std::uint32_t
#include <type_traits>  // std::is_same_v

namespace tilestep {

/// On the virtual GPU a whole tile of instructions is one call; here every instruction is one.
inline constexpr bool matrix_instructions_by_tile = false;

/// Can a kernel of this backend contain the instruction?
template <class Op>
inline constexpr bool backend_has = Op::targets.starts_with("gfx");

#if defined(__HIP_DEVICE_COMPILE__)

namespace detail {

// The target that this pass compiles for.
#if defined(__gfx90a__)
inline constexpr std::string_view compiled_target = "gfx90a";
#elif defined(__gfx950__)
inline constexpr std::string_view compiled_target = "gfx950";
#elif defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
inline constexpr std::string_view compiled_target = "gfx942";
#elif defined(__GFX11__)
inline constexpr std::string_view compiled_target = "gfx1100";
#elif defined(__gfx1200__) || defined(__gfx1201__)  // gfx125x has other matrix instructions
inline constexpr std::string_view compiled_target = "gfx1201";
#else
inline constexpr std::string_view compiled_target = "";
#endif

template <class T, int N>
using Vector __attribute__((ext_vector_type(N))) = T;
using Half = _Float16;

// The same registers as a value that a builtin takes. A number of 64 bits would be put together by shifts, and then
// clang reads it from memory once more.
template <class To, class Register>
TS_HOST_DEVICE TS_INLINE To registers_as(Register const* registers) {
  if constexpr (std::is_same_v<To, long>)
    return __builtin_bit_cast(To, Vector<int, 2>{int(registers[0]), int(registers[1])});
  To value;
  __builtin_memcpy(&value, registers, sizeof(To));
  return value;
}

}  // namespace detail

#endif

/// C += A B, one instruction of the whole warp.
/// @param a  this lane's Op::a_registers registers of A  @param b  of B  @param c  of C, accumulated in place
/// @pre every lane of the warp takes part
template <class Op>
TS_HOST_DEVICE TS_INLINE void matrix_multiply_add(Op, [[maybe_unused]] typename Op::Register const* a,
                                                  [[maybe_unused]] typename Op::Register const* b,
                                                  [[maybe_unused]] typename Op::CRegister* c) {
#if defined(__HIP_DEVICE_COMPILE__)
  using namespace detail;
  using Sum = std::conditional_t<Op::c_registers == 1, typename Op::CRegister,
                                 Vector<typename Op::CRegister, Op::c_registers>>;
  auto const with = [&](auto&& builtin, auto operand) {  // operand: a value of the type of A and B
    using Operand = decltype(operand);
    Sum const sum = builtin(registers_as<Operand>(a), registers_as<Operand>(b), registers_as<Sum>(c));
    __builtin_memcpy(c, &sum, sizeof(sum));
  };
  // An instruction of another target stops the program. Not __builtin_trap(): a kernel that surely ends there is not
  // optimised.
  if constexpr (!has_instruction<Op>(compiled_target)) asm volatile("s_trap 2");
  else if constexpr (std::is_same_v<Op, CDNA_32x32x8_F32F16F16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, z, 0, 0, 0); },
         Vector<Half, 4>{});
  else if constexpr (std::is_same_v<Op, CDNA_16x16x16_F32F16F16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, z, 0, 0, 0); },
         Vector<Half, 4>{});
  else if constexpr (std::is_same_v<Op, CDNA_32x32x8_F32BF16BF16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(x, y, z, 0, 0, 0); },
         Vector<short, 4>{});
  else if constexpr (std::is_same_v<Op, CDNA_16x16x16_F32BF16BF16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, z, 0, 0, 0); },
         Vector<short, 4>{});
  else if constexpr (std::is_base_of_v<CDNA_32x32x2_F32F32F32F32, Op>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_32x32x2f32(x, y, z, 0, 0, 0); }, float{});
  else if constexpr (std::is_same_v<Op, CDNA_16x16x4_F32F32F32F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_16x16x4f32(x, y, z, 0, 0, 0); }, float{});
  else if constexpr (std::is_same_v<Op, CDNA_16x16x4_F64F64F64F64>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f64_16x16x4f64(x, y, z, 0, 0, 0); }, double{});
  else if constexpr (std::is_same_v<Op, CDNA_4x4x4_F64F64F64F64>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f64_4x4x4f64(x, y, z, 0, 0, 0); }, double{});
  else if constexpr (std::is_same_v<Op, CDNA2_32x32x8_I32I8I8I32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_i32_32x32x8i8(x, y, z, 0, 0, 0); }, int{});
  else if constexpr (std::is_same_v<Op, CDNA2_16x16x16_I32I8I8I32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_i32_16x16x16i8(x, y, z, 0, 0, 0); }, int{});
  else if constexpr (std::is_same_v<Op, CDNA3_32x32x16_I32I8I8I32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_i32_32x32x16_i8(x, y, z, 0, 0, 0); }, long{});
  else if constexpr (std::is_same_v<Op, CDNA3_16x16x32_I32I8I8I32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_i32_16x16x32_i8(x, y, z, 0, 0, 0); }, long{});
#if __has_builtin(__builtin_amdgcn_mfma_f32_32x32x16_f16)
  else if constexpr (std::is_same_v<Op, CDNA4_32x32x16_F32F16F16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_32x32x16_f16(x, y, z, 0, 0, 0); },
         Vector<Half, 8>{});
  else if constexpr (std::is_same_v<Op, CDNA4_16x16x32_F32F16F16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_16x16x32_f16(x, y, z, 0, 0, 0); },
         Vector<Half, 8>{});
  else if constexpr (std::is_same_v<Op, CDNA4_32x32x16_F32BF16BF16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_32x32x16_bf16(x, y, z, 0, 0, 0); },
         Vector<__bf16, 8>{});
  else if constexpr (std::is_same_v<Op, CDNA4_16x16x32_F32BF16BF16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_f32_16x16x32_bf16(x, y, z, 0, 0, 0); },
         Vector<__bf16, 8>{});
  else if constexpr (std::is_same_v<Op, CDNA4_32x32x32_I32I8I8I32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_mfma_i32_32x32x32_i8(x, y, z, 0, 0, 0); },
         Vector<int, 4>{});
#endif
  else if constexpr (std::is_same_v<Op, RDNA3_16x16x16_F32F16F16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, z); },
         Vector<Half, 16>{});
  else if constexpr (std::is_same_v<Op, RDNA3_16x16x16_F32BF16BF16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(x, y, z); },
         Vector<short, 16>{});
  else if constexpr (std::is_same_v<Op, RDNA3_16x16x16_I32I8I8I32>)  // true: signed; false: sums wrap around
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, x, true, y, z, false); },
         Vector<int, 4>{});
  else if constexpr (std::is_same_v<Op, RDNA4_16x16x16_F32F16F16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, z); },
         Vector<Half, 8>{});
  else if constexpr (std::is_same_v<Op, RDNA4_16x16x16_F32BF16BF16F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(x, y, z); },
         Vector<short, 8>{});
  else if constexpr (std::is_same_v<Op, RDNA4_16x16x16_I32I8I8I32>)
    with([](auto x, auto y,
            auto z) { return __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, x, true, y, z, false); },
         Vector<int, 2>{});
  else if constexpr (std::is_same_v<Op, RDNA4_16x16x16_F32E4M3E4M3F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(x, y, z); },
         Vector<int, 2>{});
  else if constexpr (std::is_same_v<Op, RDNA4_16x16x16_F32E5M2E5M2F32>)
    with([](auto x, auto y, auto z) { return __builtin_amdgcn_wmma_f32_16x16x16_bf8_bf8_w32_gfx12(x, y, z); },
         Vector<int, 2>{});
  else
    static_assert(sizeof(Op) == 0, "this compiler does not know the instruction: take a newer one (gfx950: LLVM 20)");
#endif
}

}  // namespace tilestep
