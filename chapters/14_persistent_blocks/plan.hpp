#pragma once
// How a problem is computed: which way round, on which tile, in which order, in how many slices of K.

#include <tilestep/harness/tile_plan.hpp>  // TilePlan, GemmOwnOptions

namespace tilestep {

/// @par Errors  not_here: no kernel for the types on the target; bad_input: options that do not fit
TilePlan plan_for(GemmCall const& call);
void run(TilePlan const& plan);

/// --tile, --split-k and --persistent beside those of every order: --order, --group, --plan.
GemmOwnOptions own_options();

}  // namespace tilestep
