// Draws the chapter's kernels in time.
#include "figures.hpp"

#include <tilestep/harness/gemm_timeline.hpp>  // gemm_timeline
#include <tilestep/show.hpp>                   // to_svg

namespace tilestep {

std::vector<Figure> ring_figures(std::function<void(GemmCall const&)> const& run) {
  return {{"ring", to_svg(gemm_timeline(run, "sm80", "ring"))},
          {"direct", to_svg(gemm_timeline(run, "gfx942", "ring"))}};
}

}  // namespace tilestep
