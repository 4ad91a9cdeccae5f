#pragma once
// The text of wgmma. PTX names each register of C, so there is one text for each number of them; macros write them, and
// are gone at the end of this file. What else differs, the instruction's name and its last operands, are constants that
// nvcc puts into the text ("C": CUDA Toolkit, "Inline PTX Assembly", Constraints).

#include <tilestep/backend/hopper_asm.hpp>         // TS_HOPPER
#include <tilestep/backend/wgmma_instruction.hpp>  // DType, Major

#include <cstddef>      // std::size_t
#include <string_view>  // names
#include <utility>      // std::index_sequence

// The registers of C: the first by FIRST, each further one by X.
#define TS_LIST_2(FIRST, X) FIRST(0) X(1)
#define TS_LIST_4(FIRST, X) TS_LIST_2(FIRST, X) X(2) X(3)
#define TS_LIST_6(FIRST, X) TS_LIST_4(FIRST, X) X(4) X(5)
#define TS_LIST_8(FIRST, X) TS_LIST_6(FIRST, X) X(6) X(7)
#define TS_LIST_10(FIRST, X) TS_LIST_8(FIRST, X) X(8) X(9)
#define TS_LIST_12(FIRST, X) TS_LIST_10(FIRST, X) X(10) X(11)
#define TS_LIST_14(FIRST, X) TS_LIST_12(FIRST, X) X(12) X(13)
#define TS_LIST_16(FIRST, X) TS_LIST_14(FIRST, X) X(14) X(15)
#define TS_LIST_18(FIRST, X) TS_LIST_16(FIRST, X) X(16) X(17)
#define TS_LIST_20(FIRST, X) TS_LIST_18(FIRST, X) X(18) X(19)
#define TS_LIST_22(FIRST, X) TS_LIST_20(FIRST, X) X(20) X(21)
#define TS_LIST_24(FIRST, X) TS_LIST_22(FIRST, X) X(22) X(23)
#define TS_LIST_26(FIRST, X) TS_LIST_24(FIRST, X) X(24) X(25)
#define TS_LIST_28(FIRST, X) TS_LIST_26(FIRST, X) X(26) X(27)
#define TS_LIST_30(FIRST, X) TS_LIST_28(FIRST, X) X(28) X(29)
#define TS_LIST_32(FIRST, X) TS_LIST_30(FIRST, X) X(30) X(31)
#define TS_LIST_34(FIRST, X) TS_LIST_32(FIRST, X) X(32) X(33)
#define TS_LIST_36(FIRST, X) TS_LIST_34(FIRST, X) X(34) X(35)
#define TS_LIST_38(FIRST, X) TS_LIST_36(FIRST, X) X(36) X(37)
#define TS_LIST_40(FIRST, X) TS_LIST_38(FIRST, X) X(38) X(39)
#define TS_LIST_42(FIRST, X) TS_LIST_40(FIRST, X) X(40) X(41)
#define TS_LIST_44(FIRST, X) TS_LIST_42(FIRST, X) X(42) X(43)
#define TS_LIST_46(FIRST, X) TS_LIST_44(FIRST, X) X(44) X(45)
#define TS_LIST_48(FIRST, X) TS_LIST_46(FIRST, X) X(46) X(47)
#define TS_LIST_50(FIRST, X) TS_LIST_48(FIRST, X) X(48) X(49)
#define TS_LIST_52(FIRST, X) TS_LIST_50(FIRST, X) X(50) X(51)
#define TS_LIST_54(FIRST, X) TS_LIST_52(FIRST, X) X(52) X(53)
#define TS_LIST_56(FIRST, X) TS_LIST_54(FIRST, X) X(54) X(55)
#define TS_LIST_58(FIRST, X) TS_LIST_56(FIRST, X) X(56) X(57)
#define TS_LIST_60(FIRST, X) TS_LIST_58(FIRST, X) X(58) X(59)
#define TS_LIST_62(FIRST, X) TS_LIST_60(FIRST, X) X(60) X(61)
#define TS_LIST_64(FIRST, X) TS_LIST_62(FIRST, X) X(62) X(63)
#define TS_LIST_68(FIRST, X) TS_LIST_64(FIRST, X) X(64) X(65) X(66) X(67)
#define TS_LIST_72(FIRST, X) TS_LIST_68(FIRST, X) X(68) X(69) X(70) X(71)
#define TS_LIST_76(FIRST, X) TS_LIST_72(FIRST, X) X(72) X(73) X(74) X(75)
#define TS_LIST_80(FIRST, X) TS_LIST_76(FIRST, X) X(76) X(77) X(78) X(79)
#define TS_LIST_84(FIRST, X) TS_LIST_80(FIRST, X) X(80) X(81) X(82) X(83)
#define TS_LIST_88(FIRST, X) TS_LIST_84(FIRST, X) X(84) X(85) X(86) X(87)
#define TS_LIST_92(FIRST, X) TS_LIST_88(FIRST, X) X(88) X(89) X(90) X(91)
#define TS_LIST_96(FIRST, X) TS_LIST_92(FIRST, X) X(92) X(93) X(94) X(95)
#define TS_LIST_100(FIRST, X) TS_LIST_96(FIRST, X) X(96) X(97) X(98) X(99)
#define TS_LIST_104(FIRST, X) TS_LIST_100(FIRST, X) X(100) X(101) X(102) X(103)
#define TS_LIST_108(FIRST, X) TS_LIST_104(FIRST, X) X(104) X(105) X(106) X(107)
#define TS_LIST_112(FIRST, X) TS_LIST_108(FIRST, X) X(108) X(109) X(110) X(111)
#define TS_LIST_116(FIRST, X) TS_LIST_112(FIRST, X) X(112) X(113) X(114) X(115)
#define TS_LIST_120(FIRST, X) TS_LIST_116(FIRST, X) X(116) X(117) X(118) X(119)
#define TS_LIST_124(FIRST, X) TS_LIST_120(FIRST, X) X(120) X(121) X(122) X(123)
#define TS_LIST_128(FIRST, X) TS_LIST_124(FIRST, X) X(124) X(125) X(126) X(127)
// Their numbers in the text, and what they are.
#define TS_FIRST_NUMBER(i) "%" #i
#define TS_NUMBER(i) ", %" #i
#define TS_FIRST_FLOAT(i) "+f"(d[i])
#define TS_FLOAT(i) , "+f"(d[i])
#define TS_FIRST_WORD(i) "+r"(d[i])
#define TS_WORD(i) , "+r"(d[i])

// Y for each number of registers, with the numbers of the operands that follow them; of FP16 sums there may be fewer.
#define TS_EACH(Y, FIRST, X) \
  Y(4, FIRST, X, 4, 5, 6, 7, 8, 9, 10, 11) \
  Y(8, FIRST, X, 8, 9, 10, 11, 12, 13, 14, 15) \
  Y(12, FIRST, X, 12, 13, 14, 15, 16, 17, 18, 19) \
  Y(16, FIRST, X, 16, 17, 18, 19, 20, 21, 22, 23) \
  Y(20, FIRST, X, 20, 21, 22, 23, 24, 25, 26, 27) \
  Y(24, FIRST, X, 24, 25, 26, 27, 28, 29, 30, 31) \
  Y(28, FIRST, X, 28, 29, 30, 31, 32, 33, 34, 35) \
  Y(32, FIRST, X, 32, 33, 34, 35, 36, 37, 38, 39) \
  Y(36, FIRST, X, 36, 37, 38, 39, 40, 41, 42, 43) \
  Y(40, FIRST, X, 40, 41, 42, 43, 44, 45, 46, 47) \
  Y(44, FIRST, X, 44, 45, 46, 47, 48, 49, 50, 51) \
  Y(48, FIRST, X, 48, 49, 50, 51, 52, 53, 54, 55) \
  Y(52, FIRST, X, 52, 53, 54, 55, 56, 57, 58, 59) \
  Y(56, FIRST, X, 56, 57, 58, 59, 60, 61, 62, 63) \
  Y(60, FIRST, X, 60, 61, 62, 63, 64, 65, 66, 67) \
  Y(64, FIRST, X, 64, 65, 66, 67, 68, 69, 70, 71) \
  Y(68, FIRST, X, 68, 69, 70, 71, 72, 73, 74, 75) \
  Y(72, FIRST, X, 72, 73, 74, 75, 76, 77, 78, 79) \
  Y(76, FIRST, X, 76, 77, 78, 79, 80, 81, 82, 83) \
  Y(80, FIRST, X, 80, 81, 82, 83, 84, 85, 86, 87) \
  Y(84, FIRST, X, 84, 85, 86, 87, 88, 89, 90, 91) \
  Y(88, FIRST, X, 88, 89, 90, 91, 92, 93, 94, 95) \
  Y(92, FIRST, X, 92, 93, 94, 95, 96, 97, 98, 99) \
  Y(96, FIRST, X, 96, 97, 98, 99, 100, 101, 102, 103) \
  Y(100, FIRST, X, 100, 101, 102, 103, 104, 105, 106, 107) \
  Y(104, FIRST, X, 104, 105, 106, 107, 108, 109, 110, 111) \
  Y(108, FIRST, X, 108, 109, 110, 111, 112, 113, 114, 115) \
  Y(112, FIRST, X, 112, 113, 114, 115, 116, 117, 118, 119) \
  Y(116, FIRST, X, 116, 117, 118, 119, 120, 121, 122, 123) \
  Y(120, FIRST, X, 120, 121, 122, 123, 124, 125, 126, 127) \
  Y(124, FIRST, X, 124, 125, 126, 127, 128, 129, 130, 131) \
  Y(128, FIRST, X, 128, 129, 130, 131, 132, 133, 134, 135)
#define TS_EACH_OTHER(Y, FIRST, X) \
  Y(2, FIRST, X, 2, 3, 4, 5, 6, 7, 8, 9) \
  Y(6, FIRST, X, 6, 7, 8, 9, 10, 11, 12, 13) \
  Y(10, FIRST, X, 10, 11, 12, 13, 14, 15, 16, 17) \
  Y(14, FIRST, X, 14, 15, 16, 17, 18, 19, 20, 21) \
  Y(18, FIRST, X, 18, 19, 20, 21, 22, 23, 24, 25) \
  Y(22, FIRST, X, 22, 23, 24, 25, 26, 27, 28, 29) \
  Y(26, FIRST, X, 26, 27, 28, 29, 30, 31, 32, 33) \
  Y(30, FIRST, X, 30, 31, 32, 33, 34, 35, 36, 37) \
  Y(34, FIRST, X, 34, 35, 36, 37, 38, 39, 40, 41) \
  Y(38, FIRST, X, 38, 39, 40, 41, 42, 43, 44, 45) \
  Y(42, FIRST, X, 42, 43, 44, 45, 46, 47, 48, 49) \
  Y(46, FIRST, X, 46, 47, 48, 49, 50, 51, 52, 53) \
  Y(50, FIRST, X, 50, 51, 52, 53, 54, 55, 56, 57) \
  Y(54, FIRST, X, 54, 55, 56, 57, 58, 59, 60, 61) \
  Y(58, FIRST, X, 58, 59, 60, 61, 62, 63, 64, 65) \
  Y(62, FIRST, X, 62, 63, 64, 65, 66, 67, 68, 69)

// `accumulate` becomes a predicate.
#define TS_SS(r, FIRST, X, a, b, c, e, f, g, h, i)                                                               \
  if constexpr (Op::c_registers == r)                                                                            \
    TS_HOPPER("{ .reg .pred p; setp.ne.b32 p, %" #e ", 0; %" #a " {" TS_LIST_##r(TS_FIRST_NUMBER, TS_NUMBER) "}, %" \
              #b ", %" #c ", p%" #f "; }"                                                                        \
              : TS_LIST_##r(FIRST, X)                                                                            \
              : "C"(Text::Name::value), "l"(tile_a), "l"(tile_b), "r"(int(accumulate)), "C"(Text::Rest::value));
#define TS_RS(r, FIRST, X, a, b, c, e, f, g, h, i)                                                               \
  if constexpr (Op::c_registers == r)                                                                            \
    TS_HOPPER("{ .reg .pred p; setp.ne.b32 p, %" #h ", 0; %" #a " {" TS_LIST_##r(TS_FIRST_NUMBER, TS_NUMBER) "}, {%" \
              #b ", %" #c ", %" #e ", %" #f "}, %" #g ", p%" #i "; }"                                            \
              : TS_LIST_##r(FIRST, X)                                                                            \
              : "C"(Text::Name::value), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(tile_b),               \
                "r"(int(accumulate)), "C"(Text::Rest::value));

namespace tilestep::detail {

/// A string that "C" takes: an array of characters.
template <class Text, std::size_t... Is>
struct Characters {
  static constexpr char value[] = {Text::text[Is]..., 0};
};
template <class Text, std::size_t... Is>
constexpr auto characters_of(std::index_sequence<Is...>) { return Characters<Text, Is...>{}; }

/// Behind the descriptors and the predicate: factors of A and B, which keep their signs, unless they are integers; then
/// which of them have M or N contiguous, if they may have.
template <class Op, bool HAS_A>
struct RestOfWgmma {
  static constexpr std::string_view text = [] {
    if (Op::is_integer) return "";
    if (!Op::takes_mn) return ", 1, 1";
    bool const b = Op::major_b == Major::mn;
    if constexpr (!HAS_A) return b ? ", 1, 1, 1" : ", 1, 1, 0";
    else if (Op::major_a == Major::mn) return b ? ", 1, 1, 1, 1" : ", 1, 1, 1, 0";
    else return b ? ", 1, 1, 0, 1" : ", 1, 1, 0, 0";
  }();
};
template <class Op>
struct NameOfWgmma {
  static constexpr std::string_view text = Op::name;
};
template <class Text>
using CharactersOf = decltype(characters_of<Text>(std::make_index_sequence<Text::text.size()>{}));

/// @tparam HAS_A  in shared memory
template <class Op, bool HAS_A>
struct TextOfWgmma {
  using Name = CharactersOf<NameOfWgmma<Op>>;
  using Rest = CharactersOf<RestOfWgmma<Op, HAS_A>>;
};

template <class Op>
TS_HOST_DEVICE TS_INLINE void wgmma_ss([[maybe_unused]] std::uint64_t tile_a, [[maybe_unused]] std::uint64_t tile_b,
                                       [[maybe_unused]] typename Op::CRegister* d, [[maybe_unused]] bool accumulate) {
  using Text = TextOfWgmma<Op, true>;
  if constexpr (Op::c == DType::f32) {
    TS_EACH(TS_SS, TS_FIRST_FLOAT, TS_FLOAT)
  } else {
    TS_EACH(TS_SS, TS_FIRST_WORD, TS_WORD)
    TS_EACH_OTHER(TS_SS, TS_FIRST_WORD, TS_WORD)
  }
}
template <class Op>
TS_HOST_DEVICE TS_INLINE void wgmma_rs([[maybe_unused]] std::uint32_t const* x, [[maybe_unused]] std::uint64_t tile_b,
                                       [[maybe_unused]] typename Op::CRegister* d, [[maybe_unused]] bool accumulate) {
  using Text = TextOfWgmma<Op, false>;
  if constexpr (Op::c == DType::f32) {
    TS_EACH(TS_RS, TS_FIRST_FLOAT, TS_FLOAT)
  } else {
    TS_EACH(TS_RS, TS_FIRST_WORD, TS_WORD)
    TS_EACH_OTHER(TS_RS, TS_FIRST_WORD, TS_WORD)
  }
}

}  // namespace tilestep::detail

#undef TS_SS
#undef TS_RS
#undef TS_EACH
#undef TS_EACH_OTHER
#undef TS_FIRST_NUMBER
#undef TS_NUMBER
#undef TS_FIRST_FLOAT
#undef TS_FLOAT
#undef TS_FIRST_WORD
#undef TS_WORD
#undef TS_LIST_2
#undef TS_LIST_4
#undef TS_LIST_6
#undef TS_LIST_8
#undef TS_LIST_10
#undef TS_LIST_12
#undef TS_LIST_14
#undef TS_LIST_16
#undef TS_LIST_18
#undef TS_LIST_20
#undef TS_LIST_22
#undef TS_LIST_24
#undef TS_LIST_26
#undef TS_LIST_28
#undef TS_LIST_30
#undef TS_LIST_32
#undef TS_LIST_34
#undef TS_LIST_36
#undef TS_LIST_38
#undef TS_LIST_40
#undef TS_LIST_42
#undef TS_LIST_44
#undef TS_LIST_46
#undef TS_LIST_48
#undef TS_LIST_50
#undef TS_LIST_52
#undef TS_LIST_54
#undef TS_LIST_56
#undef TS_LIST_58
#undef TS_LIST_60
#undef TS_LIST_62
#undef TS_LIST_64
#undef TS_LIST_68
#undef TS_LIST_72
#undef TS_LIST_76
#undef TS_LIST_80
#undef TS_LIST_84
#undef TS_LIST_88
#undef TS_LIST_92
#undef TS_LIST_96
#undef TS_LIST_100
#undef TS_LIST_104
#undef TS_LIST_108
#undef TS_LIST_112
#undef TS_LIST_116
#undef TS_LIST_120
#undef TS_LIST_124
#undef TS_LIST_128
