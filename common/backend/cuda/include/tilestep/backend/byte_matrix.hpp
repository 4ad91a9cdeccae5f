#pragma once
// mma.sync with operands of 8 bits, as PTX. The instructions differ in their names alone, so one macro per shape writes
// them out.

#include <tilestep/backend/instruction.hpp>  // the instructions
#include <tilestep/backend/macros.hpp>       // TS_HOST_DEVICE, TS_INLINE

#include <cstdint>  // std::uint32_t

namespace tilestep::detail {

#if defined(__CUDA_ARCH__)
#define TS_MMA_ASM(...) asm volatile(__VA_ARGS__)
#else
#define TS_MMA_ASM(...) static_cast<void>(0)
#endif
// FP8 came with compute capability 8.9; a kernel of it traps where it is compiled for an older one.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 890
#define TS_MMA_FP8_ASM(...) __trap()
#else
#define TS_MMA_FP8_ASM(...) TS_MMA_ASM(__VA_ARGS__)
#endif

#define TS_MMA(OP, CRegister)                                                    \
  TS_HOST_DEVICE TS_INLINE void mma(OP, [[maybe_unused]] std::uint32_t const* a, \
                                    [[maybe_unused]] std::uint32_t const* b, [[maybe_unused]] CRegister* c)
#define TS_AB_M16N8K32 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define TS_MMA_M16N8K32(OP, TYPES)                                                 \
  TS_MMA(OP, std::int32_t) {                                                       \
    TS_MMA_ASM("mma.sync.aligned.m16n8k32.row.col" TYPES                           \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"  \
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : TS_AB_M16N8K32); \
  }
#define TS_MMA_M16N8K16(OP, TYPES)                                                                              \
  TS_MMA(OP, std::int32_t) {                                                                                    \
    TS_MMA_ASM("mma.sync.aligned.m16n8k16.row.col" TYPES " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" \
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));             \
  }
#define TS_MMA_M8N8K16(OP, TYPES)                                                          \
  TS_MMA(OP, std::int32_t) {                                                               \
    TS_MMA_ASM("mma.sync.aligned.m8n8k16.row.col" TYPES " {%0, %1}, {%2}, {%3}, {%0, %1};" \
               : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));                           \
  }
#define TS_MMA_FP8_F32(OP, A, B)                                                          \
  TS_MMA(OP, float) {                                                                     \
    TS_MMA_FP8_ASM("mma.sync.aligned.m16n8k32.row.col.f32." A "." B                       \
                   ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                   : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : TS_AB_M16N8K32);    \
  }
#define TS_MMA_FP8_F16(OP, A, B)                                          \
  TS_MMA(OP, std::uint32_t) {                                             \
    TS_MMA_FP8_ASM("mma.sync.aligned.m16n8k32.row.col.f16." A "." B       \
                   ".f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};" \
                   : "+r"(c[0]), "+r"(c[1]) : TS_AB_M16N8K32);            \
  }

TS_MMA_M16N8K32(SM80_16x8x32_S32S8U8S32_TN, ".s32.s8.u8.s32")
TS_MMA_M16N8K32(SM80_16x8x32_S32U8S8S32_TN, ".s32.u8.s8.s32")
TS_MMA_M16N8K32(SM80_16x8x32_S32U8U8S32_TN, ".s32.u8.u8.s32")
TS_MMA_M16N8K32(SM80_16x8x32_S32S8S8S32_TN_SATURATE, ".satfinite.s32.s8.s8.s32")
TS_MMA_M16N8K32(SM80_16x8x32_S32S8U8S32_TN_SATURATE, ".satfinite.s32.s8.u8.s32")
TS_MMA_M16N8K32(SM80_16x8x32_S32U8S8S32_TN_SATURATE, ".satfinite.s32.u8.s8.s32")
TS_MMA_M16N8K32(SM80_16x8x32_S32U8U8S32_TN_SATURATE, ".satfinite.s32.u8.u8.s32")
TS_MMA_M16N8K16(SM80_16x8x16_S32S8U8S32_TN, ".s32.s8.u8.s32")
TS_MMA_M16N8K16(SM80_16x8x16_S32U8S8S32_TN, ".s32.u8.s8.s32")
TS_MMA_M16N8K16(SM80_16x8x16_S32U8U8S32_TN, ".s32.u8.u8.s32")
TS_MMA_M16N8K16(SM80_16x8x16_S32S8S8S32_TN_SATURATE, ".satfinite.s32.s8.s8.s32")
TS_MMA_M16N8K16(SM80_16x8x16_S32S8U8S32_TN_SATURATE, ".satfinite.s32.s8.u8.s32")
TS_MMA_M16N8K16(SM80_16x8x16_S32U8S8S32_TN_SATURATE, ".satfinite.s32.u8.s8.s32")
TS_MMA_M16N8K16(SM80_16x8x16_S32U8U8S32_TN_SATURATE, ".satfinite.s32.u8.u8.s32")
TS_MMA_M8N8K16(SM80_8x8x16_S32S8U8S32_TN, ".s32.s8.u8.s32")
TS_MMA_M8N8K16(SM80_8x8x16_S32U8S8S32_TN, ".s32.u8.s8.s32")
TS_MMA_M8N8K16(SM80_8x8x16_S32U8U8S32_TN, ".s32.u8.u8.s32")
TS_MMA_M8N8K16(SM80_8x8x16_S32S8S8S32_TN_SATURATE, ".satfinite.s32.s8.s8.s32")
TS_MMA_M8N8K16(SM80_8x8x16_S32S8U8S32_TN_SATURATE, ".satfinite.s32.s8.u8.s32")
TS_MMA_M8N8K16(SM80_8x8x16_S32U8S8S32_TN_SATURATE, ".satfinite.s32.u8.s8.s32")
TS_MMA_M8N8K16(SM80_8x8x16_S32U8U8S32_TN_SATURATE, ".satfinite.s32.u8.u8.s32")
TS_MMA_FP8_F32(SM89_16x8x32_F32E4M3E4M3F32_TN, "e4m3", "e4m3")
TS_MMA_FP8_F32(SM89_16x8x32_F32E4M3E5M2F32_TN, "e4m3", "e5m2")
TS_MMA_FP8_F32(SM89_16x8x32_F32E5M2E4M3F32_TN, "e5m2", "e4m3")
TS_MMA_FP8_F32(SM89_16x8x32_F32E5M2E5M2F32_TN, "e5m2", "e5m2")
TS_MMA_FP8_F16(SM89_16x8x32_F16E4M3E4M3F16_TN, "e4m3", "e4m3")
TS_MMA_FP8_F16(SM89_16x8x32_F16E4M3E5M2F16_TN, "e4m3", "e5m2")
TS_MMA_FP8_F16(SM89_16x8x32_F16E5M2E4M3F16_TN, "e5m2", "e4m3")
TS_MMA_FP8_F16(SM89_16x8x32_F16E5M2E5M2F16_TN, "e5m2", "e5m2")

#undef TS_MMA_FP8_F16
#undef TS_MMA_FP8_F32
#undef TS_MMA_M8N8K16
#undef TS_MMA_M16N8K16
#undef TS_MMA_M16N8K32
#undef TS_AB_M16N8K32
#undef TS_MMA
#undef TS_MMA_FP8_ASM
#undef TS_MMA_ASM

}  // namespace tilestep::detail
