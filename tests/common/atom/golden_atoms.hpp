#pragma once
// Reads the golden cases of the atom layer: what CuTe printed for its atoms and for partitions by TiledMMA and
// TiledCopy.

#include "../golden/golden.hpp"  // Report, Hash, how cases are written

#include <tilestep/atom.hpp>           // what is tested
#include <tilestep/atom/stmatrix.hpp>  // SM90_U32x4_STSM_N
#include <tilestep/atom/wgmma.hpp>     // SM90_64xNx16_SS

namespace golden_atoms {

using namespace tilestep;

// ---- Atoms under the names of the cases ----

using UniversalFMA = tilestep::UniversalFMA<float>;
using tilestep::SM80_16x8x16_F16F16F16F16_TN;
using tilestep::SM80_16x8x16_F32BF16BF16F32_TN;
using tilestep::SM80_16x8x16_F32F16F16F32_TN;
using tilestep::SM80_16x8x32_S32S8S8S32_TN;
using tilestep::SM80_16x8x8_F16F16F16F16_TN;
using tilestep::SM80_16x8x8_F32BF16BF16F32_TN;
using tilestep::SM80_16x8x8_F32TF32TF32F32_TN;
using tilestep::SM61_DP4A;
using tilestep::SM70_8x8x4_F16F16F16F16_NN;
using tilestep::SM70_8x8x4_F16F16F16F16_NT;
using tilestep::SM70_8x8x4_F16F16F16F16_TN;
using tilestep::SM70_8x8x4_F16F16F16F16_TT;
using tilestep::SM70_8x8x4_F32F16F16F32_NN;
using tilestep::SM70_8x8x4_F32F16F16F32_NT;
using tilestep::SM70_8x8x4_F32F16F16F32_TN;
using tilestep::SM70_8x8x4_F32F16F16F32_TT;
using tilestep::SM75_16x8x8_F32F16F16F32_TN;
using tilestep::SM75_8x8x16_S32S8S8S32_TN;
using tilestep::SM80_16x8x256_S32U1U1S32_TN_ANDPOPC;
using tilestep::SM80_16x8x256_S32U1U1S32_TN_XORPOPC;
using tilestep::SM80_16x8x32_S32S4S4S32_TN;
using tilestep::SM80_16x8x64_S32S4S4S32_TN;
using tilestep::SM80_8x8x128_S32U1U1S32_TN_XORPOPC;
using tilestep::SM80_8x8x32_S32S4S4S32_TN;
using tilestep::SM80_8x8x32_S32U4S4S32_TN_SATURATE;
using tilestep::SM80_8x8x4_C64C64C64C64_TN;
using tilestep::SM80_8x8x4_F64F64F64F64_TN;
using tilestep::SM80_8x8x4_GC64C64C64GC64_TN;
using tilestep::SM89_16x8x32_F32E4M3E4M3F32_TN;
using tilestep::SM90_16x8x16_C64C64C64C64_TN;
using tilestep::SM90_16x8x16_F64F64F64F64_TN;
using tilestep::SM90_16x8x4_C64C64C64C64_TN;
using tilestep::SM90_16x8x4_F64F64F64F64_TN;
using tilestep::SM90_16x8x8_C64C64C64C64_TN;
using tilestep::SM90_16x8x8_F64F64F64F64_TN;

using SM90_64x8x16_F32F16F16_SS = tilestep::SM90_64xNx16_SS<8, DType::f16>;
using SM90_64x64x16_F32F16F16_SS = tilestep::SM90_64xNx16_SS<64, DType::f16>;
using SM90_64x64x16_F32F16F16_RS = tilestep::SM90_64xNx16_RS<64, DType::f16>;
using SM90_64x128x16_F32F16F16_SS = tilestep::SM90_64xNx16_SS<128, DType::f16>;
using tilestep::SM90_U32x4_STSM_N;

/// (thread,value) -> the element of operand A, B or C.
template <char Operand, class Atom>
constexpr auto fragment_layout() {
  if constexpr (Operand == 'A') return typename Atom::ALayout{};
  else if constexpr (Operand == 'B') return typename Atom::BLayout{};
  else return typename Atom::CLayout{};
}

template <char Operand, class Thread, class TensorT>
auto partition(Thread const& thread, TensorT const& tensor) {
  if constexpr (Operand == 'A') return thread.partition_A(tensor);
  else if constexpr (Operand == 'B') return thread.partition_B(tensor);
  else return thread.partition_C(tensor);
}

/// A type of so many bits.
template <int Bits> struct Element;
template <> struct Element<8> { using type = std::int8_t; };
template <> struct Element<16> { using type = half_t; };
template <> struct Element<32> { using type = float; };
template <> struct Element<64> { using type = double; };
template <> struct Element<128> { using type = struct alignas(16) { char bytes[16]; }; };

/// Offsets of a thread's part from the beginning of the whole tensor.
template <class Part, class T>
std::int64_t base(Part const& part, T const* begin) { return part.data() - begin; }

/// The partitions of all threads against a case: the base of each, all offsets of some, and the form.
/// @param part  thread -> its part of a tensor that begins at `begin`
template <class PartOf, class T, class Out>
void partitions(golden::Report& report, int id, int threads, T const* begin, PartOf&& part, Out const& out, int values,
                std::uint64_t bases, std::vector<int> const& listed, std::uint64_t offsets) {
  golden::Hash all_bases, all_offsets;
  std::string function;
  for (int thread = 0; thread < threads; ++thread) all_bases.add(base(part(thread), begin));
  for (int const thread : listed) {
    auto const mine = part(thread);
    function += golden::difference("values", static_cast<std::int64_t>(size(mine.layout())), values);
    for (int i = 0; i < values; ++i) all_offsets.add(base(mine, begin) + static_cast<std::int64_t>(mine.layout()(i)));
  }
  if (all_bases.state != bases) function += "other bases; ";
  if (all_offsets.state != offsets) function += "other offsets; ";
  report.add(id, function, golden::difference("form", to_string(part(0).layout()), to_string(out)), true);
}

}  // namespace golden_atoms
