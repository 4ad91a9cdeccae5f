#pragma once
// One matrix instruction of a warp. Here the lanes meet, and the instruction's table says what it does with their
// registers.

#include <tilestep/backend/instruction.hpp>             // the instructions
#include <tilestep/backend/macros.hpp>                  // TS_DEVICE, TS_INLINE
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>  // meet_in_warp

#include <source_location>  // which instruction of the kernel this is

namespace tilestep {

namespace virtual_gpu {

/// What a lane brings to m * n * k matrix instructions: C(i,j) += A(i,l) B(j,l) for every l < k, j < n, i < m.
/// Fragments follow each other with i, or j, fastest: A(i,l) is the fragment number i + m * l, B(j,l) number j + n * l,
/// C(i,j) number i + m * j.
struct MatrixLane {
  void const* a;
  void const* b;
  void* c;
  int m = 1, n = 1, k = 1;
};

/// The instruction as the warp executes it.
template <class Op>
Collective const& matrix_collective();

}  // namespace virtual_gpu

/// A whole tile of instructions is one call, matrix_multiply_add_tile(). On a GPU every instruction is one.
inline constexpr bool matrix_instructions_by_tile = true;

/// Can a kernel of this backend contain the instruction? The virtual GPU stands for every target.
template <class Op>
inline constexpr bool backend_has = true;

/// All instructions of a tile at once: the lanes meet once and not for each of them, which is faster here.
/// @param a  fragments (M,K), M fastest, of Op::a_registers each
/// @param b  (N,K)
/// @param c  (M,N), accumulated in place
template <int M, int N, int K, class Op>
TS_DEVICE inline void matrix_multiply_add_tile(Op, typename Op::Register const* a, typename Op::Register const* b,
                                               typename Op::CRegister* c,
                                               std::source_location place = std::source_location::current()) {
  virtual_gpu::MatrixLane mine{a, b, c, M, N, K};
  virtual_gpu::meet_in_warp(virtual_gpu::matrix_collective<Op>(), &mine, place);
}

/// C += A B, one instruction of the whole warp.
/// @param a  this lane's Op::a_registers registers of A  @param b  of B  @param c  of C, accumulated in place
/// @pre every lane of the warp takes part
template <class Op>
TS_DEVICE TS_INLINE void matrix_multiply_add(Op, typename Op::Register const* a, typename Op::Register const* b,
                                             typename Op::CRegister* c,
                                             std::source_location place = std::source_location::current()) {
  virtual_gpu::MatrixLane mine{a, b, c, 1, 1, 1};
  virtual_gpu::meet_in_warp(virtual_gpu::matrix_collective<Op>(), &mine, place);
}

}  // namespace tilestep
