#include "golden_atoms.hpp"  // how a case is read

using namespace tilestep;

namespace {

template <char Operand, class Operation, class Atoms, class Tile, class Data, class Out>
void tiled_mma(golden::Report& report, int id, Atoms const& atoms, Tile const& tile, Data const& data, Out const& out,
               int threads, int values, std::uint64_t bases, std::vector<int> const& listed, std::uint64_t offsets) {
  auto const mma = make_tiled_mma(MmaAtom<Operation>{}, atoms, tile);
  static int const memory[1 << 20] = {};
  auto const tensor = make_view(&memory[0], data);
  if (int(mma.size()) != threads) report.add(id, "another number of threads; ", "", true);
  golden_atoms::partitions(
      report, id, threads, &memory[0],
      [&](int thread) { return golden_atoms::partition<Operand>(mma.slice(thread), tensor); }, out, values, bases,
      listed, offsets);
}

}  // namespace

#define GOLDEN_TILED_MMA(id, atom, operand, atoms, tile, data, out, threads, values, bases, listed, offsets) \
  tiled_mma<#operand[0], golden_atoms::atom>(report, id, atoms, tile, data, out, threads, values, bases,     \
                                             {GOLDEN_UNPACK listed}, offsets);

golden::Report tiled_mma_cases() {
  golden::Report report;
#include "static/tiled_mma.inc"  // cases
  return report;
}
