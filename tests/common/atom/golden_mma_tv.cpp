#include "golden_atoms.hpp"  // how a case is read

using namespace tilestep;

namespace {

template <char Operand, class Operation, int M, int N, int K>
void fragment(golden::Report& report, int id, int threads, int values, std::vector<int> const& lanes,
              std::vector<std::int64_t> const& elements) {
  if constexpr (std::is_base_of_v<golden_atoms::Foreign, Operation>) return;  // its layouts are this test's own
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

}  // namespace

#define GOLDEN_MMA_TV(id, atom, operand, M, N, K, threads, values, lanes, elements)                      \
  fragment<#operand[0], golden_atoms::atom, M, N, K>(report, id, threads, values, {GOLDEN_UNPACK lanes}, \
                                                     {GOLDEN_UNPACK elements});

golden::Report mma_tv_cases() {
  golden::Report report;
#include "static/mma_tv.inc"  // cases
  return report;
}
