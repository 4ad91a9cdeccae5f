#pragma once
// Which instruction computes which types on which target, and on what tile: the table behind the chapters that multiply
// tiles in shared memory. A chapter names those it wants in its CMakeLists.txt and says what it does with one kind.

#include <tilestep/atom.hpp>                  // instructions, element types
#include <tilestep/block/gemm_config.hpp>     // BlockTile, GemmConfig
#include <tilestep/harness/gemm_choices.hpp>  // GemmChoice
#include <tilestep/harness/gemm_launch.hpp>   // GemmCall, launch_gemm
#include <tilestep/harness/gemm_types.hpp>    // detail::dtype_stored

#include <string>       // names of kernels
#include <type_traits>  // std::conditional_t

namespace tilestep {

namespace detail {
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
    KindTypes<Op, BlkTile, std::conditional_t<Op::a == DType::tf32, float, typename MmaTraits<Op>::ValA>, TOut,
              std::conditional_t<Op::c == DType::i32, std::int32_t,
                                 std::conditional_t<Op::c == DType::f64, double, float>>>;
}  // namespace detail

/// One way to multiply. @tparam Op  a matrix instruction   @tparam BlkTile_  a BlockTile   @tparam TOut_  stored type
/// of C
template <class Op, class BlkTile_, class TOut_>
struct GemmKind : detail::KindOf<Op, BlkTile_, TOut_> {
  static constexpr bool here = backend_has<Op>;  ///< kernels of this backend can contain it
  static bool computes(GemmCall const& call) {
    return call.dtype == Op::a && call.acc == Op::c &&
           call.out == detail::dtype_stored<TOut_> && has_instruction<Op>(call.target);
  }
};
/// f32 by FMA, which every target has.
template <class BlkTile_>
struct GemmKind<UniversalFMA<float>, BlkTile_, float>
    : detail::KindTypes<UniversalFMA<float>, BlkTile_, float, float, float> {
  static constexpr bool here = true;
  static bool computes(GemmCall const& call) { return call.dtype == DType::f32; }
};

/// choose(Kind{}) as the only choice, where the kind computes the problem. It is compiled for the instructions of this
/// backend alone.
template <class Kind, class F>
GemmChoices choices_of_kind(GemmCall const& call, F&& choose) {
  if constexpr (Kind::here) {
    if (Kind::computes(call)) return {choose(Kind{})};
  }
  return {};
}

/// The same kind with a multiprocessor to itself on NVIDIA: twice the registers, where two blocks leave too few.
template <class Kind>
using OneBlockOnNvidia =
    std::conditional_t<detail::is_nvidia<typename Kind::Instruction>,
                       GemmKind<typename Kind::Instruction,
                                BlockTile<Kind::BlkTile::m, Kind::BlkTile::n, Kind::BlkTile::k,
                                          Kind::BlkTile::warps_m, Kind::BlkTile::warps_n>,
                                typename Kind::TOut>,
                       Kind>;

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
void launch_kind(GemmJob const& job) {
  using In = typename Kind::TIn;
  launch_gemm<Kernel<Config, typename Kind::TOut, typename Kind::TScale>, In, In, typename Kind::TOut,
              typename Kind::TScale>(job.call);
}
/// The same as a choice with this name.
template <class Kind, template <class, class, class> class Kernel, class Config>
GemmChoice choice_of(std::string name) {
  using Tile = typename Kind::BlkTile;
  return {std::move(name),
          {Tile::m, Tile::n, Tile::k, Tile::resident_blocks},
          detail::shared_bytes<Kernel<Config, typename Kind::TOut, typename Kind::TScale>>,
          launch_kind<Kind, Kernel, Config>};
}

// ---- The tiles of the chapters before 17: f16 -> f32, 64 bytes along K; f32 by FMA ----

// 4 warps of 64 x 64 on 128 x 128, two blocks on a multiprocessor.
template <int K> using NvidiaTile = BlockTile<128, 128, K, 2, 2, 2>;
// 4 warps of 128 x 64 on 256 x 128, two blocks on a compute unit: the tile of CK's tutorial.
template <int K> using CdnaTile = BlockTile<256, 128, K, 2, 2, 2>;
// 4 warps of 64 x 64 on 128 x 128.
template <int K> using RdnaTile = BlockTile<128, 128, K, 2, 2>;

namespace kinds {
using nvidia_f16 = GemmKind<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, float>;
using cdna4_f16 = GemmKind<CDNA4_32x32x16_F32F16F16F32, CdnaTile<32>, float>;  // gfx950's own: comes before cdna_f16
using cdna_f16 = GemmKind<CDNA_32x32x8_F32F16F16F32, CdnaTile<32>, float>;
using rdna3_f16 = GemmKind<RDNA3_16x16x16_F32F16F16F32, RdnaTile<32>, float>;
using rdna4_f16 = GemmKind<RDNA4_16x16x16_F32F16F16F32, RdnaTile<32>, float>;
// 16 x 16 threads of 8 x 8 on 128 x 128, 32 bytes of K
using fma = GemmKind<UniversalFMA<float>, BlockTile<128, 128, 8, 16, 16>, float>;
}  // namespace kinds

}  // namespace tilestep
