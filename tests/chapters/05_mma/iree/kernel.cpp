// IREE's example alone: a test compiles it for a GPU and reads its instructions.

#include "iree.hpp"  // IreeMatmul

#include <tilestep/backend/launch.hpp>  // launch

namespace tilestep {

void run_iree(IreeParams const& params);
void run_iree(IreeParams const& params) { launch(IreeMatmul{}, 1, params); }

}  // namespace tilestep
