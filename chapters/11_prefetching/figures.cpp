// Draws the chapter's kernels in time.
#include "figures.hpp"

#include <tilestep/harness/gemm_timeline.hpp>  // gemm_timeline
#include <tilestep/show.hpp>                   // to_svg

namespace tilestep {

std::vector<Figure> prefetch_figures(std::function<void(GemmCall const&)> const& run) {
  return {{"waiting", to_svg(gemm_timeline(run, "sm80", "waiting"))},
          {"tiles", to_svg(gemm_timeline(run, "sm80", "tiles"))},
          {"fragments", to_svg(gemm_timeline(run, "gfx942", "prefetching"))}};
}

}  // namespace tilestep
