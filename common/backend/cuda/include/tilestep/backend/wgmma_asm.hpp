#pragma once
// The text of wgmma for every N. PTX names each accumulator, so there is one text for each of the 32 widths; macros
// write them, and are gone at the end of this file.

#include <tilestep/backend/hopper_asm.hpp>         // TS_HOPPER
#include <tilestep/backend/wgmma_instruction.hpp>  // DType, Major

// The accumulators of N columns, N / 2 registers: their numbers in the text, and what they are.
#define TS_FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define TS_TEXT_8 "%0, %1, %2, %3"
#define TS_REGS_8 TS_FOUR(0)
#define TS_TEXT_16 TS_TEXT_8 ", %4, %5, %6, %7"
#define TS_REGS_16 TS_REGS_8, TS_FOUR(4)
#define TS_TEXT_24 TS_TEXT_16 ", %8, %9, %10, %11"
#define TS_REGS_24 TS_REGS_16, TS_FOUR(8)
#define TS_TEXT_32 TS_TEXT_24 ", %12, %13, %14, %15"
#define TS_REGS_32 TS_REGS_24, TS_FOUR(12)
#define TS_TEXT_40 TS_TEXT_32 ", %16, %17, %18, %19"
#define TS_REGS_40 TS_REGS_32, TS_FOUR(16)
#define TS_TEXT_48 TS_TEXT_40 ", %20, %21, %22, %23"
#define TS_REGS_48 TS_REGS_40, TS_FOUR(20)
#define TS_TEXT_56 TS_TEXT_48 ", %24, %25, %26, %27"
#define TS_REGS_56 TS_REGS_48, TS_FOUR(24)
#define TS_TEXT_64 TS_TEXT_56 ", %28, %29, %30, %31"
#define TS_REGS_64 TS_REGS_56, TS_FOUR(28)
#define TS_TEXT_72 TS_TEXT_64 ", %32, %33, %34, %35"
#define TS_REGS_72 TS_REGS_64, TS_FOUR(32)
#define TS_TEXT_80 TS_TEXT_72 ", %36, %37, %38, %39"
#define TS_REGS_80 TS_REGS_72, TS_FOUR(36)
#define TS_TEXT_88 TS_TEXT_80 ", %40, %41, %42, %43"
#define TS_REGS_88 TS_REGS_80, TS_FOUR(40)
#define TS_TEXT_96 TS_TEXT_88 ", %44, %45, %46, %47"
#define TS_REGS_96 TS_REGS_88, TS_FOUR(44)
#define TS_TEXT_104 TS_TEXT_96 ", %48, %49, %50, %51"
#define TS_REGS_104 TS_REGS_96, TS_FOUR(48)
#define TS_TEXT_112 TS_TEXT_104 ", %52, %53, %54, %55"
#define TS_REGS_112 TS_REGS_104, TS_FOUR(52)
#define TS_TEXT_120 TS_TEXT_112 ", %56, %57, %58, %59"
#define TS_REGS_120 TS_REGS_112, TS_FOUR(56)
#define TS_TEXT_128 TS_TEXT_120 ", %60, %61, %62, %63"
#define TS_REGS_128 TS_REGS_120, TS_FOUR(60)
#define TS_TEXT_136 TS_TEXT_128 ", %64, %65, %66, %67"
#define TS_REGS_136 TS_REGS_128, TS_FOUR(64)
#define TS_TEXT_144 TS_TEXT_136 ", %68, %69, %70, %71"
#define TS_REGS_144 TS_REGS_136, TS_FOUR(68)
#define TS_TEXT_152 TS_TEXT_144 ", %72, %73, %74, %75"
#define TS_REGS_152 TS_REGS_144, TS_FOUR(72)
#define TS_TEXT_160 TS_TEXT_152 ", %76, %77, %78, %79"
#define TS_REGS_160 TS_REGS_152, TS_FOUR(76)
#define TS_TEXT_168 TS_TEXT_160 ", %80, %81, %82, %83"
#define TS_REGS_168 TS_REGS_160, TS_FOUR(80)
#define TS_TEXT_176 TS_TEXT_168 ", %84, %85, %86, %87"
#define TS_REGS_176 TS_REGS_168, TS_FOUR(84)
#define TS_TEXT_184 TS_TEXT_176 ", %88, %89, %90, %91"
#define TS_REGS_184 TS_REGS_176, TS_FOUR(88)
#define TS_TEXT_192 TS_TEXT_184 ", %92, %93, %94, %95"
#define TS_REGS_192 TS_REGS_184, TS_FOUR(92)
#define TS_TEXT_200 TS_TEXT_192 ", %96, %97, %98, %99"
#define TS_REGS_200 TS_REGS_192, TS_FOUR(96)
#define TS_TEXT_208 TS_TEXT_200 ", %100, %101, %102, %103"
#define TS_REGS_208 TS_REGS_200, TS_FOUR(100)
#define TS_TEXT_216 TS_TEXT_208 ", %104, %105, %106, %107"
#define TS_REGS_216 TS_REGS_208, TS_FOUR(104)
#define TS_TEXT_224 TS_TEXT_216 ", %108, %109, %110, %111"
#define TS_REGS_224 TS_REGS_216, TS_FOUR(108)
#define TS_TEXT_232 TS_TEXT_224 ", %112, %113, %114, %115"
#define TS_REGS_232 TS_REGS_224, TS_FOUR(112)
#define TS_TEXT_240 TS_TEXT_232 ", %116, %117, %118, %119"
#define TS_REGS_240 TS_REGS_232, TS_FOUR(116)
#define TS_TEXT_248 TS_TEXT_240 ", %120, %121, %122, %123"
#define TS_REGS_248 TS_REGS_240, TS_FOUR(120)
#define TS_TEXT_256 TS_TEXT_248 ", %124, %125, %126, %127"
#define TS_REGS_256 TS_REGS_248, TS_FOUR(124)

// X(N, the numbers of the operands that follow the accumulators) for every N
#define TS_EACH_N(X) \
  X(8, 4, 5, 6, 7, 8, 9, 10) \
  X(16, 8, 9, 10, 11, 12, 13, 14) \
  X(24, 12, 13, 14, 15, 16, 17, 18) \
  X(32, 16, 17, 18, 19, 20, 21, 22) \
  X(40, 20, 21, 22, 23, 24, 25, 26) \
  X(48, 24, 25, 26, 27, 28, 29, 30) \
  X(56, 28, 29, 30, 31, 32, 33, 34) \
  X(64, 32, 33, 34, 35, 36, 37, 38) \
  X(72, 36, 37, 38, 39, 40, 41, 42) \
  X(80, 40, 41, 42, 43, 44, 45, 46) \
  X(88, 44, 45, 46, 47, 48, 49, 50) \
  X(96, 48, 49, 50, 51, 52, 53, 54) \
  X(104, 52, 53, 54, 55, 56, 57, 58) \
  X(112, 56, 57, 58, 59, 60, 61, 62) \
  X(120, 60, 61, 62, 63, 64, 65, 66) \
  X(128, 64, 65, 66, 67, 68, 69, 70) \
  X(136, 68, 69, 70, 71, 72, 73, 74) \
  X(144, 72, 73, 74, 75, 76, 77, 78) \
  X(152, 76, 77, 78, 79, 80, 81, 82) \
  X(160, 80, 81, 82, 83, 84, 85, 86) \
  X(168, 84, 85, 86, 87, 88, 89, 90) \
  X(176, 88, 89, 90, 91, 92, 93, 94) \
  X(184, 92, 93, 94, 95, 96, 97, 98) \
  X(192, 96, 97, 98, 99, 100, 101, 102) \
  X(200, 100, 101, 102, 103, 104, 105, 106) \
  X(208, 104, 105, 106, 107, 108, 109, 110) \
  X(216, 108, 109, 110, 111, 112, 113, 114) \
  X(224, 112, 113, 114, 115, 116, 117, 118) \
  X(232, 116, 117, 118, 119, 120, 121, 122) \
  X(240, 120, 121, 122, 123, 124, 125, 126) \
  X(248, 124, 125, 126, 127, 128, 129, 130) \
  X(256, 128, 129, 130, 131, 132, 133, 134)

// accumulate becomes a predicate; the two ones keep the signs of A and B; then which operands have M or N contiguous.
#define TS_SS(n, a, b, c, e, f, g, h)                                                             \
  if constexpr (N == n) {                                                                         \
    if constexpr (T == DType::bf16) {                                                        \
      TS_HOPPER("{ .reg .pred p; setp.ne.b32 p, %" #c ", 0; wgmma.mma_async.sync.aligned.m64n" #n \
                "k16.f32.bf16.bf16 {" TS_TEXT_##n                                                 \
                "}, %" #a ", %" #b ", p, 1, 1, %" #e ", %" #f "; }"                               \
                : TS_REGS_##n                                                                     \
                : "l"(tile_a), "l"(tile_b), "r"(int(accumulate)), "n"(int(A)), "n"(int(B)));      \
    } else {                                                                                      \
      TS_HOPPER("{ .reg .pred p; setp.ne.b32 p, %" #c ", 0; wgmma.mma_async.sync.aligned.m64n" #n \
                "k16.f32.f16.f16 {" TS_TEXT_##n                                                   \
                "}, %" #a ", %" #b ", p, 1, 1, %" #e ", %" #f "; }"                               \
                : TS_REGS_##n                                                                     \
                : "l"(tile_a), "l"(tile_b), "r"(int(accumulate)), "n"(int(A)), "n"(int(B)));      \
    }                                                                                             \
  }
#define TS_RS(n, a, b, c, e, f, g, h)                                                                          \
  if constexpr (N == n) {                                                                                      \
    if constexpr (T == DType::bf16) {                                                                     \
      TS_HOPPER("{ .reg .pred p; setp.ne.b32 p, %" #g ", 0; wgmma.mma_async.sync.aligned.m64n" #n              \
                "k16.f32.bf16.bf16 {" TS_TEXT_##n                                                              \
                "}, {%" #a ", %" #b ", %" #c ", %" #e "}, %" #f ", p, 1, 1, %" #h "; }"                        \
                : TS_REGS_##n                                                                                  \
                : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(tile_b), "r"(int(accumulate)), "n"(int(B))); \
    } else {                                                                                                   \
      TS_HOPPER("{ .reg .pred p; setp.ne.b32 p, %" #g ", 0; wgmma.mma_async.sync.aligned.m64n" #n              \
                "k16.f32.f16.f16 {" TS_TEXT_##n                                                                \
                "}, {%" #a ", %" #b ", %" #c ", %" #e "}, %" #f ", p, 1, 1, %" #h "; }"                        \
                : TS_REGS_##n                                                                                  \
                : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(tile_b), "r"(int(accumulate)), "n"(int(B))); \
    }                                                                                                          \
  }

namespace tilestep::detail {

template <int N, DType T, Major A, Major B>
TS_HOST_DEVICE TS_INLINE void wgmma_ss([[maybe_unused]] std::uint64_t tile_a, [[maybe_unused]] std::uint64_t tile_b,
                                       [[maybe_unused]] float* d, [[maybe_unused]] bool accumulate) {
  TS_EACH_N(TS_SS)
}
template <int N, DType T, Major B>
TS_HOST_DEVICE TS_INLINE void wgmma_rs([[maybe_unused]] std::uint32_t const* x, [[maybe_unused]] std::uint64_t tile_b,
                                       [[maybe_unused]] float* d, [[maybe_unused]] bool accumulate) {
  TS_EACH_N(TS_RS)
}

}  // namespace tilestep::detail

#undef TS_SS
#undef TS_RS
#undef TS_EACH_N
#undef TS_FOUR
#undef TS_TEXT_8
#undef TS_REGS_8
#undef TS_TEXT_16
#undef TS_REGS_16
#undef TS_TEXT_24
#undef TS_REGS_24
#undef TS_TEXT_32
#undef TS_REGS_32
#undef TS_TEXT_40
#undef TS_REGS_40
#undef TS_TEXT_48
#undef TS_REGS_48
#undef TS_TEXT_56
#undef TS_REGS_56
#undef TS_TEXT_64
#undef TS_REGS_64
#undef TS_TEXT_72
#undef TS_REGS_72
#undef TS_TEXT_80
#undef TS_REGS_80
#undef TS_TEXT_88
#undef TS_REGS_88
#undef TS_TEXT_96
#undef TS_REGS_96
#undef TS_TEXT_104
#undef TS_REGS_104
#undef TS_TEXT_112
#undef TS_REGS_112
#undef TS_TEXT_120
#undef TS_REGS_120
#undef TS_TEXT_128
#undef TS_REGS_128
#undef TS_TEXT_136
#undef TS_REGS_136
#undef TS_TEXT_144
#undef TS_REGS_144
#undef TS_TEXT_152
#undef TS_REGS_152
#undef TS_TEXT_160
#undef TS_REGS_160
#undef TS_TEXT_168
#undef TS_REGS_168
#undef TS_TEXT_176
#undef TS_REGS_176
#undef TS_TEXT_184
#undef TS_REGS_184
#undef TS_TEXT_192
#undef TS_REGS_192
#undef TS_TEXT_200
#undef TS_REGS_200
#undef TS_TEXT_208
#undef TS_REGS_208
#undef TS_TEXT_216
#undef TS_REGS_216
#undef TS_TEXT_224
#undef TS_REGS_224
#undef TS_TEXT_232
#undef TS_REGS_232
#undef TS_TEXT_240
#undef TS_REGS_240
#undef TS_TEXT_248
#undef TS_REGS_248
#undef TS_TEXT_256
#undef TS_REGS_256
