#pragma once
// One matrix instruction of a warp. Here the lanes meet, and the instruction's table says what it does with their registers.

#include <tilestep/backend/instruction.hpp>             // the instructions
#include <tilestep/backend/macros.hpp>                  // TS_DEVICE, TS_INLINE
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>  // meet_in_warp

#include <cstdint>          // std::uint32_t
#include <source_location>  // which instruction of the kernel this is

namespace tilestep {

namespace virtual_gpu {

/// What a lane brings to a matrix instruction.
struct MatrixLane {
  std::uint32_t const* a;
  std::uint32_t const* b;
  void* c;
};

/// The instruction as the warp executes it.
template <class Op>
Collective const& matrix_collective();

}  // namespace virtual_gpu

/// Can a kernel of this backend contain the instruction? The virtual GPU stands for every target.
template <class Op>
inline constexpr bool backend_has = true;

/// C += A B, one instruction of the whole warp.
/// @param a  this lane's Op::a_registers registers of A  @param b  of B  @param c  of C, accumulated in place
/// @pre every lane of the warp takes part
template <class Op>
TS_DEVICE TS_INLINE void matrix_multiply_add(Op, std::uint32_t const* a, std::uint32_t const* b,
                                             typename Op::CRegister* c,
                                             std::source_location place = std::source_location::current()) {
  virtual_gpu::MatrixLane mine{a, b, c};
  virtual_gpu::meet_in_warp(virtual_gpu::matrix_collective<Op>(), &mine, place);
}

}  // namespace tilestep
