// The kernels of the matrix instructions, for a compiler that only looks at their device code.

#include "complex_kernels.hpp"  // ComplexGemm
#include "dot_products.hpp"     // DotProducts
#include "matrix_kernels.hpp"   // the kernels

namespace backend_test {

void launch_matrix_kernels() {
  for_each_matrix_instruction([]<class Op>(Op) {
    if constexpr (backend_has<Op>) {
      launch(OneInstruction<Op>{}, 1, MatrixParams{});
      launch(OneAtom<Op>{}, 1, AtomParams<Op>{});
    }
  });
  for_each_complex_atom([]<class Op>(Op) { launch(ComplexGemm<Op>{}, 1, typename ComplexGemm<Op>::Params{}); });
  launch(DotProducts{}, 1, DotProducts::Params{});
  launch(LoadMatrices<1, false>{}, 1, LoadMatrixParams{});
  launch(LoadMatrices<2, true>{}, 1, LoadMatrixParams{});
  launch(LoadMatrices<4, false>{}, 1, LoadMatrixParams{});
  launch(LoadMatrices<4, true>{}, 1, LoadMatrixParams{});
  launch(LoadMatrixGemm<false>{}, 1, LoadMatrixGemmParams{});
  launch(LoadMatrixGemm<true>{}, 1, LoadMatrixGemmParams{});
}

}  // namespace backend_test
