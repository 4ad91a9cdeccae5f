#pragma once
// Which instruction computes which types on which target, and on what tile: the table behind the chapters that multiply
// tiles in shared memory. A chapter takes the families it wants and says what it does with one kind.

#include <tilestep/atom.hpp>                 // instructions, element types
#include <tilestep/block/gemm_config.hpp>    // BlockTile, GemmConfig
#include <tilestep/harness/gemm_launch.hpp>  // GemmCall, GemmTypes, launch_gemm

#include <optional>     // a family may have nothing for a problem
#include <type_traits>  // std::conditional_t

namespace tilestep {

namespace detail {
constexpr DType dtype_of(MatrixType type) {
  return type == MatrixType::f32    ? DType::f32
         : type == MatrixType::tf32 ? DType::tf32
         : type == MatrixType::f16  ? DType::f16
         : type == MatrixType::bf16 ? DType::bf16
         : type == MatrixType::i8   ? DType::i8
         : type == MatrixType::f64  ? DType::f64
                                    : DType::i32;
}
template <class T> inline constexpr DType dtype_stored = DType::f32;
template <> inline constexpr DType dtype_stored<half_t> = DType::f16;
template <> inline constexpr DType dtype_stored<bfloat16_t> = DType::bf16;
template <> inline constexpr DType dtype_stored<std::int32_t> = DType::i32;
template <> inline constexpr DType dtype_stored<double> = DType::f64;

/// One way to multiply, whatever the instruction. @tparam BlkTile_  a BlockTile   @tparam TIn_, TOut_  stored types
/// @tparam TScale_  of alpha and beta
template <class Op, class BlkTile_, class TIn_, class TOut_, class TScale_>
struct KindTypes {
  using Instruction = Op;
  using BlkTile = BlkTile_;
  using TIn = TIn_;
  using TOut = TOut_;
  using TScale = TScale_;
  /// 16 bits to f32: what chapters have kernels for most layouts of
  static constexpr bool widens = sizeof(TIn) == 2 && sizeof(TOut) == 4;
};
template <class Op, class BlkTile, class TOut>
using KindOf =
    KindTypes<Op, BlkTile, std::conditional_t<Op::a == MatrixType::tf32, float, typename MmaTraits<Op>::ValA>, TOut,
              std::conditional_t<Op::c == MatrixType::i32, std::int32_t,
                                 std::conditional_t<Op::c == MatrixType::f64, double, float>>>;
}  // namespace detail

/// One way to multiply. @tparam Op  a matrix instruction   @tparam BlkTile_  a BlockTile   @tparam TOut_  stored type
/// of C
template <class Op, class BlkTile_, class TOut_>
struct GemmKind : detail::KindOf<Op, BlkTile_, TOut_> {
  static constexpr bool here = backend_has<Op>;  ///< kernels of this backend can contain it
  static bool computes(GemmCall const& call) {
    return call.dtype == detail::dtype_of(Op::a) && call.acc == detail::dtype_of(Op::c) &&
           call.out == detail::dtype_stored<TOut_> && has_instruction<Op>(call.target);
  }
};
/// f32 by FMA, on targets without a matrix instruction for it.
template <class BlkTile_>
struct GemmKind<UniversalFMA<float>, BlkTile_, float>
    : detail::KindTypes<UniversalFMA<float>, BlkTile_, float, float, float> {
  static constexpr bool here = true;
  static bool computes(GemmCall const& call) {
    return call.dtype == DType::f32 && !has_instruction<CDNA_32x32x2_F32F32F32F32>(call.target);
  }
};

/// Kinds that are compiled together.
template <class... Kinds>
struct GemmKinds {};
template <class... Some, class... Others>
constexpr GemmKinds<Some..., Others...> operator+(GemmKinds<Some...>, GemmKinds<Others...>) { return {}; }

/// f(Kind{}) of the kind that computes the problem, or nothing where none does. f is compiled for the instructions of
/// this backend alone.
template <class Result, class... Kinds, class F>
std::optional<Result> with_kind(GemmKinds<Kinds...>, GemmCall const& call, F&& f) {
  std::optional<Result> result;
  auto const attempt = [&](auto kind) {
    if constexpr (decltype(kind)::here) {
      if (!result && kind.computes(call)) result = f(kind);
    }
  };
  (attempt(Kinds{}), ...);
  return result;
}

/// The same kind with a multiprocessor to itself: twice the registers, where two blocks leave too few.
template <class Kind>
using OneBlock = GemmKind<
    typename Kind::Instruction,
    BlockTile<Kind::BlkTile::m, Kind::BlkTile::n, Kind::BlkTile::k, Kind::BlkTile::warps_m, Kind::BlkTile::warps_n>,
    typename Kind::TOut>;

/// What a kernel takes: operands that lie along these modes, in vectors of 16 bytes; or of any strides, element by
/// element.
template <class Kind, Contiguous A, Contiguous B, Arrangement Arranged = Arrangement::packed>
using VectorsOf = GemmConfig<typename Kind::Instruction, typename Kind::BlkTile, typename Kind::TIn, A, B,
                             16 / int(sizeof(typename Kind::TIn)), Arranged>;
template <class Kind>
using ScalarsOf = GemmConfig<typename Kind::Instruction, typename Kind::BlkTile, typename Kind::TIn,
                             Contiguous::unknown, Contiguous::unknown, 1>;

/// Launches Kernel<Config, TOut, TScale> with the types of a kind. @tparam Config  of that kind
template <class Kind, template <class, class, class> class Kernel, class Config>
void launch_kind(GemmCall const& call) {
  using In = typename Kind::TIn;
  launch_gemm<Kernel<Config, typename Kind::TOut, typename Kind::TScale>, In, In, typename Kind::TOut,
              typename Kind::TScale>(call);
}

// ---- The families: tiles of 64 bytes along K. f16 -> f32, which the chapters' tables show, has one of its own ----

// 4 warps of 64 x 64 on 128 x 128, two blocks on a multiprocessor.
template <int K> using NvidiaTile = BlockTile<128, 128, K, 2, 2, 2>;
using NvidiaF16 = GemmKinds<GemmKind<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, float>>;
using NvidiaBf16 = GemmKinds<GemmKind<SM80_16x8x16_F32BF16BF16F32_TN, NvidiaTile<32>, float>,
                             GemmKind<SM80_16x8x16_F32BF16BF16F32_TN, NvidiaTile<32>, bfloat16_t>>;
using NvidiaOthers = GemmKinds<GemmKind<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, half_t>,
                               GemmKind<SM80_16x8x16_F16F16F16F16_TN, NvidiaTile<32>, half_t>,
                               GemmKind<SM80_16x8x8_F32TF32TF32F32_TN, NvidiaTile<16>, float>,
                               GemmKind<SM80_16x8x32_S32S8S8S32_TN, NvidiaTile<64>, std::int32_t>>;

// 4 warps of 128 x 64 on 256 x 128, two blocks on a compute unit: the tile of CK's tutorial.
template <int K> using CdnaTile = BlockTile<256, 128, K, 2, 2, 2>;
using CdnaF16 = GemmKinds<GemmKind<CDNA_32x32x8_F32F16F16F32, CdnaTile<32>, float>>;
using CdnaBf16 = GemmKinds<GemmKind<CDNA_32x32x8_F32BF16BF16F32, CdnaTile<32>, float>,
                           GemmKind<CDNA_32x32x8_F32BF16BF16F32, CdnaTile<32>, bfloat16_t>>;
using CdnaOthers = GemmKinds<GemmKind<CDNA_32x32x8_F32F16F16F32, CdnaTile<32>, half_t>,
                             GemmKind<CDNA_32x32x2_F32F32F32F32, CdnaTile<16>, float>,
                             GemmKind<CDNA2_32x32x8_I32I8I8I32, CdnaTile<64>, std::int32_t>,
                             GemmKind<CDNA3_32x32x16_I32I8I8I32, CdnaTile<64>, std::int32_t>>;

// gfx950's own instructions, on tiles that are arranged for its 64 banks: to be asked before the others.
using Cdna4F16 = GemmKinds<GemmKind<CDNA4_32x32x16_F32F16F16F32, CdnaTile<32>, float>>;
using Cdna4Bf16 = GemmKinds<GemmKind<CDNA4_32x32x16_F32BF16BF16F32, CdnaTile<32>, float>,
                            GemmKind<CDNA4_32x32x16_F32BF16BF16F32, CdnaTile<32>, bfloat16_t>>;
using Cdna4Others = GemmKinds<GemmKind<CDNA4_32x32x16_F32F16F16F32, CdnaTile<32>, half_t>,
                              GemmKind<CDNA4_32x32x2_F32F32F32F32, CdnaTile<16>, float>,
                              GemmKind<CDNA4_32x32x32_I32I8I8I32, CdnaTile<64>, std::int32_t>>;

// 4 warps of 64 x 64 on 128 x 128.
template <int K> using RdnaTile = BlockTile<128, 128, K, 2, 2>;
using Rdna3F16 = GemmKinds<GemmKind<RDNA3_16x16x16_F32F16F16F32, RdnaTile<32>, float>>;
using Rdna3Others = GemmKinds<GemmKind<RDNA3_16x16x16_F32F16F16F32, RdnaTile<32>, half_t>,
                              GemmKind<RDNA3_16x16x16_F32BF16BF16F32, RdnaTile<32>, float>,
                              GemmKind<RDNA3_16x16x16_F32BF16BF16F32, RdnaTile<32>, bfloat16_t>,
                              GemmKind<RDNA3_16x16x16_I32I8I8I32, RdnaTile<64>, std::int32_t>>;
using Rdna4F16 = GemmKinds<GemmKind<RDNA4_16x16x16_F32F16F16F32, RdnaTile<32>, float>>;
using Rdna4Others = GemmKinds<GemmKind<RDNA4_16x16x16_F32F16F16F32, RdnaTile<32>, half_t>,
                              GemmKind<RDNA4_16x16x16_F32BF16BF16F32, RdnaTile<32>, float>,
                              GemmKind<RDNA4_16x16x16_F32BF16BF16F32, RdnaTile<32>, bfloat16_t>,
                              GemmKind<RDNA4_16x16x16_I32I8I8I32, RdnaTile<64>, std::int32_t>>;

// 16 x 16 threads of 8 x 8 on 128 x 128, 32 bytes of K.
using ByFma = GemmKinds<GemmKind<UniversalFMA<float>, BlockTile<128, 128, 8, 16, 16>, float>>;

/// What the families compute, for a chapter's list of types.
inline std::vector<GemmTypes> matrix_types() {
  std::vector<std::string> const nvidia{"sm80", "sm90"};
  auto const types = [](DType dtype, DType acc, DType out, std::vector<std::string> on = {}) {
    // sums are cut
    return GemmTypes{.dtype = dtype, .acc = acc, .out = out, .targets = std::move(on), .truncating = !is_integer(acc)};
  };
  return {types(DType::f16, DType::f32, DType::f32),
          types(DType::f16, DType::f32, DType::f16),
          types(DType::f16, DType::f16, DType::f16, nvidia),
          types(DType::bf16, DType::f32, DType::f32),
          types(DType::bf16, DType::f32, DType::bf16),
          types(DType::tf32, DType::f32, DType::f32, nvidia),
          types(DType::i8, DType::i32, DType::i32),
          GemmTypes{.dtype = DType::f32, .acc = DType::f32, .out = DType::f32}};
}

/// Is this 16 bits to f32, as GemmKind::widens? @tparam Types  a GemmCall or GemmTypes
template <class Types>
bool widens(Types const& types) { return bytes_of(types.dtype) == 2 && types.out == DType::f32; }

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
