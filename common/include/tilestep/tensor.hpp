#pragma once
// The tensor layer: memory seen through layouts, coordinates as a tensor, and the parts of a tensor that a block or a
// thread owns.

#include <tilestep/layout.hpp>                  // layouts and their algebra
#include <tilestep/tensor/identity.hpp>         // make_identity_tensor
#include <tilestep/tensor/local_partition.hpp>  // local_partition, packed_partition
#include <tilestep/tensor/local_tile.hpp>       // local_tile
#include <tilestep/tensor/print.hpp>            // to_string
#include <tilestep/tensor/tensor.hpp>           // make_tensor, slicing
