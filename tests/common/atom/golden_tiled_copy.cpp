#include "golden_atoms.hpp"  // how a case is read

using namespace tilestep;

namespace {

template <int ElementBits, int VectorBits>
using Copy = CopyAtom<CopyBits<VectorBits>, typename golden_atoms::Element<ElementBits>::type>;

template <char Side, class Atom>
constexpr auto side_layout() {
  if constexpr (Side == 'S') return typename Atom::ValLayoutSrc{};
  else return typename Atom::ValLayoutDst{};
}

template <char Side, class Atom, class Threads, class Values>
void thread_values(golden::Report& report, int id, Threads const& threads_of, Values const& values_of, int threads,
                   int values, std::vector<int> const& tile, std::vector<std::int64_t> const& elements) {
  auto const copy = make_tiled_copy(Atom{}, threads_of, values_of);
  using Tiled = remove_cvref_t<decltype(copy)>;
  auto const tiler = typename Tiled::Tiler_MN{};
  // (Thr,(FrgV,FrgX))
  auto const layout = get<0>(Tiled::template divide<decltype(side_layout<Side, Atom>())>(make_layout(tiler)));
  std::string wrong = golden::difference("threads", static_cast<std::int64_t>(size<0>(layout)), threads) +
                      golden::difference("values", static_cast<std::int64_t>(size<1>(layout)), values) +
                      golden::difference("tile M", static_cast<std::int64_t>(get<0>(tiler)), tile[0]) +
                      golden::difference("tile N", static_cast<std::int64_t>(get<1>(tiler)), tile[1]);
  for (int i = 0; i < threads * values && wrong.empty(); ++i) {
    wrong += golden::difference("element", static_cast<std::int64_t>(layout(make_coord(i / values, i % values))),
                                elements[std::size_t(i)]);
  }
  report.add(id, wrong, "", true);
}

template <char Side, class Atom, class Threads, class Values, class Data, class Out>
void tiled_copy(golden::Report& report, int id, Threads const& threads_of, Values const& values_of, Data const& data,
                Out const& out, int threads, int values, std::uint64_t bases, std::vector<int> const& listed,
                std::uint64_t offsets) {
  auto const copy = make_tiled_copy(Atom{}, threads_of, values_of);
  static int const memory[1 << 20] = {};
  auto const tensor = make_view(&memory[0], data);
  auto const part = [&](int thread) {
    if constexpr (Side == 'S') return copy.slice(thread).partition_S(tensor);
    else return copy.slice(thread).partition_D(tensor);
  };
  if (int(copy.size()) != threads) report.add(id, "another number of threads; ", "", true);
  golden_atoms::partitions(report, id, threads, &memory[0], part, out, values, bases, listed, offsets);
}

}  // namespace

#define GOLDEN_TILED_COPY_TV(id, element_bits, vector_bits, thr, val, side, threads, values, tile, elements) \
  thread_values<#side[0], Copy<element_bits, vector_bits>>(report, id, thr, val, threads, values,            \
                                                           {GOLDEN_UNPACK tile}, {GOLDEN_UNPACK elements});
#define GOLDEN_TILED_COPY(id, element_bits, vector_bits, thr, val, side, data, out, threads, values, bases, listed, \
                          offsets)                                                                                  \
  tiled_copy<#side[0], Copy<element_bits, vector_bits>>(report, id, thr, val, data, out, threads, values, bases,    \
                                                        {GOLDEN_UNPACK listed}, offsets);

golden::Report tiled_copy_tv_cases() {
  golden::Report report;
#include "static/tiled_copy_tv.inc"  // cases
  return report;
}

golden::Report tiled_copy_cases() {
  golden::Report report;
#include "static/tiled_copy.inc"  // cases
  return report;
}
