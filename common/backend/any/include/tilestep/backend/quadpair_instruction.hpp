#pragma once
// mma.sync of Volta, m8n8k4 with f16 operands: a warp multiplies four matrices by four at once. Each product has eight
// lanes, four of the lower half of the warp and four of the upper one: 0 to 3 and 16 to 19, and so on. Later machines
// have it, too, and are slow at it. Source: PTX ISA 9.0, "Warp-level matrix instructions: mma".

#include <tilestep/backend/matrix_instruction.hpp>  // MatrixInstruction

#include <concepts>     // std::convertible_to
#include <string_view>  // names of targets

namespace tilestep {

/// @tparam C  of the sums   @tparam ALongK  a lane has neighbours along K of A, otherwise along M
/// @tparam BLongK  the same of B, otherwise along N
template <DType C, bool ALongK, bool BLongK>
struct QuadpairMma : MatrixInstruction<32, 8, 8, 4, DType::f16, DType::f16, C, 1, 4> {
  static constexpr bool a_along_k = ALongK, b_along_k = BLongK;
};

/// An instruction of this file.
template <class Op>
concept IsQuadpairMma = requires {
  { Op::a_along_k } -> std::convertible_to<bool>;
};

struct SM70_8x8x4_F16F16F16F16_TN : QuadpairMma<DType::f16, true, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM70_8x8x4_F16F16F16F16_NT : QuadpairMma<DType::f16, false, false> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM70_8x8x4_F16F16F16F16_NN : QuadpairMma<DType::f16, false, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.col.col.f16.f16.f16.f16";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM70_8x8x4_F16F16F16F16_TT : QuadpairMma<DType::f16, true, false> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM70_8x8x4_F32F16F16F32_TN : QuadpairMma<DType::f32, true, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM70_8x8x4_F32F16F16F32_NT : QuadpairMma<DType::f32, false, false> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM70_8x8x4_F32F16F16F32_NN : QuadpairMma<DType::f32, false, true> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};
struct SM70_8x8x4_F32F16F16F32_TT : QuadpairMma<DType::f32, true, false> {
  static constexpr char const* name = "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32";
  static constexpr std::string_view targets = "sm80 sm90";
};

/// Calls all(Op{}...) with the instructions of this file.
template <class All>
constexpr void for_each_quadpair_instruction(All&& all) {
  all(SM70_8x8x4_F16F16F16F16_TN{}, SM70_8x8x4_F16F16F16F16_NT{}, SM70_8x8x4_F16F16F16F16_NN{},
      SM70_8x8x4_F16F16F16F16_TT{}, SM70_8x8x4_F32F16F16F32_TN{}, SM70_8x8x4_F32F16F16F32_NT{},
      SM70_8x8x4_F32F16F16F32_NN{}, SM70_8x8x4_F32F16F16F32_TT{});
}

}  // namespace tilestep
