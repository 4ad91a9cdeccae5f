#pragma once
// What element types are called, and the lists of types that chapters have kernels for.

#include <tilestep/atom.hpp>                  // element types, instructions
#include <tilestep/backend/target.hpp>        // TargetInfo
#include <tilestep/harness/gemm_chapter.hpp>  // GemmTypes, GemmCall

namespace tilestep {

namespace detail {
template <class T> inline constexpr DType dtype_stored = DType::f32;
template <> inline constexpr DType dtype_stored<half_t> = DType::f16;
template <> inline constexpr DType dtype_stored<bfloat16_t> = DType::bf16;
template <> inline constexpr DType dtype_stored<std::int32_t> = DType::i32;
template <> inline constexpr DType dtype_stored<double> = DType::f64;
}  // namespace detail

/// The types of chapters 06 to 15: f16 by matrix instructions, whose sums are cut, and f32 by FMA.
inline std::vector<GemmTypes> way_types() {
  return {GemmTypes{.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .truncating = true},
          GemmTypes{.dtype = DType::f32, .acc = DType::f32, .out = DType::f32}};
}

/// The targets that have one of these matrix instructions.
template <class... Ops>
std::vector<std::string> targets_with() {
  std::vector<std::string> names;
  for (TargetInfo const& each : targets) {
    if ((has_instruction<Ops>(each.name) || ...)) names.emplace_back(each.name);
  }
  return names;
}

/// f64 for a chapter that computes it by matrix instructions alone.
inline GemmTypes f64_by_matrix() {
  return {.dtype = DType::f64,
          .acc = DType::f64,
          .out = DType::f64,
          .targets = targets_with<SM80_8x8x4_F64F64F64F64_TN, CDNA_16x16x4_F64F64F64F64>()};
}

/// FP8, on the targets that have it, for a chapter with kernels of it.
inline std::vector<GemmTypes> fp8_types() {
  std::vector<GemmTypes> types;
  for (DType const dtype : {DType::e4m3, DType::e5m2}) {
    for (DType const out : {DType::f32, DType::bf16}) {
      types.push_back({.dtype = dtype,
                       .acc = DType::f32,
                       .out = out,
                       .targets = targets_with<SM89_16x8x32_F32E4M3E4M3F32_TN, RDNA4_16x16x16_F32E4M3E4M3F32>(),
                       .truncating = true});
    }
  }
  return types;
}

/// Every type but f64 and FP8 that matrix instructions compute, for a chapter's list of types.
inline std::vector<GemmTypes> matrix_types() {
  auto const types = [](DType dtype, DType acc, DType out, std::vector<std::string> on = {}) {
    // sums are cut
    return GemmTypes{.dtype = dtype, .acc = acc, .out = out, .targets = std::move(on), .truncating = !is_integer(acc)};
  };
  return {types(DType::f16, DType::f32, DType::f32),
          types(DType::f16, DType::f32, DType::f16),
          types(DType::f16, DType::f16, DType::f16, targets_with<SM80_16x8x16_F16F16F16F16_TN>()),
          types(DType::bf16, DType::f32, DType::f32),
          types(DType::bf16, DType::f32, DType::bf16),
          types(DType::tf32, DType::f32, DType::f32, targets_with<SM80_16x8x8_F32TF32TF32F32_TN>()),
          types(DType::i8, DType::i32, DType::i32),
          GemmTypes{.dtype = DType::f32, .acc = DType::f32, .out = DType::f32}};
}

/// A sentence about f32 and f64 where they are computed by FMA, or "".
inline std::string note_of_fma(GemmCall const& call) {
  bool const by_matrix = call.dtype == DType::f64 ? has_instruction<SM80_8x8x4_F64F64F64F64_TN>(call.target) ||
                                                        has_instruction<CDNA_16x16x4_F64F64F64F64>(call.target)
                                                  : has_instruction<CDNA_32x32x2_F32F32F32F32>(call.target);
  if ((call.dtype != DType::f32 && call.dtype != DType::f64) || by_matrix) return "";
  return std::string(call.dtype == DType::f64 ? "f64" : "f32") + " on " + call.target +
         ": no such matrix instruction, computed by FMA";
}

}  // namespace tilestep
