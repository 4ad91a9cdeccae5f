#pragma once
// From the types of a problem to a kernel: which instruction the target has for them, and whether whole tiles can be
// copied in vectors. Each family of targets has its own source, so that no compiler has to read all kernels at once.

#include "kernel.hpp"  // KLoopGemm

#include <tilestep/harness/gemm_kinds.hpp>  // the families, launch_kind

#include <optional>  // a target may have none

namespace tilestep {

/// How a kernel is launched.
using Launch = void (*)(GemmCall const&);

// Each: nothing where the target has no instruction for these types.
std::optional<Launch> nvidia_f16(GemmCall const& call);  ///< mma.sync
std::optional<Launch> nvidia(GemmCall const& call);
std::optional<Launch> cdna_f16(GemmCall const& call);    ///< MFMA
std::optional<Launch> cdna(GemmCall const& call);
std::optional<Launch> rdna3_f16(GemmCall const& call);   ///< WMMA
std::optional<Launch> rdna3(GemmCall const& call);
std::optional<Launch> rdna4(GemmCall const& call);       ///< WMMA
std::optional<Launch> by_fma(GemmCall const& call);      ///< f32 where the target has no matrix instruction for it

// [choose]
/// Chooses the kernel of this kind: in vectors where all tiles are whole and lie along K, in scalars otherwise.
template <class Kind>
Launch choose(GemmCall const& call) {
  using Vectors = VectorsOf<Kind, Contiguous::k, Contiguous::k>;
  if (whole_tiles<Vectors>(call)) return launch_kind<Kind, KLoopGemm, Vectors>;
  return launch_kind<Kind, KLoopGemm, ScalarsOf<Kind>>;
}
// [choose]

}  // namespace tilestep
