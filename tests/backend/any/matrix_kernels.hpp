#pragma once
// Kernels of one matrix instruction: one warp, registers from memory as they are, and the same through an atom's
// fragments.

#include <tilestep/algorithm.hpp>       // copy, gemm
#include <tilestep/atom.hpp>            // MmaAtom and the instructions
#include <tilestep/backend/launch.hpp>  // launch

#include <cstdint>  // std::uint32_t

namespace backend_test {

using namespace tilestep;

/// Registers of all lanes, lane after lane; of all blocks, block after block.
struct MatrixParams {
  std::uint32_t const* a;
  std::uint32_t const* b;
  std::uint32_t* c;
};

/// c = c + a b on the registers themselves.
template <class Op>
struct OneInstruction {
  static constexpr char const* name = "OneInstruction";
  static constexpr int threads = Op::lanes;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, MatrixParams const& p) const {
    typename Op::Register a[Op::a_registers], b[Op::b_registers];
    typename Op::CRegister c[Op::c_registers];
    auto const lane = block_index() * threads + thread_index();
    auto const all_a = recast<typename Op::Register const>(global(p.a)) + lane * Op::a_registers;
    auto const all_b = recast<typename Op::Register const>(global(p.b)) + lane * Op::b_registers;
    unroll<Op::a_registers>([&](auto r) { a[r] = all_a[r]; });
    unroll<Op::b_registers>([&](auto r) { b[r] = all_b[r]; });
    auto const all = recast<typename Op::CRegister>(global(p.c)) + lane * Op::c_registers;
    unroll<Op::c_registers>([&](auto r) { c[r] = all[r]; });
    matrix_multiply_add(Op{}, a, b, c);
    unroll<Op::c_registers>([&](auto r) { all[r] = c[r]; });
  }
};

/// The atoms that one instruction of a warp is: one, or four of eight lanes.
template <class Op>
using AtomsOf = decltype(make_tiled_mma(
    MmaAtom<Op>{}, std::conditional_t<IsQuadpairMma<Op>, Layout<Shape<_2, _2, _1>>, Layout<Shape<_1, _1, _1>>>{}));

/// Whole matrices of one instruction: A (M,K), B (N,K) and C (M,N), each column-major.
template <class Op>
struct AtomParams {
  using Atom = MmaAtom<Op>;
  static constexpr int M = AtomsOf<Op>::template tile_size<0>(), N = AtomsOf<Op>::template tile_size<1>(),
                       K = AtomsOf<Op>::template tile_size<2>();
  typename Atom::ValA const* a;
  typename Atom::ValB const* b;
  typename Atom::ValC* c;
};

/// c = c + a b: each thread's fragments are found by the atom's layouts.
template <class Op>
struct OneAtom {
  static constexpr char const* name = "OneAtom";
  static constexpr int threads = Op::lanes;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, AtomParams<Op> const& p) const {
    using Params = AtomParams<Op>;
    auto const mA = make_tensor(global(p.a), Shape<Int<Params::M>, Int<Params::K>>{});   // (M,K)
    auto const mB = make_tensor(global(p.b), Shape<Int<Params::N>, Int<Params::K>>{});   // (N,K)
    auto const mC = make_tensor(global(p.c), Shape<Int<Params::M>, Int<Params::N>>{});   // (M,N)
    auto const mma = AtomsOf<Op>{}.slice(thread_index());
    auto rA = mma.partition_fragment_A(mA);                                              // (MMA,1,1)
    auto rB = mma.partition_fragment_B(mB);                                              // (MMA,1,1)
    auto rC = mma.partition_fragment_C(mC);                                              // (MMA,1,1)
    copy(mma.partition_A(mA), rA);
    copy(mma.partition_B(mB), rB);
    copy(mma.partition_C(mC), rC);
    gemm(MmaAtom<Op>{}, rA(_, _, _0{}), rB(_, _, _0{}), rC);
    copy(rC, mma.partition_C(mC));
  }
};

/// A tile of 16-bit numbers through shared memory and ldmatrix into registers.
struct LoadMatrixParams {
  std::uint16_t const* in;  // 32 rows of 8 elements: four matrices
  std::uint32_t* out;       // the registers of each lane
};

template <int Matrices, bool Transposed>
struct LoadMatrices {
  static constexpr char const* name = "LoadMatrices";
  static constexpr int threads = 32;
  struct Shared { SharedArray<std::uint16_t, 256> rows; };
  TS_DEVICE void operator()(Shared& memory, LoadMatrixParams const& p) const {
    if constexpr (backend_has_ldmatrix) {
      auto const rows = shared(memory.rows, "rows");
      static_for<8>([&](auto i) { rows[8 * thread_index() + i.value] = global(p.in)[8 * thread_index() + i.value]; });
      sync_threads();
      std::uint32_t registers[Matrices];
      ldmatrix<Matrices, Transposed>(rows + 8 * lane_index(), registers);
      static_for<Matrices>([&](auto r) { global(p.out)[Matrices * thread_index() + r.value] = registers[r.value]; });
    }
  }
};

/// ldmatrix from rows in any order, one case per block.
struct LoadRowsParams {
  std::uint16_t const* rows;    // 64 rows of 8 elements per block
  std::int32_t const* row_of;   // which row each lane names
  std::uint32_t* out;           // the registers of each lane
};

template <int Matrices, bool Transposed>
struct LoadRows {
  static constexpr char const* name = "LoadRows";
  static constexpr int threads = 32;
  struct Shared { SharedArray<std::uint16_t, 512> rows; };
  TS_DEVICE void operator()(Shared& memory, LoadRowsParams const& p) const {
    if constexpr (backend_has_ldmatrix) {
      auto const rows = shared(memory.rows, "rows");
      auto const lane = block_index() * threads + thread_index();
      static_for<16>([&](auto i) { rows[16 * thread_index() + i.value] = global(p.rows)[16 * lane + i.value]; });
      sync_threads();  // every row is written before a lane reads one
      std::uint32_t registers[Matrices];
      ldmatrix<Matrices, Transposed>(rows + 8 * global(p.row_of)[lane], registers);
      static_for<Matrices>([&](auto r) { global(p.out)[Matrices * lane + r.value] = registers[r.value]; });
    }
  }
};

struct LoadMatrixGemmParams {
  half_t const* a;  // (64,32), K contiguous
  half_t const* b;  // (64,32), K contiguous, or N where it is transposed
  float* c;         // (64,64), N contiguous
};

/// C (64,64) = A B on four warps: both operands in shared memory, read by ldmatrix into the fragments of mma.sync.
/// @tparam TransposeB  B lies there along N, and ldmatrix transposes
template <bool TransposeB>
struct LoadMatrixGemm {
  static constexpr char const* name = "LoadMatrixGemm";
  static constexpr int threads = 128;
  struct Shared {
    SharedArray<half_t, 64 * 40> a;
    SharedArray<half_t, 72 * 32> b;
  };
  using LayoutB = std::conditional_t<TransposeB, Layout<Shape<_64, _32>, Stride<_1, _64>>,
                                     Layout<Shape<_64, _32>, Stride<_32, _1>>>;
  using PaddedB = std::conditional_t<TransposeB, Layout<Shape<_64, _32>, Stride<_1, Int<72>>>,
                                     Layout<Shape<_64, _32>, Stride<_32, _1>>>;
  using CopyB = std::conditional_t<TransposeB, SM75_U16x4_LDSM_T, SM75_U32x2_LDSM_N>;

  TS_DEVICE void operator()(Shared& memory, LoadMatrixGemmParams const& p) const {
    if constexpr (backend_has_ldmatrix) {
      auto const gA = make_tensor(global(p.a), Layout<Shape<_64, _32>, Stride<_32, _1>>{});             // (BLK_M,BLK_K)
      auto const gB = make_tensor(global(p.b), LayoutB{});                                              // (BLK_N,BLK_K)
      auto const gC = make_tensor(global(p.c), Layout<Shape<_64, _64>, Stride<_64, _1>>{});             // (BLK_M,BLK_N)
      // (BLK_M,BLK_K)
      auto const sA = make_tensor(shared(memory.a, "sA"), Layout<Shape<_64, _32>, Stride<Int<40>, _1>>{});
      auto const sB = make_tensor(shared(memory.b, "sB"), PaddedB{});                                   // (BLK_N,BLK_K)
      for (int i = thread_index(); i < 64 * 32; i += threads) {
        sA(i) = gA(i);
        sB(i) = gB(i);
      }
      sync_threads();  // all threads wrote sA and sB before any reads them

      auto const tiled = make_tiled_mma(MmaAtom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2, _1>>{});
      auto const mma = tiled.slice(thread_index());
      auto rA = mma.partition_fragment_A(sA);  // (MMA,MMA_M,MMA_K)
      auto rB = mma.partition_fragment_B(sB);  // (MMA,MMA_N,MMA_K)
      auto rC = mma.partition_fragment_C(gC);  // (MMA,MMA_M,MMA_N)
      auto const copy_a = make_tiled_copy_A(CopyAtom<SM75_U32x4_LDSM_N, half_t>{}, tiled);
      auto const copy_b = make_tiled_copy_B(CopyAtom<CopyB, half_t>{}, tiled);
      load(copy_a, copy_a.slice(thread_index()).partition_S(sA), copy_a.retile(rA));
      load(copy_b, copy_b.slice(thread_index()).partition_S(sB), copy_b.retile(rB));
      clear(rC);
      gemm(MmaAtom<SM80_16x8x16_F32F16F16F32_TN>{}, rA, rB, rC);
      copy(rC, mma.partition_C(gC));
    }
  }

  /// Every instruction of a copy. @param src (CPY,CPY_M,CPY_K) @param dst (CPY,CPY_M,CPY_K)
  template <class Tiled, class Src, class Dst>
  TS_INLINE TS_DEVICE static void load(Tiled const&, Src const& src, Dst dst) {
    static_for<int(decltype(size<1>(src.layout()))::value)>([&](auto m) {
      static_for<int(decltype(size<2>(src.layout()))::value)>([&](auto k) { Tiled::call(src(_, m, k), dst(_, m, k)); });
    });
  }
};

}  // namespace backend_test
