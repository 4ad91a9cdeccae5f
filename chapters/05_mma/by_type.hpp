#pragma once
// From the types of a problem to the matrix instruction that the target has for them. Each type of A and B has its own
// source, so that no compiler has to read all kernels at once.

#include "kernel.hpp"  // WarpGemm

#include <tilestep/harness/gemm_launch.hpp>  // GemmCall, launch_gemm

namespace tilestep {

void run_f16(GemmCall const& call);   ///< f16 operands: sums in f32 or f16
void run_bf16(GemmCall const& call);  ///< bf16 operands: sums in f32
void run_f32(GemmCall const& call);   ///< f32 operands: as they are, or rounded to tf32
void run_i8(GemmCall const& call);    ///< i8 operands: sums in i32
void run_f64(GemmCall const& call);   ///< f64 operands: sums in f64

// [choose]
/// Launches the warp's kernel on the first of `Ops` that the target has.
/// @tparam TIn stored type of A and B   @tparam TOut stored type of C   @tparam TScale type of alpha and beta
template <class TIn, class TOut, class TScale, class... Ops>
void launch_on(GemmCall const& call) {
  bool launched = false;
  auto const attempt = [&](auto op) {
    using Op = decltype(op);
    if constexpr (backend_has<Op>) {
      if (launched || !has_instruction<Op>(call.target)) return;
      launch_gemm<WarpGemm<MmaAtom<Op>, OneAtom, TIn, TOut, TScale>, TIn, TIn, TOut, TScale>(call);
      launched = true;
    }
  };
  (attempt(Ops{}), ...);
}
// [choose]

}  // namespace tilestep
