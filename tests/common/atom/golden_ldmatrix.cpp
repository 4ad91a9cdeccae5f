#include "golden_atoms.hpp"  // how a case is read

using namespace tilestep;

namespace {

/// The copy of `Operation` for an operand of the tiled MMA.
template <char Operand, class Operation, class Mma>
auto copy_for(Mma const& mma) {
  CopyAtom<Operation, half_t> const atom;
  if constexpr (Operand == 'A') return make_tiled_copy_A(atom, mma);
  else if constexpr (Operand == 'B') return make_tiled_copy_B(atom, mma);
  else return make_tiled_copy_C(atom, mma);
}

template <int B, int M, int S, class Data>
auto swizzled(Data const& data) {
  if constexpr (B > 0) return composition(Swizzle<B, M, S>{}, Int<0>{}, data);
  else return data;
}

/// Addresses on the side of shared memory, and the fragment as the copy sees it.
template <bool Stores, char Operand, class Operation, class MmaOperation, int B, int M, int S, class Atoms, class Tile,
          class Data, class Fragment, class Retiled>
void matrix_copy(golden::Report& report, int id, Atoms const& atoms, Tile const& tile, Data const& data, int threads,
                 int values, std::vector<int> const& listed, std::uint64_t addresses, Fragment const& fragment,
                 Retiled const& retiled, std::uint64_t registers) {
  auto const mma = make_tiled_mma(MmaAtom<MmaOperation>{}, atoms, tile);
  auto const copy = copy_for<Operand, Operation>(mma);
  static half_t const memory[1 << 16] = {};
  auto const tensor = make_view(&memory[0], swizzled<B, M, S>(data));
  std::string wrong = golden::difference("threads", static_cast<std::int64_t>(copy.size()), threads);
  golden::Hash all_addresses, all_registers;
  for (int const thread : listed) {
    auto const part = [&] {
      if constexpr (Stores) return copy.slice(thread).partition_D(tensor);
      else return copy.slice(thread).partition_S(tensor);
    }();
    wrong += golden::difference("values", static_cast<std::int64_t>(size(part.layout())), values);
    for (int i = 0; i < values; ++i) all_addresses.add(&part(i) - &memory[0]);
  }
  auto const own =
      make_layout(golden_atoms::partition<Operand>(mma.slice(0), make_view(&memory[0], data)).layout().shape());
  auto const seen = copy.retile(make_view(&memory[0], own)).layout();
  for (int i = 0; i < int(size(seen)); ++i) all_registers.add(static_cast<std::int64_t>(seen(i)));
  if (all_addresses.state != addresses) wrong += "other addresses; ";
  if (all_registers.state != registers) wrong += "other registers; ";
  report.add(id, wrong,
             golden::difference("fragment", to_string(own), to_string(fragment)) +
                 golden::difference("retiled", to_string(seen), to_string(retiled)),
             true);
}

}  // namespace

#define GOLDEN_LDMATRIX(id, copy, atom, atoms, tile, operand, B, M, S, data, threads, values, listed, addresses,     \
                        fragment, retiled, registers)                                                                \
  matrix_copy<false, #operand[0], copy, golden_atoms::atom, B, M, S>(report, id, atoms, tile, data, threads, values, \
                                                                     {GOLDEN_UNPACK listed}, addresses, fragment,    \
                                                                     retiled, registers);
#define GOLDEN_STMATRIX(id, copy, atom, atoms, tile, operand, B, M, S, data, threads, values, listed, addresses, \
                        fragment, retiled, registers)                                                            \
  matrix_copy<true, #operand[0], golden_atoms::copy, golden_atoms::atom, B, M, S>(                               \
      report, id, atoms, tile, data, threads, values, {GOLDEN_UNPACK listed}, addresses, fragment, retiled,      \
      registers);

golden::Report ldmatrix_cases() {
  golden::Report report;
#include "static/ldmatrix.inc"  // cases
  return report;
}

golden::Report stmatrix_cases() {
  golden::Report report;
#include "static/stmatrix.inc"  // cases
  return report;
}
