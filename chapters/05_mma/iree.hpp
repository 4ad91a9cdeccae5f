#pragma once
// The example of IREE's lowering to nvgpu.mma.sync, word for word: three row-major arrays in shared memory, a 16x16 of
// A, an 8x16 of B that is read transposed, a 16x8 of C, one matrix instruction whose sums are f16. The offsets leave no
// row aligned, so every element is read alone.

#include <tilestep/algorithm.hpp>  // copy, gemm

namespace tilestep {

struct IreeParams {
  half_t const* a;  ///< memref<42x32xf16>
  half_t const* b;  ///< memref<32x64xf16>
  half_t* c;        ///< memref<42x64xf16>, updated in place
};

/// @m16n8k16_fp16_row_row_row
struct IreeMatmul {
  using Params = IreeParams;
  static constexpr char const* name = "IreeMatmul";
  static constexpr int threads = 32;
  struct Shared {
    SharedArray<half_t, 42 * 32> a;
    SharedArray<half_t, 32 * 64> b;
    SharedArray<half_t, 42 * 64> c;
  };

  /// A whole array from one memory to another, by all threads of the block.
  template <int Elements, class Src, class Dst>
  TS_DEVICE static void copy_all(Src src, Dst dst) {
    auto from = make_tensor(src, Layout<Int<Elements>>{});                              // (Elements)
    auto to = make_tensor(dst, Layout<Int<Elements>>{});                                // (Elements)
    copy(local_partition(from, Layout<Int<threads>>{}, thread_index()),
         local_partition(to, Layout<Int<threads>>{}, thread_index()));
  }

  TS_DEVICE void operator()(Shared& s, Params const& p) const {
    copy_all<42 * 32>(global(p.a), shared(s.a, "a"));
    copy_all<32 * 64>(global(p.b), shared(s.b, "b"));
    copy_all<42 * 64>(global(p.c), shared(s.c, "c"));
    sync_threads();  // all threads wrote a, b and c before any reads them

    // (row, column) -> offset in the arrays.
    auto const in_a = make_layout(Shape<Int<42>, _32>{}, LayoutRight{});                // (m,k) -> offset
    auto const in_b = make_layout(Shape<_32, _64>{}, LayoutRight{});                    // (k,n) -> offset
    auto const in_c = make_layout(Shape<Int<42>, _64>{}, LayoutRight{});                // (m,n) -> offset

    // [iree]
    // vector.transfer_read: an origin and strides. B's are exchanged by permutation_map: (d0,d1) -> (d1,d0).
    auto A = make_tensor(shared(s.a, "a") + in_a(1, 3), Shape<_16, _16>{}, Stride<_32, _1>{});  // (m,k) = a[1+m][3+k]
    auto B = make_tensor(shared(s.b, "b") + in_b(3, 3), Shape<_8, _16>{}, Stride<_1, _64>{});   // (n,k) = b[3+k][3+n]
    auto C = make_tensor(shared(s.c, "c") + in_c(0, 0), Shape<_16, _8>{}, Stride<_64, _1>{});   // (m,n) = c[m][n]

    // vector.contract: (m,k),(n,k) -> (m,n), one matrix instruction.
    using Atom = MmaAtom<SM80_16x8x16_F16F16F16F16_TN>;
    auto const mma = decltype(make_tiled_mma(Atom{}))::slice(thread_index());
    auto tA = mma.partition_A(A);                                                       // (MMA,1,1)
    auto tB = mma.partition_B(B);                                                       // (MMA,1,1)
    auto tC = mma.partition_C(C);                                                       // (MMA,1,1)
    auto rA = make_fragment_like(tA);                                                   // (MMA,1,1)
    auto rB = make_fragment_like(tB);                                                   // (MMA,1,1)
    auto rC = make_fragment_like(tC);                                                   // (MMA,1,1)
    copy(tA, rA);
    copy(tB, rB);
    copy(tC, rC);
    gemm(Atom{}, rA, rB, rC);
    copy(rC, tC);    // vector.transfer_write
    // [iree]
    sync_threads();  // all threads wrote their part of C before any copies c
    copy_all<42 * 64>(shared(s.c, "c"), global(p.c));
  }
};

}  // namespace tilestep
