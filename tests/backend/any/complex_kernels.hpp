#pragma once
// A product of complex matrices by a complex atom: four warps, two tiles along M and along N, two along K.

#include <tilestep/algorithm.hpp>             // clear, copy, gemm
#include <tilestep/atom.hpp>                  // the complex atoms, make_tiled_mma
#include <tilestep/backend/launch.hpp>        // launch

namespace backend_test {

using namespace tilestep;

/// Calls visit(Op{}) for each complex atom that a kernel of this backend can contain.
template <class Visit>
void for_each_complex_atom([[maybe_unused]] Visit&& visit) {
  if constexpr (backend_has<SM80_8x8x4_F64F64F64F64_TN>) {
    visit(SM80_8x8x4_C64C64C64C64_TN{});
    visit(SM80_8x8x4_GC64C64C64GC64_TN{});
    visit(SM90_16x8x4_C64C64C64C64_TN{});
    visit(SM90_16x8x8_C64C64C64C64_TN{});
    visit(SM90_16x8x16_C64C64C64C64_TN{});
  }
}

template <class Op>
struct ComplexGemm {
  static constexpr char const* name = "ComplexGemm";
  static constexpr int threads = 128;
  using Shared = NoShared;
  using Mnk = typename MmaTraits<Op>::Shape_MNK;
  static constexpr int M = 4 * size<0>(Mnk{}), N = 4 * size<1>(Mnk{}), K = 2 * size<2>(Mnk{});
  /// Sums that are not complex numbers until the end.
  static constexpr bool starts_at_zero = !std::is_same_v<typename MmaTraits<Op>::ValC, complex<double>>;

  /// Each column-major.
  struct Params {
    complex<double> const* a;  // (M,K)
    complex<double> const* b;  // (N,K)
    complex<double>* c;        // (M,N)
  };

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto const mA = make_tensor(global(p.a), Shape<Int<M>, Int<K>>{});  // (M,K)
    auto const mB = make_tensor(global(p.b), Shape<Int<N>, Int<K>>{});  // (N,K)
    auto const mC = make_tensor(global(p.c), Shape<Int<M>, Int<N>>{});  // (M,N)
    auto const mma = make_tiled_mma(Op{}, Layout<Shape<_2, _2, _1>>{}).slice(thread_index());
    auto rA = mma.partition_fragment_A(mA);                             // (MMA,MMA_M,MMA_K)
    auto rB = mma.partition_fragment_B(mB);                             // (MMA,MMA_N,MMA_K)
    auto rC = mma.partition_fragment_C(mC);                             // (MMA,MMA_M,MMA_N)
    copy(mma.partition_A(mA), rA);
    copy(mma.partition_B(mB), rB);
    if constexpr (starts_at_zero) clear(rC);
    else copy(mma.partition_C(mC), rC);
    gemm(MmaAtom<Op>{}, rA, rB, rC);
    copy(rC, mma.partition_C(mC));
  }
};

}  // namespace backend_test
