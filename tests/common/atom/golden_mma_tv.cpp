#include "golden_atoms.hpp"  // how a case is read

using namespace tilestep;

namespace {

template <char Operand, class Operation, int M, int N, int K>
void fragment(golden::Report& report, int id, int threads, int values, std::vector<int> const& lanes,
              std::vector<std::int64_t> const& elements) {
  using Atom = MmaAtom<Operation>;
  auto const layout = golden_atoms::fragment_layout<Operand, Atom>();
  std::string wrong;
  if (!std::is_same_v<typename Atom::Shape_MNK, Shape<Int<M>, Int<N>, Int<K>>>) wrong += "other shape; ";
  wrong += golden::difference("threads", static_cast<std::int64_t>(size(typename Atom::ThrID{})), threads);
  wrong += golden::difference("values", static_cast<std::int64_t>(size<1>(layout)), values);
  for (int t = 0; t < threads && wrong.empty(); ++t) {
    wrong += golden::difference("lane", static_cast<std::int64_t>(typename Atom::ThrID{}(t)), lanes[std::size_t(t)]);
    for (int v = 0; v < values; ++v)
      wrong += golden::difference("element", static_cast<std::int64_t>(layout(make_coord(t, v))),
                                  elements[std::size_t(t * values + v)]);
  }
  report.add(id, wrong, "", true);
}

/// Do two atoms have the same fragments?
template <class Op, class Like>
constexpr bool same_fragments = std::is_same_v<typename MmaAtom<Op>::ALayout, typename MmaAtom<Like>::ALayout> &&
                                std::is_same_v<typename MmaAtom<Op>::BLayout, typename MmaAtom<Like>::BLayout> &&
                                std::is_same_v<typename MmaAtom<Op>::CLayout, typename MmaAtom<Like>::CLayout>;
/// Does a shape with half of K have the first half of the values, in the same places?
template <class Op, class Longer, char Operand>
constexpr bool first_half = [] {
  auto const half = golden_atoms::fragment_layout<Operand, MmaAtom<Op>>();
  auto const whole = golden_atoms::fragment_layout<Operand, MmaAtom<Longer>>();
  for (int t = 0; t < 32; ++t) {
    for (int v = 0; v < int(size<1>(half)); ++v) {
      if (int(half(make_coord(t, v))) != int(whole(make_coord(t, v)))) return false;
    }
  }
  return 2 * int(size<1>(half)) == int(size<1>(whole));
}();

// Atoms without a case of their own have in CuTe the layouts of atoms with one.
static_assert(same_fragments<SM80_16x8x4_F32TF32TF32F32_TN, SM90_16x8x4_F64F64F64F64_TN>);
template <class... Ops>
constexpr bool as_signed_bytes = (same_fragments<Ops, std::conditional_t<Ops::K == 32, SM80_16x8x32_S32S8S8S32_TN,
    std::conditional_t<Ops::M == 16, SM80_16x8x16_S32S8S8S32_TN, SM80_8x8x16_S32S8S8S32_TN>>> && ...);
static_assert([] {
  bool all_as_signed = true;
  for_each_byte_instruction([&]<class... Ops>(Ops...) { all_as_signed = as_signed_bytes<Ops...>; });
  return all_as_signed;
}());
// Of 4 bits and of one: signs, limits of sums and what bits have in common change nothing.
template <class... Ops>
constexpr bool as_signed_nibbles_or_bits = (same_fragments<Ops, std::conditional_t<Ops::K == 64,
    SM80_16x8x64_S32S4S4S32_TN, std::conditional_t<Ops::K == 32,
    std::conditional_t<Ops::M == 16, SM80_16x8x32_S32S4S4S32_TN, SM80_8x8x32_S32S4S4S32_TN>,
    std::conditional_t<Ops::K == 256, SM80_16x8x256_S32U1U1S32_TN_XORPOPC,
    std::conditional_t<Ops::M == 16, SM80_16x8x128_S32U1U1S32_TN_XORPOPC,
                       SM80_8x8x128_S32U1U1S32_TN_XORPOPC>>>>> && ...);
static_assert([] {
  bool all_as_signed = true;
  for_each_subbyte_instruction([&]<class... Ops>(Ops...) { all_as_signed = as_signed_nibbles_or_bits<Ops...>; });
  return all_as_signed;
}());
// CuTe's layout of A for m16n8k128 has strides of another form than its shape, so there is no case of it.
static_assert(
    first_half<SM80_16x8x128_S32U1U1S32_TN_XORPOPC, SM80_16x8x256_S32U1U1S32_TN_XORPOPC, 'A'> &&
    first_half<SM80_16x8x128_S32U1U1S32_TN_XORPOPC, SM80_16x8x256_S32U1U1S32_TN_XORPOPC, 'B'> &&
    std::is_same_v<MmaAtom<SM80_16x8x128_S32U1U1S32_TN_XORPOPC>::CLayout,
                   MmaAtom<SM80_16x8x256_S32U1U1S32_TN_XORPOPC>::CLayout>);
static_assert(first_half<SM80_16x8x16_S32S8S8S32_TN, SM80_16x8x32_S32S8S8S32_TN, 'A'> &&
              first_half<SM80_16x8x16_S32S8S8S32_TN, SM80_16x8x32_S32S8S8S32_TN, 'B'>);
static_assert(
    std::is_same_v<MmaAtom<SM80_8x8x16_S32S8S8S32_TN>::ALayout, MmaAtom<SM80_16x8x16_S32S8S8S32_TN>::BLayout> &&
    std::is_same_v<MmaAtom<SM80_8x8x16_S32S8S8S32_TN>::BLayout, MmaAtom<SM80_16x8x16_S32S8S8S32_TN>::BLayout> &&
    std::is_same_v<MmaAtom<SM80_8x8x16_S32S8S8S32_TN>::CLayout, MmaAtom<SM80_8x8x4_F64F64F64F64_TN>::CLayout>);

}  // namespace

#define GOLDEN_MMA_TV(id, atom, operand, M, N, K, threads, values, lanes, elements)                      \
  fragment<#operand[0], golden_atoms::atom, M, N, K>(report, id, threads, values, {GOLDEN_UNPACK lanes}, \
                                                     {GOLDEN_UNPACK elements});

golden::Report mma_tv_cases() {
  golden::Report report;
#include "static/mma_tv.inc"  // cases
  return report;
}
