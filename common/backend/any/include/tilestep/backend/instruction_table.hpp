#pragma once
// What each matrix instruction reads and writes, as the vendors' manuals say it: which element is which value of which
// lane. The virtual GPU executes these tables. The traits of the atoms say the same in layouts; they are written apart
// from this file, so that a wrong one gives wrong numbers.
//
// Value v of a lane stands in register v * bits / 32, lowest value in the lowest bits; an f64 in two registers. The
// matrices of an instruction of several blocks stand under one another: row r of block i is row r + i * rows.

#include <tilestep/backend/instruction.hpp>  // the instructions

namespace tilestep::virtual_gpu {

/// An element of a matrix.
struct Place {
  int row, column;
  friend constexpr bool operator==(Place, Place) = default;
};

// ---- NVIDIA ----
// Source: PTX ISA 9.0, section "Matrix fragments" of each shape. A is given as (m,k), B as (k,n), C as (m,n).

namespace ptx {

struct Lane {
  int group, thread;  // groupID and threadID_in_group of the manual
  constexpr explicit Lane(int lane) : group(lane >> 2), thread(lane % 4) {}
};

/// C of every m16n8 shape: c0 c1 in row groupID, c2 c3 in row groupID + 8.
constexpr Place accumulator(int lane, int i) {
  Lane const l(lane);
  return {i < 2 ? l.group : l.group + 8, l.thread * 2 + (i & 1)};
}

/// m16n8k16 with .f16 and .bf16
struct M16N8K16 {
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    bool const upper = (0 <= i && i < 2) || (4 <= i && i < 6);
    return {upper ? l.group : l.group + 8, i < 4 ? l.thread * 2 + (i & 1) : l.thread * 2 + (i & 1) + 8};
  }
  static constexpr Place b(int lane, int i) {
    Lane const l(lane);
    return {i < 2 ? l.thread * 2 + (i & 1) : l.thread * 2 + (i & 1) + 8, l.group};
  }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m16n8k8 with .f16 and .bf16
struct M16N8K8Halves {
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    return {i < 2 ? l.group : l.group + 8, l.thread * 2 + (i & 1)};
  }
  static constexpr Place b(int lane, int i) { return {Lane(lane).thread * 2 + (i & 1), Lane(lane).group}; }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m16n8k4 with .tf32
struct M16N8K4 {
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    return {i == 0 ? l.group : l.group + 8, l.thread};
  }
  static constexpr Place b(int lane, int) { return {Lane(lane).thread, Lane(lane).group}; }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m16n8k16 with .s8 and .u8
struct M16N8K16Bytes {
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    return {i < 4 ? l.group : l.group + 8, l.thread * 4 + (i & 3)};
  }
  static constexpr Place b(int lane, int i) { return {Lane(lane).thread * 4 + (i & 3), Lane(lane).group}; }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m8n8k16 with .s8 and .u8
struct M8N8K16 {
  static constexpr Place a(int lane, int i) { return {Lane(lane).group, Lane(lane).thread * 4 + i}; }
  static constexpr Place b(int lane, int i) { return {Lane(lane).thread * 4 + i, Lane(lane).group}; }
  static constexpr Place c(int lane, int i) { return {Lane(lane).group, Lane(lane).thread * 2 + i}; }
};

/// m16n8k8 with .tf32
struct M16N8K8 {
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    return {i == 0 || i == 2 ? l.group : l.group + 8, i == 0 || i == 1 ? l.thread : l.thread + 4};
  }
  static constexpr Place b(int lane, int i) {
    Lane const l(lane);
    return {i == 0 ? l.thread : l.thread + 4, l.group};
  }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m16n8k32 with .s8, .u8, .e4m3 and .e5m2
struct M16N8K32 {
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    bool const upper = (0 <= i && i < 4) || (8 <= i && i < 12);
    return {upper ? l.group : l.group + 8, i < 8 ? l.thread * 4 + (i & 3) : l.thread * 4 + (i & 3) + 16};
  }
  static constexpr Place b(int lane, int i) {
    Lane const l(lane);
    return {i < 4 ? l.thread * 4 + (i & 3) : l.thread * 4 + (i & 3) + 16, l.group};
  }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m8n8k32 with .s4 and .u4 and m8n8k128 with .b1: one register of A and of B, of so many elements.
template <int Elements>
struct M8N8Register {
  static constexpr Place a(int lane, int i) { return {Lane(lane).group, Lane(lane).thread * Elements + i}; }
  static constexpr Place b(int lane, int i) { return {Lane(lane).thread * Elements + i, Lane(lane).group}; }
  static constexpr Place c(int lane, int i) { return {Lane(lane).group, Lane(lane).thread * 2 + i}; }
};

/// m16n8k32 and m16n8k64 with .s4 and .u4, m16n8k128 and m16n8k256 with .b1. Of the shorter K there is the first half
/// of each operand's values.
template <int Elements>
struct M16N8Registers {
  static constexpr int mask = Elements - 1;
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    bool const upper = (0 <= i && i < Elements) || (2 * Elements <= i && i < 3 * Elements);
    int const k = l.thread * Elements + (i & mask);
    return {upper ? l.group : l.group + 8, i < 2 * Elements ? k : k + 4 * Elements};
  }
  static constexpr Place b(int lane, int i) {
    Lane const l(lane);
    int const k = l.thread * Elements + (i & mask);
    return {i < Elements ? k : k + 4 * Elements, l.group};
  }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m8n8k4 with .f64
struct M8N8K4 {
  static constexpr Place a(int lane, int) { return {Lane(lane).group, Lane(lane).thread}; }
  static constexpr Place b(int lane, int) { return {Lane(lane).thread, Lane(lane).group}; }
  static constexpr Place c(int lane, int i) { return {Lane(lane).group, Lane(lane).thread * 2 + (i & 1)}; }
};

/// m16n8k4, m16n8k8 and m16n8k16 with .f64
struct M16N8F64 {
  static constexpr Place a(int lane, int i) {
    Lane const l(lane);
    return {i % 2 == 0 ? l.group : l.group + 8, l.thread + i / 2 * 4};
  }
  static constexpr Place b(int lane, int i) { return {Lane(lane).thread + i * 4, Lane(lane).group}; }
  static constexpr Place c(int lane, int i) { return accumulator(lane, i); }
};

/// m8n8k4 with .f16, four products: of lanes l and l + 16 for l = 0 .. 3, 4 .. 7, and so on.
template <class Op>
struct Quadpair {
  static constexpr int block(int lane) { return lane % 16 / 4; }
  static constexpr int within(int lane) { return lane % 4 + (lane < 16 ? 0 : 4); }  // of the eight lanes
  /// (the lane's, the value's) where neighbours lie along K; otherwise the other way round
  static constexpr Place operand(int lane, int i, bool along_k) {
    if (along_k) return {within(lane), i};
    return {i + (lane < 16 ? 0 : 4), lane % 4};
  }
  static constexpr Place a(int lane, int i) {
    Place const place = operand(lane, i, Op::a_along_k);
    return {8 * block(lane) + place.row, place.column};
  }
  static constexpr Place b(int lane, int i) {
    Place const place = operand(lane, i, Op::b_along_k);
    return {4 * block(lane) + place.column, place.row};
  }
  static constexpr Place c(int lane, int i) {
    if (Op::c == DType::f16) return {8 * block(lane) + within(lane), i};
    int const row = (lane & 1) + (i & 2) + (lane < 16 ? 0 : 4);
    return {8 * block(lane) + row, (i & 4) + (lane & 2) + (i & 1)};
  }
};

}  // namespace ptx

// ---- AMD ---- Source: AMD matrix instruction calculator, register layouts of gfx90a, gfx942, gfx1100, gfx1201; the
// calculator does not know gfx950, whose shapes are those of gfx942's 8-bit instructions of the same K. Operands as
// above.

namespace amd {

/// v_mfma with 32 x 32: `Values` of A and of B in each lane.
template <int Values>
struct Mfma32 {
  static constexpr Place a(int lane, int e) { return {lane % 32, Values * (lane / 32) + e}; }
  static constexpr Place b(int lane, int e) { return {Values * (lane / 32) + e, lane % 32}; }
  static constexpr Place c(int lane, int r) { return {8 * (r / 4) + 4 * (lane / 32) + r % 4, lane % 32}; }
};

/// v_mfma with 16 x 16
template <int Values>
struct Mfma16 {
  static constexpr Place a(int lane, int e) { return {lane % 16, Values * (lane / 16) + e}; }
  static constexpr Place b(int lane, int e) { return {Values * (lane / 16) + e, lane % 16}; }
  static constexpr Place c(int lane, int r) { return {4 * (lane / 16) + r, lane % 16}; }
};

/// v_mfma with 16 x 16 of f64: a lane's rows of C are 4 apart.
struct Mfma16F64 {
  static constexpr Place a(int lane, int) { return {lane % 16, lane / 16}; }
  static constexpr Place b(int lane, int) { return {lane / 16, lane % 16}; }
  static constexpr Place c(int lane, int r) { return {4 * r + lane / 16, lane % 16}; }
};

/// v_mfma with 4 x 4 of f64: blocks of 4 lanes side by side, 16 lanes for each k, or each row of C.
struct Mfma4F64 {
  static constexpr int block(int lane) { return lane / 4 % 4; }
  static constexpr Place a(int lane, int) { return {4 * block(lane) + lane % 4, lane / 16}; }
  static constexpr Place b(int lane, int) { return {4 * block(lane) + lane / 16, lane % 4}; }
  static constexpr Place c(int lane, int) { return {4 * block(lane) + lane / 16, lane % 4}; }
};

/// v_wmma of RDNA3, wave32: lanes 16 to 31 bring A and B once more.
struct WmmaRdna3 {
  static constexpr Place a(int lane, int e) { return {lane % 16, e}; }
  static constexpr Place b(int lane, int e) { return {e, lane % 16}; }
  static constexpr Place c(int lane, int r) { return {2 * r + lane / 16, lane % 16}; }
};

/// v_wmma of RDNA4, wave32, with 16-bit operands
struct WmmaRdna4 {
  static constexpr Place a(int lane, int e) { return {lane % 16, 8 * (e / 4) + 4 * (lane / 16) + e % 4}; }
  static constexpr Place b(int lane, int e) { return {8 * (e / 4) + 4 * (lane / 16) + e % 4, lane % 16}; }
  static constexpr Place c(int lane, int r) { return {8 * (lane / 16) + r, lane % 16}; }
};

/// The same with 8-bit operands
struct WmmaRdna4Bytes {
  static constexpr Place a(int lane, int e) { return {lane % 16, 8 * (lane / 16) + e}; }
  static constexpr Place b(int lane, int e) { return {8 * (lane / 16) + e, lane % 16}; }
  static constexpr Place c(int lane, int r) { return WmmaRdna4::c(lane, r); }
};

}  // namespace amd

/// a(lane, value) -> (m,k), b(lane, value) -> (k,n), c(lane, value) -> (m,n)
template <class Op>
struct InstructionTable;

template <> struct InstructionTable<SM80_16x8x16_F32F16F16F32_TN> : ptx::M16N8K16 {};
template <> struct InstructionTable<SM80_16x8x16_F16F16F16F16_TN> : ptx::M16N8K16 {};
template <> struct InstructionTable<SM80_16x8x16_F32BF16BF16F32_TN> : ptx::M16N8K16 {};
template <> struct InstructionTable<SM80_16x8x8_F32TF32TF32F32_TN> : ptx::M16N8K8 {};
template <> struct InstructionTable<SM80_16x8x32_S32S8S8S32_TN> : ptx::M16N8K32 {};
template <> struct InstructionTable<SM80_16x8x8_F32F16F16F32_TN> : ptx::M16N8K8Halves {};
template <> struct InstructionTable<SM80_16x8x8_F16F16F16F16_TN> : ptx::M16N8K8Halves {};
template <> struct InstructionTable<SM80_16x8x8_F32BF16BF16F32_TN> : ptx::M16N8K8Halves {};
template <> struct InstructionTable<SM80_16x8x4_F32TF32TF32F32_TN> : ptx::M16N8K4 {};
template <> struct InstructionTable<SM80_16x8x16_S32S8S8S32_TN> : ptx::M16N8K16Bytes {};
template <> struct InstructionTable<SM80_8x8x16_S32S8S8S32_TN> : ptx::M8N8K16 {};
template <ByteMmaOf<16, 32> Op> struct InstructionTable<Op> : ptx::M16N8K32 {};
template <ByteMmaOf<16, 16> Op> struct InstructionTable<Op> : ptx::M16N8K16Bytes {};
template <ByteMmaOf<8, 16> Op> struct InstructionTable<Op> : ptx::M8N8K16 {};
template <IsQuadpairMma Op> struct InstructionTable<Op> : ptx::Quadpair<Op> {};
template <SubbyteMmaOf<8, 32> Op> struct InstructionTable<Op> : ptx::M8N8Register<8> {};
template <SubbyteMmaOf<16, 32> Op> struct InstructionTable<Op> : ptx::M16N8Registers<8> {};
template <SubbyteMmaOf<16, 64> Op> struct InstructionTable<Op> : ptx::M16N8Registers<8> {};
template <SubbyteMmaOf<8, 128> Op> struct InstructionTable<Op> : ptx::M8N8Register<32> {};
template <SubbyteMmaOf<16, 128> Op> struct InstructionTable<Op> : ptx::M16N8Registers<32> {};
template <SubbyteMmaOf<16, 256> Op> struct InstructionTable<Op> : ptx::M16N8Registers<32> {};
template <> struct InstructionTable<SM80_8x8x4_F64F64F64F64_TN> : ptx::M8N8K4 {};
template <> struct InstructionTable<SM90_16x8x4_F64F64F64F64_TN> : ptx::M16N8F64 {};
template <> struct InstructionTable<SM90_16x8x8_F64F64F64F64_TN> : ptx::M16N8F64 {};
template <> struct InstructionTable<SM90_16x8x16_F64F64F64F64_TN> : ptx::M16N8F64 {};
template <> struct InstructionTable<CDNA_16x16x4_F64F64F64F64> : amd::Mfma16F64 {};
template <> struct InstructionTable<CDNA_4x4x4_F64F64F64F64> : amd::Mfma4F64 {};
template <> struct InstructionTable<CDNA_32x32x8_F32F16F16F32> : amd::Mfma32<4> {};
template <> struct InstructionTable<CDNA_16x16x16_F32F16F16F32> : amd::Mfma16<4> {};
template <> struct InstructionTable<CDNA_32x32x8_F32BF16BF16F32> : amd::Mfma32<4> {};
template <> struct InstructionTable<CDNA_16x16x16_F32BF16BF16F32> : amd::Mfma16<4> {};
template <> struct InstructionTable<CDNA_32x32x2_F32F32F32F32> : amd::Mfma32<1> {};
template <> struct InstructionTable<CDNA_16x16x4_F32F32F32F32> : amd::Mfma16<1> {};
template <> struct InstructionTable<CDNA2_32x32x8_I32I8I8I32> : amd::Mfma32<4> {};
template <> struct InstructionTable<CDNA2_16x16x16_I32I8I8I32> : amd::Mfma16<4> {};
template <> struct InstructionTable<CDNA3_32x32x16_I32I8I8I32> : amd::Mfma32<8> {};
template <> struct InstructionTable<CDNA3_16x16x32_I32I8I8I32> : amd::Mfma16<8> {};
template <> struct InstructionTable<CDNA4_32x32x16_F32F16F16F32> : amd::Mfma32<8> {};
template <> struct InstructionTable<CDNA4_16x16x32_F32F16F16F32> : amd::Mfma16<8> {};
template <> struct InstructionTable<CDNA4_32x32x16_F32BF16BF16F32> : amd::Mfma32<8> {};
template <> struct InstructionTable<CDNA4_16x16x32_F32BF16BF16F32> : amd::Mfma16<8> {};
template <> struct InstructionTable<CDNA4_32x32x32_I32I8I8I32> : amd::Mfma32<16> {};
template <> struct InstructionTable<RDNA3_16x16x16_F32F16F16F32> : amd::WmmaRdna3 {};
template <> struct InstructionTable<RDNA3_16x16x16_F32BF16BF16F32> : amd::WmmaRdna3 {};
template <> struct InstructionTable<RDNA3_16x16x16_I32I8I8I32> : amd::WmmaRdna3 {};
template <> struct InstructionTable<RDNA4_16x16x16_F32F16F16F32> : amd::WmmaRdna4 {};
template <> struct InstructionTable<RDNA4_16x16x16_F32BF16BF16F32> : amd::WmmaRdna4 {};
template <> struct InstructionTable<RDNA4_16x16x16_I32I8I8I32> : amd::WmmaRdna4Bytes {};
template <> struct InstructionTable<RDNA4_16x16x16_F32E4M3E4M3F32> : amd::WmmaRdna4Bytes {};
template <> struct InstructionTable<RDNA4_16x16x16_F32E5M2E5M2F32> : amd::WmmaRdna4Bytes {};

}  // namespace tilestep::virtual_gpu
