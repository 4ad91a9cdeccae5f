#pragma once
// A tensor map on the virtual GPU: the plain description.

#include <tilestep/backend/tensor_tile.hpp>  // TensorTile

namespace tilestep {

/// A TensorTile as TMA reads it. A kernel has it among its parameters, and nowhere else.
struct TensorMap {
  TensorTile tile;
};

/// @par Errors  bad_input: what check_tensor_tile() says
TensorMap make_tensor_map(TensorTile const& tile);

}  // namespace tilestep
