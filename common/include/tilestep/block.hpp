#pragma once
// What all threads of a block do together: copy a tile, multiply two tiles. Each thread does its part; none waits for
// the others.

#include <tilestep/block/async_copy.hpp>  // copy_if by asynchronous atoms
#include <tilestep/block/coord.hpp>       // block_coord
#include <tilestep/block/copy.hpp>        // copy with an atom, blockwise_copy
#include <tilestep/block/gemm.hpp>        // blockwise_gemm
#include <tilestep/block/padded.hpp>      // pad of a tensor
