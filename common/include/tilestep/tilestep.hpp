#pragma once
// Everything a kernel is written with: layouts, tensors, atoms, algorithms, and the launch that starts it.

#include <tilestep/algorithm.hpp>       // copy, copy_if, gemm, axpby, fill, clear
#include <tilestep/atom.hpp>            // MmaAtom, UniversalFMA
#include <tilestep/block.hpp>           // blockwise_copy, blockwise_gemm
#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/core.hpp>            // Int, tuples, coordinates
#include <tilestep/layout.hpp>          // layouts and their algebra
#include <tilestep/show.hpp>            // pictures of layouts
#include <tilestep/tensor.hpp>          // tensors, local_tile, local_partition
