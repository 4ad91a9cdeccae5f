// Draws the way of the sums to C by asking the partitions.
#include <tilestep/atom.hpp>                     // the instruction
#include <tilestep/block/epilogue.hpp>           // SumsToMemory
#include <tilestep/block/pipeline.hpp>           // Pipeline
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <string>  // captions
#include <vector>  // grids

namespace tilestep {

namespace {

/// Who has the first elements of a tile of C. @param part_of  part_of(thread) is (..) -> (m,n)
/// @par Invariant  every element belongs to one thread
template <class PartOf>
Grid owners(std::string const& caption, int threads, std::string const& does, PartOf const& part_of) {
  Grid grid(8, 32);
  for (int thread = 0; thread < threads; ++thread) {
    auto const part = part_of(thread);
    for (int i = 0; i < int(size(part)); ++i) {
      int const m = int(get<0>(part(i))), n = int(get<1>(part(i)));
      if (m < grid.rows && n < grid.cols)
        grid.at(m, n) = {std::to_string(thread),
                         "thread " + std::to_string(thread) + " " + does + " C" + to_string(make_coord(m, n)),
                         thread % 4 + thread / 32};
    }
  }
  grid.caption = caption;
  grid.cut = true;
  return grid;
}

using OnNvidia = Pipeline<GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<128, 256, 32, 2, 4>, half_t, Contiguous::k,
                                     Contiguous::k, 8, Arrangement::swizzled>,
                          Route::async, 4>;

std::string epilogue() {
  using Sums = SumsToMemory<OnNvidia>;
  // (SLICE_M,BLK_N) -> (m,n)
  auto const tile = make_identity_tensor(make_shape(typename Sums::SliceM{}, OnNvidia::BlkN{}));
  using Stores = decltype(detail::tile_copy<Contiguous::k, 4, float, OnNvidia::threads, Sums::SliceM::value,
                                            OnNvidia::BlkN::value>());
  return to_svg({owners("the thread that holds a sum", OnNvidia::threads, "holds",
                        [&](int thread) { return OnNvidia::Mma::slice(thread).partition_C(tile); }),
                 owners("the thread that stores it", OnNvidia::threads, "stores",
                        [&](int thread) { return Stores::slice(thread).partition_D(tile); })});
}

}  // namespace

std::vector<Figure> chapter_figures() { return {{"epilogue", epilogue()}}; }

}  // namespace tilestep
