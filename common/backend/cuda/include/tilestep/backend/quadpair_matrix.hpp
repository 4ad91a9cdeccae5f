#pragma once
// mma.sync of Volta's shape, as PTX: four products of a warp, each of eight lanes.

#include <tilestep/backend/instruction.hpp>  // the instructions
#include <tilestep/backend/macros.hpp>       // TS_HOST_DEVICE, TS_INLINE

#include <cstdint>  // std::uint32_t

namespace tilestep::detail {

#if defined(__CUDA_ARCH__)
#define TS_MMA_ASM(...) asm volatile(__VA_ARGS__)
#else
#define TS_MMA_ASM(...) static_cast<void>(0)
#endif

#define TS_MMA(OP, CRegister)                                                    \
  TS_HOST_DEVICE TS_INLINE void mma(OP, [[maybe_unused]] std::uint32_t const* a, \
                                    [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] CRegister* c)
#define TS_MMA_QUADPAIR_F16(OP, ORDER)                                                            \
  TS_MMA(OP, std::uint32_t) {                                                                     \
    TS_MMA_ASM("mma.sync.aligned.m8n8k4." ORDER                                                   \
               ".f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3};"         \
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                   \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));                                     \
  }
#define TS_MMA_QUADPAIR_F32(OP, ORDER)                                                            \
  TS_MMA(OP, float) {                                                                             \
    TS_MMA_ASM("mma.sync.aligned.m8n8k4." ORDER                                                   \
               ".f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, "        \
               "{%0, %1, %2, %3, %4, %5, %6, %7};"                                                \
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]) \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));                                     \
  }

TS_MMA_QUADPAIR_F16(SM70_8x8x4_F16F16F16F16_TN, "row.col")
TS_MMA_QUADPAIR_F16(SM70_8x8x4_F16F16F16F16_NT, "col.row")
TS_MMA_QUADPAIR_F16(SM70_8x8x4_F16F16F16F16_NN, "col.col")
TS_MMA_QUADPAIR_F16(SM70_8x8x4_F16F16F16F16_TT, "row.row")
TS_MMA_QUADPAIR_F32(SM70_8x8x4_F32F16F16F32_TN, "row.col")
TS_MMA_QUADPAIR_F32(SM70_8x8x4_F32F16F16F32_NT, "col.row")
TS_MMA_QUADPAIR_F32(SM70_8x8x4_F32F16F16F32_NN, "col.col")
TS_MMA_QUADPAIR_F32(SM70_8x8x4_F32F16F16F32_TT, "row.row")

#undef TS_MMA_QUADPAIR_F32
#undef TS_MMA_QUADPAIR_F16
#undef TS_MMA
#undef TS_MMA_ASM

}  // namespace tilestep::detail
