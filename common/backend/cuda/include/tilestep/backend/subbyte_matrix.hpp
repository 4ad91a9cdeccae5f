#pragma once
// mma.sync with operands of 4 bits and of one, as PTX. What differs is the name and how many registers A and B have:
// one macro for each number of them.

#include <tilestep/backend/instruction.hpp>  // the instructions
#include <tilestep/backend/macros.hpp>       // TS_HOST_DEVICE, TS_INLINE

#include <cstdint>  // std::uint32_t

namespace tilestep::detail {

#if defined(__CUDA_ARCH__)
#define TS_MMA_ASM(...) asm volatile(__VA_ARGS__)
#else
#define TS_MMA_ASM(...) static_cast<void>(0)
#endif

#define TS_MMA(OP)                                                               \
  TS_HOST_DEVICE TS_INLINE void mma(OP, [[maybe_unused]] std::uint32_t const* a, \
                                    [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] std::int32_t* c)
#define TS_C_M16 "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define TS_MMA_4_2(OP, NAME)                                                                              \
  TS_MMA(OP) {                                                                                            \
    TS_MMA_ASM("mma.sync.aligned." NAME " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : TS_C_M16 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));            \
  }
#define TS_MMA_2_1(OP, NAME)                                                                      \
  TS_MMA(OP) {                                                                                    \
    TS_MMA_ASM("mma.sync.aligned." NAME " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"    \
               : TS_C_M16 : "r"(a[0]), "r"(a[1]), "r"(b[0]));                                     \
  }
#define TS_MMA_1_1(OP, NAME)                                                \
  TS_MMA(OP) {                                                              \
    TS_MMA_ASM("mma.sync.aligned." NAME " {%0, %1}, {%2}, {%3}, {%0, %1};"  \
               : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));            \
  }

TS_MMA_1_1(SM80_8x8x32_S32S4S4S32_TN, "m8n8k32.row.col.s32.s4.s4.s32")
TS_MMA_1_1(SM80_8x8x32_S32S4U4S32_TN, "m8n8k32.row.col.s32.s4.u4.s32")
TS_MMA_1_1(SM80_8x8x32_S32U4S4S32_TN, "m8n8k32.row.col.s32.u4.s4.s32")
TS_MMA_1_1(SM80_8x8x32_S32U4U4S32_TN, "m8n8k32.row.col.s32.u4.u4.s32")
TS_MMA_1_1(SM80_8x8x32_S32S4S4S32_TN_SATURATE, "m8n8k32.row.col.satfinite.s32.s4.s4.s32")
TS_MMA_1_1(SM80_8x8x32_S32S4U4S32_TN_SATURATE, "m8n8k32.row.col.satfinite.s32.s4.u4.s32")
TS_MMA_1_1(SM80_8x8x32_S32U4S4S32_TN_SATURATE, "m8n8k32.row.col.satfinite.s32.u4.s4.s32")
TS_MMA_1_1(SM80_8x8x32_S32U4U4S32_TN_SATURATE, "m8n8k32.row.col.satfinite.s32.u4.u4.s32")
TS_MMA_2_1(SM80_16x8x32_S32S4S4S32_TN, "m16n8k32.row.col.s32.s4.s4.s32")
TS_MMA_2_1(SM80_16x8x32_S32S4U4S32_TN, "m16n8k32.row.col.s32.s4.u4.s32")
TS_MMA_2_1(SM80_16x8x32_S32U4S4S32_TN, "m16n8k32.row.col.s32.u4.s4.s32")
TS_MMA_2_1(SM80_16x8x32_S32U4U4S32_TN, "m16n8k32.row.col.s32.u4.u4.s32")
TS_MMA_2_1(SM80_16x8x32_S32S4S4S32_TN_SATURATE, "m16n8k32.row.col.satfinite.s32.s4.s4.s32")
TS_MMA_2_1(SM80_16x8x32_S32S4U4S32_TN_SATURATE, "m16n8k32.row.col.satfinite.s32.s4.u4.s32")
TS_MMA_2_1(SM80_16x8x32_S32U4S4S32_TN_SATURATE, "m16n8k32.row.col.satfinite.s32.u4.s4.s32")
TS_MMA_2_1(SM80_16x8x32_S32U4U4S32_TN_SATURATE, "m16n8k32.row.col.satfinite.s32.u4.u4.s32")
TS_MMA_4_2(SM80_16x8x64_S32S4S4S32_TN, "m16n8k64.row.col.s32.s4.s4.s32")
TS_MMA_4_2(SM80_16x8x64_S32S4U4S32_TN, "m16n8k64.row.col.s32.s4.u4.s32")
TS_MMA_4_2(SM80_16x8x64_S32U4S4S32_TN, "m16n8k64.row.col.s32.u4.s4.s32")
TS_MMA_4_2(SM80_16x8x64_S32U4U4S32_TN, "m16n8k64.row.col.s32.u4.u4.s32")
TS_MMA_4_2(SM80_16x8x64_S32S4S4S32_TN_SATURATE, "m16n8k64.row.col.satfinite.s32.s4.s4.s32")
TS_MMA_4_2(SM80_16x8x64_S32S4U4S32_TN_SATURATE, "m16n8k64.row.col.satfinite.s32.s4.u4.s32")
TS_MMA_4_2(SM80_16x8x64_S32U4S4S32_TN_SATURATE, "m16n8k64.row.col.satfinite.s32.u4.s4.s32")
TS_MMA_4_2(SM80_16x8x64_S32U4U4S32_TN_SATURATE, "m16n8k64.row.col.satfinite.s32.u4.u4.s32")
TS_MMA_1_1(SM80_8x8x128_S32U1U1S32_TN_ANDPOPC, "m8n8k128.row.col.s32.b1.b1.s32.and.popc")
TS_MMA_1_1(SM80_8x8x128_S32U1U1S32_TN_XORPOPC, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
TS_MMA_2_1(SM80_16x8x128_S32U1U1S32_TN_ANDPOPC, "m16n8k128.row.col.s32.b1.b1.s32.and.popc")
TS_MMA_2_1(SM80_16x8x128_S32U1U1S32_TN_XORPOPC, "m16n8k128.row.col.s32.b1.b1.s32.xor.popc")
TS_MMA_4_2(SM80_16x8x256_S32U1U1S32_TN_ANDPOPC, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
TS_MMA_4_2(SM80_16x8x256_S32U1U1S32_TN_XORPOPC, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")

#undef TS_MMA_1_1
#undef TS_MMA_2_1
#undef TS_MMA_4_2
#undef TS_C_M16
#undef TS_MMA
#undef TS_MMA_ASM

}  // namespace tilestep::detail
