#pragma once
// The matrix instructions: what a warp can multiply at once, on which machines. One empty struct each; its name is
// CuTe's for NVIDIA and in the same form for AMD: who has it, M x N x K, types of D, A, B and C. What it does is in
// `matrix_multiply_add()` of each backend.

#include <tilestep/backend/byte_instruction.hpp>      // mma.sync with 8-bit operands
#include <tilestep/backend/matrix_instruction.hpp>    // MatrixInstruction
#include <tilestep/backend/quadpair_instruction.hpp>  // mma.sync of eight lanes
#include <tilestep/backend/subbyte_instruction.hpp>   // mma.sync with operands of 4 bits and of one

#include <cstddef>      // std::size_t
#include <string_view>  // names of targets

namespace tilestep {

// ---- NVIDIA: mma.sync, a warp of 32 ----
// Source: PTX ISA 9.0, "Warp-level matrix instructions: mma"

struct SM80_16x8x16_F32F16F16F32_TN
    : MatrixInstruction<32, 16, 8, 16, DType::f16, DType::f16, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_F16F16F16F16_TN
    : MatrixInstruction<32, 16, 8, 16, DType::f16, DType::f16, DType::f16> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_F32BF16BF16F32_TN
    : MatrixInstruction<32, 16, 8, 16, DType::bf16, DType::bf16, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x8_F32TF32TF32F32_TN
    : MatrixInstruction<32, 16, 8, 8, DType::tf32, DType::tf32, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x32_S32S8S8S32_TN : MatrixInstruction<32, 16, 8, 32, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
// The same with half as much along K, or fewer rows.
struct SM80_16x8x8_F32F16F16F32_TN
    : MatrixInstruction<32, 16, 8, 8, DType::f16, DType::f16, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x8_F16F16F16F16_TN
    : MatrixInstruction<32, 16, 8, 8, DType::f16, DType::f16, DType::f16> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x8_F32BF16BF16F32_TN
    : MatrixInstruction<32, 16, 8, 8, DType::bf16, DType::bf16, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x4_F32TF32TF32F32_TN
    : MatrixInstruction<32, 16, 8, 4, DType::tf32, DType::tf32, DType::f32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_16x8x16_S32S8S8S32_TN : MatrixInstruction<32, 16, 8, 16, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x16_S32S8S8S32_TN : MatrixInstruction<32, 8, 8, 16, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM80_8x8x4_F64F64F64F64_TN : MatrixInstruction<32, 8, 8, 4, DType::f64, DType::f64, DType::f64> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM90_16x8x4_F64F64F64F64_TN
    : MatrixInstruction<32, 16, 8, 4, DType::f64, DType::f64, DType::f64> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64";
  static constexpr std::string_view targets = "sm90";
};
struct SM90_16x8x8_F64F64F64F64_TN
    : MatrixInstruction<32, 16, 8, 8, DType::f64, DType::f64, DType::f64> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64";
  static constexpr std::string_view targets = "sm90";
};
struct SM90_16x8x16_F64F64F64F64_TN
    : MatrixInstruction<32, 16, 8, 16, DType::f64, DType::f64, DType::f64> {
  static constexpr char const* name = "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64";
  static constexpr std::string_view targets = "sm90";
};

// ---- AMD CDNA: MFMA, a warp of 64 ---- Source: AMD Instinct MI200, MI300 and CDNA4 ISA documents, "Matrix
// fused-multiply-add"; gfx90a spells the names without the last underscore and bf16 as bf16_1k

struct CDNA_32x32x8_F32F16F16F32 : MatrixInstruction<64, 32, 32, 8, DType::f16, DType::f16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_32x32x8_f16";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA_16x16x16_F32F16F16F32
    : MatrixInstruction<64, 16, 16, 16, DType::f16, DType::f16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_16x16x16_f16";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA_32x32x8_F32BF16BF16F32
    : MatrixInstruction<64, 32, 32, 8, DType::bf16, DType::bf16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_32x32x8_bf16";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA_16x16x16_F32BF16BF16F32
    : MatrixInstruction<64, 16, 16, 16, DType::bf16, DType::bf16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_16x16x16_bf16";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA_32x32x2_F32F32F32F32 : MatrixInstruction<64, 32, 32, 2, DType::f32, DType::f32, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_32x32x2_f32";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA_16x16x4_F32F32F32F32 : MatrixInstruction<64, 16, 16, 4, DType::f32, DType::f32, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_16x16x4_f32";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA_16x16x4_F64F64F64F64 : MatrixInstruction<64, 16, 16, 4, DType::f64, DType::f64, DType::f64> {
  static constexpr char const* name = "v_mfma_f64_16x16x4_f64";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA_4x4x4_F64F64F64F64
    : MatrixInstruction<64, 4, 4, 4, DType::f64, DType::f64, DType::f64, 1, 4> {
  static constexpr char const* name = "v_mfma_f64_4x4x4_4b_f64";
  static constexpr std::string_view targets = "gfx90a gfx942 gfx950";
};
struct CDNA2_32x32x8_I32I8I8I32 : MatrixInstruction<64, 32, 32, 8, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "v_mfma_i32_32x32x8i8";
  static constexpr std::string_view targets = "gfx90a";
};
struct CDNA2_16x16x16_I32I8I8I32 : MatrixInstruction<64, 16, 16, 16, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "v_mfma_i32_16x16x16i8";
  static constexpr std::string_view targets = "gfx90a";
};
struct CDNA3_32x32x16_I32I8I8I32 : MatrixInstruction<64, 32, 32, 16, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "v_mfma_i32_32x32x16_i8";
  static constexpr std::string_view targets = "gfx942 gfx950";
};
struct CDNA3_16x16x32_I32I8I8I32 : MatrixInstruction<64, 16, 16, 32, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "v_mfma_i32_16x16x32_i8";
  static constexpr std::string_view targets = "gfx942 gfx950";
};
struct CDNA4_32x32x16_F32F16F16F32
    : MatrixInstruction<64, 32, 32, 16, DType::f16, DType::f16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_32x32x16_f16";
  static constexpr std::string_view targets = "gfx950";
};
struct CDNA4_16x16x32_F32F16F16F32
    : MatrixInstruction<64, 16, 16, 32, DType::f16, DType::f16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_16x16x32_f16";
  static constexpr std::string_view targets = "gfx950";
};
struct CDNA4_32x32x16_F32BF16BF16F32
    : MatrixInstruction<64, 32, 32, 16, DType::bf16, DType::bf16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_32x32x16_bf16";
  static constexpr std::string_view targets = "gfx950";
};
struct CDNA4_16x16x32_F32BF16BF16F32
    : MatrixInstruction<64, 16, 16, 32, DType::bf16, DType::bf16, DType::f32> {
  static constexpr char const* name = "v_mfma_f32_16x16x32_bf16";
  static constexpr std::string_view targets = "gfx950";
};
struct CDNA4_32x32x32_I32I8I8I32 : MatrixInstruction<64, 32, 32, 32, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "v_mfma_i32_32x32x32_i8";
  static constexpr std::string_view targets = "gfx950";
};

// ---- AMD RDNA: WMMA, a warp of 32 ---- Source: AMD RDNA3 and RDNA4 ISA documents, "Wave matrix multiply accumulate";
// RDNA3's lanes 16-31 repeat A and B of lanes 0-15

struct RDNA3_16x16x16_F32F16F16F32
    : MatrixInstruction<32, 16, 16, 16, DType::f16, DType::f16, DType::f32, 2> {
  static constexpr char const* name = "v_wmma_f32_16x16x16_f16";
  static constexpr std::string_view targets = "gfx1100";
};
struct RDNA3_16x16x16_F32BF16BF16F32
    : MatrixInstruction<32, 16, 16, 16, DType::bf16, DType::bf16, DType::f32, 2> {
  static constexpr char const* name = "v_wmma_f32_16x16x16_bf16";
  static constexpr std::string_view targets = "gfx1100";
};
struct RDNA3_16x16x16_I32I8I8I32
    : MatrixInstruction<32, 16, 16, 16, DType::i8, DType::i8, DType::i32, 2> {
  static constexpr char const* name = "v_wmma_i32_16x16x16_iu8";
  static constexpr std::string_view targets = "gfx1100";
};
struct RDNA4_16x16x16_F32F16F16F32
    : MatrixInstruction<32, 16, 16, 16, DType::f16, DType::f16, DType::f32> {
  static constexpr char const* name = "v_wmma_f32_16x16x16_f16";
  static constexpr std::string_view targets = "gfx1201";
};
struct RDNA4_16x16x16_F32BF16BF16F32
    : MatrixInstruction<32, 16, 16, 16, DType::bf16, DType::bf16, DType::f32> {
  static constexpr char const* name = "v_wmma_f32_16x16x16_bf16";
  static constexpr std::string_view targets = "gfx1201";
};
struct RDNA4_16x16x16_I32I8I8I32 : MatrixInstruction<32, 16, 16, 16, DType::i8, DType::i8, DType::i32> {
  static constexpr char const* name = "v_wmma_i32_16x16x16_iu8";
  static constexpr std::string_view targets = "gfx1201";
};

struct RDNA4_16x16x16_F32E4M3E4M3F32
    : MatrixInstruction<32, 16, 16, 16, DType::e4m3, DType::e4m3, DType::f32> {
  static constexpr char const* name = "v_wmma_f32_16x16x16_fp8_fp8";
  static constexpr std::string_view targets = "gfx1201";
};
struct RDNA4_16x16x16_F32E5M2E5M2F32
    : MatrixInstruction<32, 16, 16, 16, DType::e5m2, DType::e5m2, DType::f32> {
  static constexpr char const* name = "v_wmma_f32_16x16x16_bf8_bf8";
  static constexpr std::string_view targets = "gfx1201";
};

/// Calls visit(Op{}) for every matrix instruction.
template <class Visit>
constexpr void for_each_matrix_instruction(Visit&& visit) {
  auto const all = [&](auto... op) { (visit(op), ...); };
  for_each_byte_instruction(all);
  for_each_subbyte_instruction(all);
  for_each_quadpair_instruction(all);
  all(SM80_16x8x16_F32F16F16F32_TN{}, SM80_16x8x16_F16F16F16F16_TN{}, SM80_16x8x16_F32BF16BF16F32_TN{},
      SM80_16x8x8_F32TF32TF32F32_TN{}, SM80_16x8x32_S32S8S8S32_TN{}, SM80_16x8x8_F32F16F16F32_TN{},
      SM80_16x8x8_F16F16F16F16_TN{}, SM80_16x8x8_F32BF16BF16F32_TN{}, SM80_16x8x4_F32TF32TF32F32_TN{},
      SM80_16x8x16_S32S8S8S32_TN{}, SM80_8x8x16_S32S8S8S32_TN{}, SM80_8x8x4_F64F64F64F64_TN{},
      SM90_16x8x4_F64F64F64F64_TN{}, SM90_16x8x8_F64F64F64F64_TN{}, SM90_16x8x16_F64F64F64F64_TN{},
      CDNA_32x32x8_F32F16F16F32{}, CDNA_16x16x16_F32F16F16F32{}, CDNA_32x32x8_F32BF16BF16F32{},
      CDNA_16x16x16_F32BF16BF16F32{}, CDNA_32x32x2_F32F32F32F32{}, CDNA_16x16x4_F32F32F32F32{},
      CDNA_16x16x4_F64F64F64F64{}, CDNA_4x4x4_F64F64F64F64{}, CDNA2_32x32x8_I32I8I8I32{}, CDNA2_16x16x16_I32I8I8I32{},
      CDNA3_32x32x16_I32I8I8I32{}, CDNA3_16x16x32_I32I8I8I32{}, CDNA4_32x32x16_F32F16F16F32{},
      CDNA4_16x16x32_F32F16F16F32{}, CDNA4_32x32x16_F32BF16BF16F32{}, CDNA4_16x16x32_F32BF16BF16F32{},
      CDNA4_32x32x32_I32I8I8I32{}, RDNA3_16x16x16_F32F16F16F32{}, RDNA3_16x16x16_F32BF16BF16F32{},
      RDNA3_16x16x16_I32I8I8I32{}, RDNA4_16x16x16_F32F16F16F32{}, RDNA4_16x16x16_F32BF16BF16F32{},
      RDNA4_16x16x16_I32I8I8I32{}, RDNA4_16x16x16_F32E4M3E4M3F32{}, RDNA4_16x16x16_F32E5M2E5M2F32{});
}

/// Does the target execute this instruction?
template <class Op>
constexpr bool has_instruction(std::string_view target) {
  for (std::size_t at = 0; at < Op::targets.size();) {
    std::size_t const end = Op::targets.find(' ', at) == Op::targets.npos ? Op::targets.size()
                                                                          : Op::targets.find(' ', at);
    if (Op::targets.substr(at, end - at) == target) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace tilestep
